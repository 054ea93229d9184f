"""Find the number of positions of a game before enumerating them.

Positions are counted by history: a position that is reached in two ways counts twice. Equal worlds
at the same depth have the same future. So the count visits each different world only once, with the
number of ways that lead to this world. If there are too many different worlds, the size is
estimated from random games (Knuth 1975).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.tape import deals, outcomes
from plyglass.core.world import World

MOST_WORLDS = 20_000  # different worlds that are counted
MOST_DEALS = 20_000  # deals that are examined for an estimate
GAMES = 60  # random games for an estimate


@dataclass(frozen=True)
class TreeSize:
    """The number of positions of a game, counted or estimated."""

    positions: float
    counted: bool

    def __str__(self) -> str:
        return f"{self.positions:,.0f}" if self.counted else f"about {self.positions:.1e}"


def tree_size(game: Game, seed: int = 0) -> TreeSize:
    """Return the number of positions; the deal counts as a position."""
    counted = _counted(game)
    if counted is not None:
        return TreeSize(counted, counted=True)
    return TreeSize(_estimated(game, seed), counted=False)


def _counted(game: Game) -> int | None:
    """Return the number of positions, or None if there are too many different worlds."""
    total, seen = 1, 0
    layer: dict[World, int] = defaultdict(int)
    for _, world in islice(deals(game), MOST_WORLDS + 1):
        layer[world] += 1
    if sum(layer.values()) > MOST_WORLDS:
        return None
    while layer:
        total += sum(layer.values())
        following: dict[World, int] = defaultdict(int)
        for world, ways in layer.items():
            seen += 1
            if seen > MOST_WORLDS:
                return None
            for action in world.legal():
                for _, after in outcomes(world, action):
                    following[after] += ways
        layer = following
    return total


def _estimated(game: Game, seed: int) -> float:
    """Estimate the number of positions from the branching factors in random games."""
    choice = np.random.default_rng(derive(seed))
    first = [world for _, world in islice(deals(game), MOST_DEALS)]
    totals = []
    for _ in range(GAMES):
        world, ways, total = first[choice.integers(len(first))], float(len(first)), 1.0
        while True:
            total += ways
            branches = [after for action in world.legal() for _, after in outcomes(world, action)]
            if not branches:
                break
            world, ways = branches[choice.integers(len(branches))], ways * len(branches)
        totals.append(total)
    return float(np.mean(totals))
