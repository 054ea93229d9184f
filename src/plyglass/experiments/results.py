"""Results of table rows: our value with its interval, measured from the matches of a tournament.

The statistical unit is the deal, because the matches of a deal share chance and are not
independent.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from plyglass.arena.specs import game_from
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee, Result
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.experiments.study import TableRow
from plyglass.stats.intervals import UNBOUNDED, Scale
from plyglass.stats.pairs import interval_of_means, interval_of_rate

NORMAL_95 = 1.959964
JOINT_ERRORS = 3
MOST_VALUES = 2000  # the most values that a recorded result keeps for drawing distributions
Agreement = Literal["agrees", "differs", "undecided", "new"]
Deals = Mapping[tuple[int, int], Sequence[float]]
"""The measured values by game and deal."""
Values = Mapping[str, Deals]
"""The measured values of every table row, by the row's name."""


@dataclass(frozen=True)
class RowResult:
    """The measured result of one table row.

    Attributes:
        name: the row's name.
        ours: the value that we measured.
        low, high: the 95 % interval of our value. None if all measured values are equal.
        n: the number of games behind our value.
        reported: the value that the paper reports. None if the paper reports no value.
        error: the standard error of the reported value. None if the paper reports no error.
        failed: the number of matches that did not end. The settings decide how these count.
        values: the single values, or a sample of them, if the figure draws their distribution.
    """

    name: str
    ours: float
    low: float | None
    high: float | None
    n: int
    reported: float | None = None
    error: float | None = None
    values: tuple[float, ...] = ()
    failed: int = 0

    @property
    def verdict(self) -> Agreement:
        """Whether our value agrees with the reported value.

        The values agree if the reported value lies within our interval. If the reported value has a
        standard error, the values instead agree if they differ by at most three joint standard
        errors. The verdict is "new" if no value is reported, and "undecided" if we have no
        interval.
        """
        if self.reported is None:
            return "new"
        if self.low is None or self.high is None or self.tolerance is None:
            return "undecided"
        if self.error is None:
            return "agrees" if self.low <= self.reported <= self.high else "differs"
        return "agrees" if abs(self.ours - self.reported) <= self.tolerance else "differs"

    @property
    def tolerance(self) -> float | None:
        """The largest difference at which a reported value agrees; None if we have no interval.

        If the paper gives no standard error, the tolerance is half the length of our interval.
        """
        if self.low is None or self.high is None:
            return None
        half = (self.high - self.low) / 2
        return (
            half if self.error is None else JOINT_ERRORS * math.hypot(half / NORMAL_95, self.error)
        )

    @property
    def exact(self) -> bool:
        """Whether the value was computed exactly, not sampled."""
        return self.low is not None and self.low == self.high

    @property
    def shown(self) -> tuple[str, str]:
        """Our value and the reported value, as tables show them."""
        digits = ",.0f" if self.exact and self.ours.is_integer() else ".4f"
        reported = (
            "" if self.reported is None else f"{self.reported:{digits if self.exact else 'g'}}"
        )
        return f"{self.ours:{digits}}", reported

    @property
    def interval(self) -> str:
        """The interval as tables show it."""
        if self.exact:
            return "exact"
        if self.low is None:
            return "no spread seen" if self.n > 1 else "one run"
        return f"{self.low:.4f} to {self.high:.4f}"

    @property
    def games(self) -> str:
        """The number of games as tables show it, with the failed games."""
        if self.exact:
            return ""
        return f"{self.n}, {self.failed} failed" if self.failed else str(self.n)

    @property
    def sentence(self) -> str:
        """The verdict with its numbers."""
        if self.exact:
            ours, reported = self.shown
            return f"{self.name}: {ours}, exactly" + (
                f"; the reported {reported} {self.verdict}." if reported else "."
            )
        interval = (
            "no interval, as " + ("all games gave the same" if self.n > 1 else "there was one run")
            if self.low is None
            else f"{self.low:.4f} to {self.high:.4f}"
        )
        ours = f"{self.name}: ours is {self.ours:.4f} ({interval}, {self.n} games)"
        if self.reported is None:
            return f"{ours}; no value is reported."
        if self.verdict == "undecided":
            return f"{ours}; the reported {self.reported:g} cannot be compared without an interval."
        if self.error is None:
            place = "within" if self.verdict == "agrees" else "outside"
            return f"{ours}; the reported {self.reported:g} lies {place} our interval."
        place = "within" if self.verdict == "agrees" else "outside"
        return (
            f"{ours}; the reported {self.reported:g} (standard error {self.error:g}) lies {place} "
            "3 combined standard errors."
        )


@dataclass(frozen=True)
class Listing:
    """An extra table for results with more than one value per row.

    Attributes:
        title: the title of the table.
        columns: the names of the columns.
        rows: the text of every cell, row by row.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def worst_of(found: Collection[Agreement]) -> Agreement:
    """Return the worst of several verdicts, or "new" if there is no other verdict."""
    order: tuple[Agreement, ...] = ("differs", "undecided", "agrees")
    return next((verdict for verdict in order if verdict in found), "new")


def values_of(settings: Settings, matches: Iterable[MatchRow], rows: Sequence[TableRow]) -> Values:
    """Return the values of every table row, by game and deal."""
    referee = Referee(settings)
    found: dict[str, dict[tuple[int, int], list[float]]] = {row.name: {} for row in rows}
    for match in matches:
        result = referee.result(match)
        if result is None:
            continue
        unit = result.game, referee.schedule[match.number].deal
        for row in rows:
            if values := _values(settings, match, result, row):
                found[row.name].setdefault(unit, []).extend(values)
    for name, deals in found.items():
        if not deals:
            raise ValueError(
                f"No match counts for the row {name!r}: no agent played or measured it, or every "
                "match was left out."
            )
    return found


def failures_of(
    settings: Settings, matches: Iterable[MatchRow], rows: Sequence[TableRow]
) -> Counter[str]:
    """Return how many matches of each table row did not end, including those that do not count."""
    schedule, found = Schedule(settings), Counter[str]()
    for fixture in (schedule[match.number] for match in matches if not match.finished):
        found.update(
            row.name for row in rows if _seats(row, settings.games[fixture.game], fixture.agents)
        )
    return found


def results_of(
    rows: Sequence[TableRow],
    values: Values,
    failures: Mapping[str, int] = MappingProxyType({}),
    with_distribution: bool = False,
    scales: Mapping[str, Scale] = MappingProxyType({}),
) -> tuple[RowResult, ...]:
    """Return a result for every table row; `with_distribution` adds a sample of the row's values.

    `scales` maps the name of a row to the lowest and the highest mean that the row can have.
    """
    results = []
    for row in rows:
        deals = list(values[row.name].values())
        of_rate = row.quantity in ("rate", "share")
        scale = scales.get(row.name, UNBOUNDED)
        ours, low, high = interval_of_rate(deals) if of_rate else interval_of_means(deals, scale)
        played = [value for each in deals for value in each]
        results.append(
            RowResult(
                row.name,
                ours,
                low,
                high,
                len(played),
                row.reported,
                row.error,
                kept_values(played, MOST_VALUES // len(rows)) if with_distribution else (),
                failures.get(row.name, 0),
            )
        )
    return tuple(results)


def scale_of(settings: Settings, row: TableRow) -> Scale:
    """Return the lowest and the highest mean that a table row can have."""
    if row.quantity in ("seconds", "pace"):
        return 0.0, math.inf
    if row.quantity not in ("mean", "cost"):
        return UNBOUNDED
    games = [game_from(text) for text in settings.games if row.game in (None, text)]
    low = min(game.scores[0] for game in games)
    high = max(game.scores[1] for game in games)
    return (-high, -low) if row.quantity == "cost" else (low, high)


def kept_values(values: Sequence[float], most: int) -> tuple[float, ...]:
    """Return at most `most` values, evenly spaced in sorted order, and rounded to four digits.

    The kept values are enough to draw the distribution of all values.
    """
    ranks = np.linspace(0, 1, min(len(values), most))
    return tuple(float(f"{value:.4g}") for value in np.quantile(values, ranks, method="nearest"))


def _values(settings: Settings, match: MatchRow, result: Result, row: TableRow) -> list[float]:
    """Return a match's values for a table row: one per covered seat, or one for the whole match."""
    seats = _seats(row, settings.games[result.game], result.agents)
    if row.of_measure:
        # a measure of the whole match counts for the rows of the agents in this match
        of_match = row.measure in result.measures and seats
        names = [str(row.measure)] if of_match else [f"{row.measure}@{seat}" for seat in seats]
        return [result.measures[name] for name in names if name in result.measures]
    if row.quantity in ("seconds", "pace") and not match.finished:
        return []
    return [_value(match, result, row, seat) for seat in seats]


def _seats(row: TableRow, game: str, agents: Sequence[str]) -> list[int]:
    """Return the seats of a match that a table row covers."""
    return [
        seat
        for seat, agent in enumerate(agents)
        if row.agent in (None, agent) and row.covers(game, seat)
    ]


def _value(match: MatchRow, result: Result, row: TableRow, seat: int) -> float:
    alone = len(result.agents) == 1
    if row.quantity == "seconds":
        # a match's CPU time includes updates of the belief; a seat's clock does not include them
        return match.seconds if alone else match.seat_seconds[seat]
    if row.quantity == "pace":
        return match.seat_seconds[seat] / match.measures[f"decisions@{seat}"]
    if row.quantity == "rate":
        return result.scores[seat] if alone else result.points(seat)
    return -result.scores[seat] if row.quantity == "cost" else result.scores[seat]
