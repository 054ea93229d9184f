"""How well a study's recorded results agree with the paper, and with which tolerance."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from plyglass.experiments.recorded import path_of, recorded
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.experiments.study import Study

COLUMNS = ("", "numbers", "agree", "undecided", "differ", "claims that hold", "games a number")


@dataclass(frozen=True)
class Count:
    """Counts of the verdicts on the numbers and claims of one or more artifacts.

    Attributes:
        name: the artifact's key.
        agree, undecided, differ: the number of compared numbers with each verdict.
        hold, open, fail: the number of claims that hold, are undecided, and do not hold.
        fewest, most: the smallest and the largest number of games behind a compared number. 0 if no
            number is compared.
    """

    name: str
    agree: int
    undecided: int
    differ: int
    hold: int
    open: int
    fail: int
    fewest: int
    most: int

    @property
    def numbers(self) -> int:
        """The number of compared numbers."""
        return self.agree + self.undecided + self.differ

    @property
    def claims(self) -> int:
        """The number of judged claims."""
        return self.hold + self.open + self.fail

    @property
    def games(self) -> str:
        """The fewest and most games behind a compared number, as tables show them."""
        if self.fewest == self.most:
            return f"{self.most:,}" if self.most else ""
        return f"{self.fewest:,} to {self.most:,}"

    @property
    def cells(self) -> tuple[str, ...]:
        """One cell for each of `COLUMNS`. A count of 0 is an empty cell."""
        counted = (self.numbers, self.agree, self.undecided, self.differ)
        claims = f"{self.hold} of {self.claims}" if self.claims else ""
        return self.name, *(str(count) if count else "" for count in counted), claims, self.games


@dataclass(frozen=True)
class Tolerance:
    """The largest difference at which a reported rate still agrees with our rate.

    Attributes:
        games: the number of games behind each of the rates.
        rates: the number of rates.
        median: the median tolerance of the rates.
    """

    games: int
    rates: int
    median: float


@dataclass(frozen=True)
class Summary:
    """Counts of the recorded results of a study.

    Attributes:
        study: the study's name.
        counts: the counts of each table and figure of the paper.
        total: the sum of all counts.
        tolerances: the tolerances of reported rates strictly between 0 and 1, by number of games.
    """

    study: str
    counts: tuple[Count, ...]
    total: Count
    tolerances: tuple[Tolerance, ...]

    @property
    def sentences(self) -> list[str]:
        """The total and the tolerances, in words."""
        total, said = self.total, []
        if total.numbers:
            said.append(
                f"{total.agree} of {total.numbers} numbers agree, {total.undecided} are undecided "
                f"and {total.differ} differ."
            )
        if total.claims:
            said.append(
                f"{total.hold} of {total.claims} claims hold, {total.open} are undecided and "
                f"{total.fail} do not hold."
            )
        said += [
            f"With {each.games:,} games, a reported rate agrees if it differs from ours by at most "
            f"{100 * each.median:.0f} points (median of {each.rates} rates)."
            for each in self.tolerances
        ]
        return said

    def as_json(self) -> dict[str, Any]:
        """Return the summary as plain values, for programs."""
        return {
            "study": self.study,
            "artifacts": [{**asdict(each), "numbers": each.numbers} for each in self.counts],
            "total": {**asdict(self.total), "numbers": self.total.numbers},
            "tolerances": [asdict(each) for each in self.tolerances],
        }


def summary_of(study: Study) -> Summary:
    """Count the verdicts on those tables and figures of the paper that have recorded results."""
    done = [
        recorded(artifact)
        for artifact in study.artifacts
        if artifact.printed and path_of(artifact).is_file()
    ]
    if not done:
        raise ValueError(
            f"The study {study.name} has no recorded table or figure of a paper; `plyglass "
            f"reproduce {study.name}/ARTIFACT --record` records one."
        )
    done.sort(key=lambda each: _place(each.artifact.key))
    counts = tuple(_count(each.artifact.key, [each]) for each in done)
    return Summary(study.name, counts, _count("all", done), tuple(_tolerances(done)))


def _place(key: str) -> tuple[bool, list[int]]:
    """Return a sort key of an artifact: tables before figures, each by number."""
    return key.startswith("figure"), [int(number) for number in re.findall(r"\d+", key)]


def _count(name: str, done: Sequence[Reproduction]) -> Count:
    compared = [row for each in done for row in each.results if row.reported is not None]
    verdicts = Counter(row.verdict for row in compared)
    claims = Counter(finding.verdict for each in done for finding in each.findings)
    games = [row.n for row in compared]
    return Count(
        name,
        verdicts["agrees"],
        verdicts["undecided"],
        verdicts["differs"],
        claims["holds"],
        claims["undecided"],
        claims["does not hold"],
        min(games, default=0),
        max(games, default=0),
    )


def _tolerances(done: Sequence[Reproduction]) -> list[Tolerance]:
    found: dict[int, list[float]] = defaultdict(list)
    for each in done:
        rates = {row.name for row in each.artifact.rows if row.quantity == "rate"}
        for row in each.results:
            if row.name in rates and _between(row) and row.tolerance is not None:
                found[row.n].append(row.tolerance)
    return [Tolerance(games, len(each), median(each)) for games, each in sorted(found.items())]


def _between(row: RowResult) -> bool:
    return row.reported is not None and 0.0 < row.reported < 1.0
