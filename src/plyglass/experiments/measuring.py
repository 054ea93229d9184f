"""From the rows of a tournament to the lines of a table. The unit is the deal: its matches share
luck and are not independent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from plyglass.arena.tournament.match_row import Row
from plyglass.arena.tournament.referee import Referee, Result
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.experiments.lines import Line
from plyglass.experiments.studies import Measure
from plyglass.stats.pairs import interval_of_means, interval_of_rate

Deals = Mapping[tuple[int, int], Sequence[float]]
"""What was measured, by game and deal."""
Values = Mapping[str, Deals]
"""The same for every row of an artifact, by its name."""
MOST_VALUES = 2000  # that a recorded result keeps to draw distributions from


def values_of(settings: Settings, rows: Iterable[Row], measures: Sequence[Measure]) -> Values:
    """All values behind every measure."""
    referee = Referee(settings)
    found: dict[str, dict[tuple[int, int], list[float]]] = {
        measure.name: {} for measure in measures
    }
    for row in rows:
        result = referee.result(row)
        if result is None:
            continue
        unit = result.game, referee.schedule[row.number].deal
        for measure in measures:
            if values := _values(settings, row, result, measure):
                found[measure.name].setdefault(unit, []).extend(values)
    for name, deals in found.items():
        if not deals:
            raise ValueError(
                f"No match counts for the row {name!r}: nobody played or measured it, or every "
                "match was left out."
            )
    return found


def failures_of(
    settings: Settings, rows: Iterable[Row], measures: Sequence[Measure]
) -> Counter[str]:
    """How many matches of every measure were not played to their end, whether they count or are
    left out.
    """
    schedule, found = Schedule(settings), Counter[str]()
    for fixture in (schedule[row.number] for row in rows if not row.finished):
        found.update(
            each.name
            for each in measures
            if _seats(each, settings.games[fixture.game], fixture.agents)
        )
    return found


def lines_of(
    measures: Sequence[Measure],
    values: Values,
    failures: Mapping[str, int] = MappingProxyType({}),
    with_distribution: bool = False,
) -> tuple[Line, ...]:
    """A line for every measure, with the values themselves where their distribution is to be
    drawn.
    """
    lines = []
    for measure in measures:
        deals = list(values[measure.name].values())
        ours, low, high = (
            interval_of_rate(deals)
            if measure.quantity in ("rate", "share")
            else interval_of_means(deals)
        )
        kept = (
            kept_values([value for each in deals for value in each], MOST_VALUES // len(measures))
            if with_distribution
            else ()
        )
        lines.append(
            Line(
                measure.name,
                ours,
                low,
                high,
                sum(map(len, deals)),
                measure.document,
                measure.error,
                kept,
                failures.get(measure.name, 0),
            )
        )
    return tuple(lines)


def _values(settings: Settings, row: Row, result: Result, measure: Measure) -> list[float]:
    """What a match says about a measure: one value for each seat that it is about, or one for
    the match.
    """
    seats = _seats(measure, settings.games[result.game], result.agents)
    if measure.of_measure:
        of_match = (
            measure.measure in result.measures and seats
        )  # a match counts for those who played it
        names = (
            [str(measure.measure)] if of_match else [f"{measure.measure}@{seat}" for seat in seats]
        )
        return [result.measures[name] for name in names if name in result.measures]
    return [
        _value(row, result, measure, seat)
        for seat in seats
        if measure.quantity not in ("seconds", "pace") or row.finished
    ]


def _seats(measure: Measure, game: str, agents: Sequence[str]) -> list[int]:
    """The seats of a match that a measure is about."""
    return [
        seat
        for seat, agent in enumerate(agents)
        if measure.agent in (None, agent) and measure.covers(game, seat)
    ]


def _value(row: Row, result: Result, measure: Measure, seat: int) -> float:
    if (
        measure.quantity == "seconds"
    ):  # alone, an agent has to answer for taking in views as well, which no clock of seats sees
        return row.seconds if len(result.agents) == 1 else row.seat_seconds[seat]
    if measure.quantity == "pace":
        return row.seat_seconds[seat] / row.measures[f"decisions@{seat}"]
    if measure.quantity == "rate":  # who plays alone has nobody to be better than
        return result.scores[seat] if len(result.agents) == 1 else result.points(seat)
    return -result.scores[seat] if measure.quantity == "cost" else result.scores[seat]


def kept_values(values: Sequence[float], most: int) -> tuple[float, ...]:
    """The values in order, at most so many of them at even distances, with four digits: enough
    to draw them.
    """
    ranks = np.linspace(0, 1, min(len(values), most))
    return tuple(float(f"{value:.4g}") for value in np.quantile(values, ranks, method="nearest"))
