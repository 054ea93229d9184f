"""How the matches went: who gained by his seat, how long they took, what they cost, and what went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from plyglass.arena.rows import Row
from plyglass.report.run import Run
from plyglass.report.tables import Cell, Table
from plyglass.stats.intervals import wilson


def seat_table(run: Run) -> Table:
    """What the first seat scored in each game: everybody sits there as often as elsewhere, so strength drops out."""
    rows = []
    for game in run.contests:
        results = [result for result in run.results if result.game == game]
        if results:
            points = sum(result.points(0) for result in results)
            rows.append((run.settings.games[game], points / len(results), *wilson(points, len(results)), len(results)))
    note = "Points of the first seat for each match, a draw a half, with the 95 % Wilson interval."
    columns = ("game", "rate", "low", "high", "games")
    return Table("seats", "Advantage of the first seat", columns, tuple(rows), note, frozenset(("rate", "low", "high")))


def lengths(run: Run) -> dict[str, list[int]]:
    """The number of actions of every match that was played to its end, by game."""
    return {text: [row.steps for row in _played(run, game)] for game, text in enumerate(run.settings.games) if _played(run, game)}


def length_table(run: Run) -> Table:
    """Mean, quartiles and extremes of the length of matches."""
    rows: list[tuple[Cell, ...]] = []
    for game, steps in lengths(run).items():
        low, middle, high = (float(value) for value in np.quantile(steps, (0.25, 0.5, 0.75)))
        rows.append((game, sum(steps) / len(steps), min(steps), low, middle, high, max(steps), len(steps)))
    columns = ("game", "mean", "least", "quartile_1", "median", "quartile_3", "most", "games")
    return Table(
        "lengths", "Length of matches", columns, tuple(rows), "In actions of all seats; only matches that were played to their end."
    )


def effort_table(run: Run) -> Table:
    """What matches cost, by game and agent."""
    rows = tuple(
        (text, agent, spec, *_effort(own))
        for game, text in enumerate(run.settings.games)
        for agent, spec in run.settings.agents.items()
        if (own := [row for row in _played(run, game) if agent in run.fixtures[row.number].agents])
    )
    note = (
        "A row knows its match as a whole: seconds, iterations and decisions are those of all seats in the matches that the agent took "
        "part in, opponents' included. What it plays with, its budget included, is its own."
    )
    columns = ("game", "agent", "plays", "cpu_seconds_of_match", "match_cpu_ms_per_decision", "match_iterations_per_decision", "games")
    digits = {"cpu_seconds_of_match": 3, "match_cpu_ms_per_decision": 2, "match_iterations_per_decision": 0}
    return Table("effort", "Time and iterations", columns, rows, note, digits=digits)


def fault_table(run: Run) -> Table:
    """Matches that were not played to their end, by whom and why; an empty agent is nobody known."""
    found: Counter[tuple[str, str, str]] = Counter()
    for row in run.rows:
        if row.status != "played":
            fixture = run.fixtures[row.number]
            found[run.settings.games[fixture.game], fixture.agents[row.offender] if row.offender >= 0 else "", row.status] += 1
    note = "None: every match was played to its end." if not found else _policy(run)
    rows = tuple((*key, count) for key, count in sorted(found.items()))
    return Table("faults", "Faults", ("game", "agent", "status", "games"), rows, note)


def _policy(run: Run) -> str:
    worth = "lost for the offender" if run.settings.on_fault == "forfeit" else "left out of all rates"
    return f"Each is {worth}; where nobody is known to blame, it is left out."


def _effort(rows: Iterable[Row]) -> tuple[float, float | None, float | None, int]:
    """(seconds a match, milliseconds a decision, iterations a decision, matches)."""
    kept = list(rows)
    seconds, decisions = sum(row.seconds for row in kept), sum(row.measures.get("decisions", 0.0) for row in kept)
    iterations = sum(row.measures.get("iterations", 0.0) for row in kept)
    if not decisions:
        return seconds / len(kept), None, None, len(kept)
    return seconds / len(kept), 1000 * seconds / decisions, iterations / decisions, len(kept)


def _played(run: Run, game: int) -> list[Row]:
    return [row for row in run.rows if row.status == "played" and run.fixtures[row.number].game == game]
