"""The cost of each agent's decisions: wall-clock seconds and iterations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.report.run import Run
from plyglass.report.tables import Table


@dataclass(frozen=True)
class Effort:
    """The cost of one agent's decisions in one game.

    Attributes:
        decisions: mean number of decisions per match.
        iterations: mean number of iterations per decision.
        seconds: mean wall-clock seconds per decision, including delays by other programs.
        games: number of matches that ended. All attributes count only these matches.
    """

    agent: str
    game: str
    decisions: float
    iterations: float | None
    seconds: float | None
    games: int


def efforts(settings: Settings, rows: Iterable[MatchRow]) -> list[Effort]:
    """The cost for each game and agent, in the order of the settings, from matches that ended."""
    schedule = Schedule(settings)
    games = defaultdict[tuple[str, str], int](int)
    decisions, iterations, seconds = (defaultdict[tuple[str, str], float](float) for _ in range(3))
    for row in rows:
        if row.finished:
            fixture = schedule[row.number]
            for seat, agent in enumerate(fixture.agents):
                key = settings.games[fixture.game], agent
                games[key] += 1
                decisions[key] += row.measures[f"decisions@{seat}"]
                iterations[key] += row.measures[f"iterations@{seat}"]
                seconds[key] += row.seat_seconds[seat]
    return [
        Effort(
            agent,
            game,
            decisions[key] / count,
            _share(iterations[key], decisions[key]),
            _share(seconds[key], decisions[key]),
            count,
        )
        for game in settings.games
        for agent in settings.agents
        if (count := games[key := (game, agent)])
    ]


def _share(total: float, count: float) -> float | None:
    return total / count if count else None


def effort_table(run: Run) -> Table:
    """The cost of decisions as a table, with the spec of each agent."""
    rows = tuple(
        (
            each.game,
            each.agent,
            run.settings.agents[each.agent],
            None if each.seconds is None else 1000 * each.seconds,
            each.iterations,
            each.decisions,
            each.games,
        )
        for each in efforts(run.settings, run.rows)
    )
    columns = (
        "game",
        "agent",
        "plays",
        "ms_per_decision",
        "iterations_per_decision",
        "decisions_per_match",
        "games",
    )
    note = "Each agent's own decisions, in matches that ended. Milliseconds are wall-clock time."
    return Table(
        "effort",
        "Time and iterations",
        columns,
        rows,
        note,
        digits={"ms_per_decision": 2, "iterations_per_decision": 0},
    )
