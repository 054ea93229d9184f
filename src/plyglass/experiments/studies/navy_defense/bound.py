"""A lower bound of what any honest captain pays, beside what the recorded captains pay."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from plyglass.arena.audit.bound import bound
from plyglass.core.seeds import derive
from plyglass.experiments.results import RowResult
from plyglass.games.navy import Navy
from plyglass.stats.intervals import mean_interval

STARTS, WORLDS = 100, 3000
HONEST, HORIZON = 7, 8
SEED = 3401


def least_costs(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Return the bound for each number of honest actions; each start is kept in the folder."""
    del runner, workers
    starts = [_start(number, folder) for number in range(max(2, round(scale * STARTS)))]
    return [
        RowResult(f"honest for {honest} actions", *mean_interval(costs), len(costs))
        for honest, costs in enumerate(zip(*starts, strict=True))
    ]


def _start(number: int, folder: Path) -> list[float]:
    """Return the cost for each number of honest actions, from one start."""
    file = folder / f"start-{number}-{WORLDS}.json"
    if not file.exists():
        found = bound(
            Navy(size=7, cargo=4),
            honest=HONEST,
            horizon=HORIZON,
            falling=True,
            worlds=WORLDS,
            starts=1,
            seed=derive(SEED, number),
        )
        file.write_text(json.dumps([-value for (value,) in found.values]), encoding="utf-8")
    costs: list[float] = json.loads(file.read_text(encoding="utf-8"))
    return costs
