"""What a position is worth to a player, and which of several equally good actions to play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.verbs import evaluate, score

BY_SCORE = 0  # in place of the address of an evaluator


@kernel
def judge(table, s, player, evaluator):
    """What the evaluator at an address, or the score, says of a position for `player`."""
    if evaluator == BY_SCORE:
        return score(table, s, player)
    return evaluate(table, s, player, evaluator)


def evaluator_of(game: Game, name: str) -> int:
    """The address of an evaluator by name: "" is the first that the game offers, or its score if
    it offers none; so is "score".
    """
    if name == "score" or not (name or game.evaluators):
        return BY_SCORE
    return game.evaluator(name or next(iter(game.evaluators)))


def span_of(game: Game, evaluator: int, scale: str) -> float:
    """What confidence bounds are measured by: 1 for "raw" values, else the range of the scores; 0
    for the range seen so far.

    A game declares no range for its evaluators, so with these the range is the one between the
    lowest and the highest value seen.
    """
    if scale == "raw":
        return 1.0
    return game.scores[1] - game.scores[0] if evaluator == BY_SCORE else 0.0


# Which of the best actions to play, where values are exact and several are equally good.


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
