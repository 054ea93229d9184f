"""Means of a tournament's measures by game and agent, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.measures import ALWAYS, split_name
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.report.run import Run
from plyglass.report.tables import Table
from plyglass.stats.pairs import interval_of_means


@dataclass(frozen=True)
class Measurement:
    """The mean of a measure over matches.

    Attributes:
        measure: the name of the measure.
        game: the game of these matches.
        agent: the agent that is measured. Empty if the measure describes the whole match.
        mean: the mean over matches, equally weighted.
        low, high: the 95 % interval, with the deal as unit. None if all values are equal.
        games: the number of matches with a value of this measure.
    """

    measure: str
    game: str
    agent: str
    mean: float
    low: float | None
    high: float | None
    games: int


def measurements(settings: Settings, rows: Iterable[MatchRow]) -> list[Measurement]:
    """The mean of each measure, for each game and agent."""
    schedule = Schedule(settings)
    found: dict[tuple[str, str, str], dict[int, list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in rows:
        fixture = schedule[row.number]
        for name, value in row.measures.items():
            measure, seat = split_name(name)
            if measure not in ALWAYS:
                agent = "" if seat is None else fixture.agents[seat]
                found[measure, settings.games[fixture.game], agent][fixture.deal].append(value)
    return [
        _measurement(*key, list(found[key].values()))
        for key in sorted(found, key=lambda key: _place(settings, *key))
    ]


def _measurement(measure: str, game: str, agent: str, deals: list[list[float]]) -> Measurement:
    mean, low, high = interval_of_means(deals)
    return Measurement(measure, game, agent, mean, low, high, sum(map(len, deals)))


def _place(settings: Settings, measure: str, game: str, agent: str) -> tuple[str, int, int]:
    """A sort key: measures by name, then games and agents in the order of the settings."""
    agents = ["", *settings.agents]
    return measure, settings.games.index(game), agents.index(agent)


def measurement_table(run: Run) -> Table:
    """All measurements as a table."""
    rows = tuple(tuple(vars(each).values()) for each in measurements(run.settings, run.rows))
    note = (
        "Means over matches, with 95 % intervals by Student's t and the deal as unit. A measure of "
        "the whole match has no agent."
    )
    columns = tuple(Measurement.__dataclass_fields__)
    return Table(
        "measures",
        "Measures",
        columns,
        rows,
        note if rows else "",
        digits=dict.fromkeys(("mean", "low", "high"), 3),
    )
