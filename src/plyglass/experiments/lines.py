"""A line of a reproduced table: our value with its interval beside the document's, and whether
the two agree.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

NORMAL_95 = 1.959964
JOINT_ERRORS = 3
Verdict = Literal["agrees", "differs", "undecided", "new"]


@dataclass(frozen=True)
class Line:
    """One measured value.

    Attributes:
        name: what was measured.
        ours: our value.
        low, high: its 95 % interval; None where the values showed no spread, which says nothing
            about it.
        n: how many games stand behind it.
        document: what the document reports, if anything.
        error: the standard error of that, where the document has one.
        failed: how many matches of it were not played to their end; what these are worth is the
            settings' word, not play.
        values: those behind it, or a sample of them, where their distribution is drawn.
    """

    name: str
    ours: float
    low: float | None
    high: float | None
    n: int
    document: float | None = None
    error: float | None = None
    values: tuple[float, ...] = ()
    failed: int = 0

    @property
    def verdict(self) -> Verdict:
        """Whether the document's value lies within our interval, or within three joint standard
        errors where it has one of its own.

        "new" where there is no such value, "undecided" where we have no interval.
        """
        if self.document is None:
            return "new"
        if self.low is None or self.high is None:
            return "undecided"
        if self.error is None:
            return "agrees" if self.low <= self.document <= self.high else "differs"
        joint = math.hypot((self.high - self.low) / (2 * NORMAL_95), self.error)
        return "agrees" if abs(self.ours - self.document) <= JOINT_ERRORS * joint else "differs"

    @property
    def exact(self) -> bool:
        """Whether it was counted, not sampled."""
        return self.low is not None and self.low == self.high

    @property
    def shown(self) -> tuple[str, str]:
        """Our value and the document's as tables show them."""
        digits = ",.0f" if self.exact and self.ours.is_integer() else ".4f"
        document = (
            "" if self.document is None else f"{self.document:{digits if self.exact else 'g'}}"
        )
        return f"{self.ours:{digits}}", document

    @property
    def interval(self) -> str:
        """The interval as tables show it."""
        if self.exact:
            return "exact"
        return "no spread seen" if self.low is None else f"{self.low:.4f} to {self.high:.4f}"

    @property
    def games(self) -> str:
        """The number of games as tables show it, with those that failed."""
        if self.exact:
            return ""
        return f"{self.n}, {self.failed} failed" if self.failed else str(self.n)

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        if self.exact:
            ours, document = self.shown
            return f"{self.name}: {ours}, exactly" + (
                f"; the document has {document}, which {self.verdict}." if document else "."
            )
        interval = (
            "no interval, as all games gave the same"
            if self.low is None
            else f"{self.low:.4f} to {self.high:.4f}"
        )
        ours = f"{self.name}: ours is {self.ours:.4f} ({interval}, {self.n} games)"
        if self.document is None:
            return f"{ours}; no document has a value for it."
        place = {"agrees": "within", "differs": "outside of", "undecided": "without"}[self.verdict]
        if self.error is None:
            return f"{ours}; the document's value {self.document:g} lies {place} our interval."
        return (
            f"{ours}; the document's value {self.document:g} with standard error {self.error:g} "
            f"{self.verdict} by 3 joint errors."
        )


@dataclass(frozen=True)
class Listing:
    """A table beside the lines, for what takes more than one value a row.

    Attributes:
        title: what it shows.
        columns: their names.
        rows: text for every column.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def worst_of(found: Collection[Verdict]) -> Verdict:
    """One verdict for several, where "new" says nothing: the worst."""
    order: tuple[Verdict, ...] = ("differs", "undecided", "agrees")
    return next((verdict for verdict in order if verdict in found), "new")
