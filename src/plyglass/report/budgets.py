"""Strength by budget, for agents whose specs differ only in the number of iterations."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from plyglass.report.run import Run
from plyglass.report.strength import ratings, scopes
from plyglass.report.tables import Table

ITERATIONS = re.compile(r"(?<=[:,])\s*iterations\s*=\s*(\d+)\s*(?:,|$)")


@dataclass(frozen=True)
class Point:
    """The rating of a planner with one budget."""

    iterations: int
    agent: str
    elo: float
    low: float | None
    high: float | None
    games: int


@dataclass(frozen=True)
class Series:
    """The ratings of one planner in one game, from the smallest budget to the largest."""

    planner: str
    game: str
    points: tuple[Point, ...]


def budget_series(run: Run) -> dict[str, list[Series]]:
    """For each planner with several budgets, its series in each game."""
    found: dict[str, list[Series]] = defaultdict(list)
    for planner, agents in _families(run).items():
        for label, game in scopes(run):
            if rated := ratings(run, game):
                known = [
                    (budget, rated[agent])
                    for budget, agent in agents
                    if any(each.agent == agent for each in rated.ratings)
                ]
                points = tuple(
                    Point(budget, each.agent, each.elo, each.low, each.high, each.games)
                    for budget, each in known
                )
                found[planner].append(Series(planner, label, points))
    return dict(found)


def budget_table(run: Run) -> Table:
    """Strength by budget, as a table."""
    rows = tuple(
        (series.game, planner, point.iterations, point.elo, point.low, point.high, point.games)
        for planner, all_series in budget_series(run).items()
        for series in all_series
        for point in series.points
    )
    columns = ("game", "planner", "iterations", "elo", "low", "high", "games")
    return Table(
        "budgets",
        "Strength by budget",
        columns,
        rows,
        digits=dict.fromkeys(("elo", "low", "high"), 0),
    )


def _families(run: Run) -> dict[str, list[tuple[int, str]]]:
    """Groups of agents that differ only in iterations, as (iterations, agent) in rising order."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for agent, text in run.settings.agents.items():
        if match := ITERATIONS.search(text):
            rest = (text[: match.start()] + text[match.end() :]).strip(",: ")
            found[rest].append((int(match[1]), agent))
    return {
        rest: sorted(each)
        for rest, each in found.items()
        if len({budget for budget, _ in each}) > 1
    }
