"""Which of the best actions to play, where values are exact and several are equally good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plyglass.core.seeds import derive

Ties = Literal["first", "last", "uniform"]
TIES = ("first", "last", "uniform")
# values closer than this part of the scores' range are equal: sums in another order differ in their
# last digits
SAME = 1e-9


def best_of(opinions: Sequence[Sequence[float | None]], span: float) -> list[int]:
    """The actions that are best by the first opinion; those that it finds equal, by the next
    one, and so on.
    """
    best = list(range(len(opinions[0])))
    for values in opinions:
        known = [value for index in best if (value := values[index]) is not None]
        least = max(known, default=0.0) - SAME * span
        best = [
            index for index in best if (value := values[index]) is not None and value >= least
        ] or best
    return best


def chosen_of(best: Sequence[int], ties: Ties, seed: int) -> int:
    """One of the best: the first, the last, or any with the same probability, by the seed."""
    if ties == "uniform":
        return best[derive(seed) % len(best)]
    return best[0] if ties == "first" else best[-1]
