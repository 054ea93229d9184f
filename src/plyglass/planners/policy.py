"""Policy: follow a policy of the game, without any search.

Papers use such policies as baselines, and games provide them as opponents.

Needs: a game with policies; `plyglass games NAME` lists them.

`Policy` cannot look ahead. The policy sees a world sampled from the belief, so it acts on a guess
of the hidden part.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.world import View
from plyglass.search.interface import Budget, Decision, LiveBelief, Search


@dataclass(frozen=True)
class Policy:
    """A planner that follows a policy of the game.

    Attributes:
        policy: the name of the policy; "" is the game's first policy.
    """

    policy: str = ""

    name: ClassVar[str] = "policy"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> PolicySearch:
        chosen = self.policy or next(iter(game.policies), "")
        return PolicySearch(game, belief, game.policy(chosen), seed)


class PolicySearch(Search):
    """The play of one seat in one match by a policy."""

    def __init__(self, game: Game, belief: LiveBelief, policy: int, seed: int) -> None:
        self._game, self._belief, self._policy = game, belief, policy
        self._stream = np.array([derive(seed, 0)], np.uint64)
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._view = view

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        pass

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        world = new_states(1, self._game.state)
        self._belief.sample(world)
        chosen = self._game.verbs.choose(
            self._game.table, world.ctypes.data, self._stream.ctypes.data, self._policy
        )
        return Decision(int(chosen), tuple(self._view.legal()))
