"""Tables about the course of matches: the first seat's advantage, lengths, and faults."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.report.run import Run
from plyglass.report.tables import Cell, Table
from plyglass.stats.pairs import interval_of_rate


def seat_table(run: Run) -> Table:
    """The points of the first seat in each game.

    All agents have the first seat equally often, so their strengths cancel out.
    """
    rows = []
    for game in run.contests:
        results = [result for result in run.results if result.game == game]
        if results:
            deals: dict[int, list[float]] = defaultdict(list)
            for result in results:
                deals[run.fixtures[result.number].deal].append(result.points(0))
            rows.append((run.settings.games[game], *interval_of_rate(deals.values()), len(results)))
    note = (
        "Points of the first seat per match; a draw is a half. The 95 % interval is Wilson's, "
        "with the deal as unit."
    )
    columns = ("game", "rate", "low", "high", "games")
    return Table(
        "seats",
        "Advantage of the first seat",
        columns,
        tuple(rows),
        note,
        frozenset(("rate", "low", "high")),
    )


def lengths(run: Run) -> dict[str, list[int]]:
    """The number of actions of every match that ended, by game."""
    return {
        text: [row.steps for row in _played(run, game)]
        for game, text in enumerate(run.settings.games)
        if _played(run, game)
    }


def length_table(run: Run) -> Table:
    """Mean, quartiles and extremes of the length of matches."""
    rows: list[tuple[Cell, ...]] = []
    for game, steps in lengths(run).items():
        low, middle, high = (float(value) for value in np.quantile(steps, (0.25, 0.5, 0.75)))
        rows.append(
            (game, sum(steps) / len(steps), min(steps), low, middle, high, max(steps), len(steps))
        )
    columns = ("game", "mean", "least", "quartile_1", "median", "quartile_3", "most", "games")
    return Table(
        "lengths",
        "Length of matches",
        columns,
        tuple(rows),
        "In actions of all seats; only matches that ended.",
    )


def fault_table(run: Run) -> Table:
    """The number of matches with a fault, by agent and status.

    If the agent at fault is unknown, its cell is empty.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    for row in run.rows:
        if row.status != "played":
            fixture = run.fixtures[row.number]
            found[
                run.settings.games[fixture.game],
                fixture.agents[row.offender] if row.offender >= 0 else "",
                row.status,
            ] += 1
    note = (
        _policies(run, {key[2] for key in found})
        if found
        else "None: every match ended, and no agent exceeded its time."
    )
    rows = tuple((*key, count) for key, count in sorted(found.items()))
    return Table("faults", "Faults", ("game", "agent", "status", "games"), rows, note)


WORTH = {
    "forfeit": "lost for the offender",
    "exclude": "left out of all rates",
    "count": "counted as played",
}


def _policies(run: Run, statuses: set[str]) -> str:
    """A note that tells readers how matches with these faults count."""
    told = []
    if statuses - {"overran"}:
        told.append(
            f"Each is {WORTH[run.settings.on_fault]}, or left out if the offender is unknown."
        )
    if "overran" in statuses:
        late = f"more than {run.settings.overrun_seconds:g} s over its time budget"
        told.append(f"A match that an agent overran ({late}) is {WORTH[run.settings.on_overrun]}.")
    return " ".join(told)


def _played(run: Run, game: int) -> list[MatchRow]:
    return [row for row in run.rows if row.finished and run.fixtures[row.number].game == game]
