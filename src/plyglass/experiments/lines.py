"""A line of a reproduced table: our value with its interval beside the document's, and whether the two agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["agrees", "differs", "undecided", "new"]


@dataclass(frozen=True)
class Line:
    """One measured value.

    Attributes:
        name: what was measured.
        ours: our value.
        low, high: its 95 % interval; None where the values showed no spread, which says nothing about it.
        n: how many games stand behind it.
        document: what the document reports, if anything.
    """

    name: str
    ours: float
    low: float | None
    high: float | None
    n: int
    document: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Whether the document's value lies within our interval; "new" where it has none, "undecided" where we have no interval."""
        if self.document is None:
            return "new"
        if self.low is None or self.high is None:
            return "undecided"
        return "agrees" if self.low <= self.document <= self.high else "differs"

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        interval = "no interval, as all games gave the same" if self.low is None else f"{self.low:.4f} to {self.high:.4f}"
        ours = f"{self.name}: ours is {self.ours:.4f} ({interval}, {self.n} games)"
        if self.document is None:
            return f"{ours}; no document has a value for it."
        place = {"agrees": "within", "differs": "outside of", "undecided": "without"}[self.verdict]
        return f"{ours}; the document's value {self.document:g} lies {place} our interval."


def verdict_of(lines: Sequence[Line]) -> Verdict:
    """One verdict for all: the worst of those lines that the document has a value for."""
    found = {line.verdict for line in lines}
    order: tuple[Verdict, ...] = ("differs", "undecided", "agrees")
    return next((verdict for verdict in order if verdict in found), "new")
