"""Random: play uniformly at random, the baseline that every planner must beat.

Needs: only the rules of a game. `Random` uses no budget.

`Random` cannot plan.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.core.game import Game
from plyglass.core.luck import below
from plyglass.core.world import View
from plyglass.search.interface import Budget, Decision, LiveBelief, Search


@dataclass(frozen=True)
class Random:
    """A planner that plays uniformly at random."""

    name: ClassVar[str] = "random"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> RandomSearch:
        return RandomSearch(seed)


class RandomSearch(Search):
    """Random play of one seat in one match."""

    def __init__(self, seed: int) -> None:
        self._stream = np.array([seed], np.uint64)
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        pass

    def decision(self) -> Decision:
        assert self._view is not None
        actions = tuple(self._view.legal())
        return Decision(actions[below(self._stream.ctypes.data, len(actions))], actions)
