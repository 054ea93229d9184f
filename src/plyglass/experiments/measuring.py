"""From the rows of a tournament to the lines of a table. The unit is the pair: the games of one deal are not independent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from plyglass.arena.results import Referee, Result
from plyglass.arena.rows import Row
from plyglass.arena.settings import Settings
from plyglass.experiments.lines import Line
from plyglass.experiments.studies import Measure
from plyglass.stats.pairs import interval_of_means, interval_of_rate


def measured(settings: Settings, rows: Iterable[Row], measures: Sequence[Measure]) -> list[Line]:
    """A line for every measure."""
    results = list(Referee(settings).results(rows))
    return [_line(settings, results, measure) for measure in measures]


def _line(settings: Settings, results: Sequence[Result], measure: Measure) -> Line:
    pairs: dict[int, list[float]] = defaultdict(list)
    for result in results:
        pairs[result.pair] += _values(settings, result, measure)
    values = [each for each in pairs.values() if each]
    if not values:
        raise ValueError(f"No match counts for the row {measure.name!r}: nobody played or measured it, or every match was left out.")
    ours, low, high = interval_of_rate(values) if measure.quantity == "rate" else interval_of_means(values)
    return Line(measure.name, ours, low, high, sum(map(len, values)), measure.document, measure.error)


def _values(settings: Settings, result: Result, measure: Measure) -> list[float]:
    """What a match says about a measure: one value for each seat that it is about, or one for the match."""
    if measure.game not in (None, settings.games[result.game]):
        return []
    seats = [
        seat
        for seat, agent in enumerate(result.agents)
        if measure.agent in (None, agent) and measure.seat in (None, seat + 1)
    ]  # fmt: skip
    if measure.quantity == "measure":
        names = [str(measure.measure)] if measure.measure in result.measures else [f"{measure.measure}@{seat}" for seat in seats]
        return [result.measures[name] for name in names if name in result.measures]
    return [result.points(seat) if measure.quantity == "rate" else result.scores[seat] for seat in seats]
