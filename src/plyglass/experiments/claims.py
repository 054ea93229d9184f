"""What a document claims about the rows of an artifact, and how each claim is tested. Read from
`study.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal, get_args

Kind = Literal["better", "equal", "no difference", "same distribution", "order", "share", "sprt"]
TESTED = {
    "better": "paired t by deal, one-sided",
    "equal": "two one-sided t-tests by deal",
    "no difference": "paired t by deal, two-sided",
    "same distribution": "Kolmogorov-Smirnov over matches",
    "order": "means, no test",
    "share": "share of a gap, bootstrap over deals",
    "sprt": "SPRT over deals",
}


@dataclass(frozen=True)
class Claim:
    """A sentence of a document about rows; where it is about several pairs of rows, it holds if it
    holds for each of them.

    Attributes:
        says: the sentence, in our own words.
        where: where the document says it.
        kind: how it is tested. "better": `first` is better than `second`, which for costs and
            seconds means lower, else higher. "equal": both differ by less than a margin. "no
            difference": no difference is significant. "same distribution": no test of distributions
            is; both hold wherever nothing is found, so they are worth as much as the deals behind
            them. "order": `first` has the better mean, without a test. "share": of the way from
            `second` to `whole`, `first` goes at least so much. "sprt": a sequential test accepts
            that `first` is stronger than its opponent `second` by `elo1`, and not by `elo0`, at any
            deal.
        first: the rows it is about: a name or several, `*` standing for anything.
        second: the rows they are compared with, one by one; a single row is compared with each.
        by: of "better" and "order", by how much at least.
        margin: of "equal", as a share of the second row's mean.
        whole: of "share", the row at the far end of the gap.
        at_least: of "share", between 0 and 1.
        elo0, elo1: of "sprt", the two differences that it decides between.
    """

    says: str
    kind: Kind
    first: str | Sequence[str]
    second: str | Sequence[str]
    where: str = ""
    by: float = 0.0
    margin: float = 0.05
    whole: str = ""
    at_least: float = 0.5
    elo0: float = 0.0
    elo1: float = 20.0

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(
                f"The claim {self.says!r} is tested as {self.kind!r}; a claim is tested as "
                f"{', '.join(get_args(Kind))}."
            )
        if (self.kind == "share") != bool(self.whole):
            raise ValueError(
                f'The claim {self.says!r} needs both, kind = "share" and the row of the whole gap, or neither.'
            )
        if self.by and self.kind not in ("better", "order"):
            raise ValueError(
                f'The claim {self.says!r} says `by`, which is of the kinds "better" and "order"; it is of {self.kind!r}.'
            )

    @property
    def tested(self) -> str:
        """How it is tested, in words."""
        at_least = f", by {self.by:g}" if self.by else ""
        limits = {
            "better": at_least,
            "order": at_least,
            "equal": f", margin {100 * self.margin:g} %",
            "share": f", at least {100 * self.at_least:g} %",
            "sprt": f", {self.elo1:+g} against {self.elo0:+g} Elo",
        }
        return TESTED[self.kind] + limits.get(self.kind, "")

    def pairs(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """The pairs of rows that it is about, of all rows by name."""
        first, second = self._rows(self.first, names), self._rows(self.second, names)
        if self.whole:
            self._rows(self.whole, names)
        longer = max(len(first), len(second))
        if {len(first), len(second)} - {1, longer}:
            raise ValueError(
                f"The claim {self.says!r} compares {len(first)} rows with {len(second)}; give as "
                "many, or one for all."
            )
        first, second = (each * longer if len(each) == 1 else each for each in (first, second))
        return list(zip(first, second, strict=True))

    def _rows(self, wanted: str | Sequence[str], names: Sequence[str]) -> list[str]:
        """The rows that names or patterns stand for, in the order of the patterns and of the
        rows.
        """
        found = []
        for pattern in [wanted] if isinstance(wanted, str) else wanted:
            fitting = [name for name in names if name == pattern or fnmatchcase(name, pattern)]
            if not fitting:
                raise ValueError(
                    f"The claim {self.says!r} is about the row {pattern!r}; the rows are "
                    f"{', '.join(names)}."
                )
            found += fitting
        return found
