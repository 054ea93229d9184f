"""Random: a legal action, each with the same probability. The floor that every planner must
stand above.
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
    """Plays uniformly at random. Needs nothing of a game and uses no budget."""

    name: ClassVar[str] = "random"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> RandomSearch:
        return RandomSearch(seed)


class RandomSearch(Search):
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
