"""Truth: a belief that knows the true world; records, tables and reports mark it as cheating.

A comparison with `Truth` shows how much a planner loses because it cannot see everything. `Truth`
also serves to test planners without the noise of a belief.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.state import Bytes
from plyglass.core.table import SIZE
from plyglass.core.verbs import change_luck, copy_state
from plyglass.core.world import View, World
from plyglass.search.interface import LiveBelief


@kernel
def copy_rows(table, world, worlds, stream, known):
    """Fill every row with a copy of one world, with new random seeds unless chance is known."""
    for row in range(worlds.shape[0]):
        target = address_of(worlds) + row * table[SIZE]
        copy_state(table, target, address_of(world))
        if not known:
            change_luck(target, next_word(address_of(stream)))


@dataclass(frozen=True)
class Truth:
    """A belief that cheats: the match runner reveals the true world to it.

    Attributes:
        luck: whether the belief also knows the results of all later random draws.
    """

    luck: bool = False

    name: ClassVar[str] = "truth"
    cheats: ClassVar[bool] = True

    def begin(self, game: Game, seat: int, seed: int) -> LiveTruth:
        return LiveTruth(game, seat, seed, luck=self.luck)


class LiveTruth(LiveBelief):
    """A `Truth` belief of one seat in one match."""

    def __init__(self, game: Game, seat: int, seed: int, *, luck: bool = False) -> None:
        super().__init__(game, seat)
        self._luck = luck
        self._stream = np.array([seed], np.uint64)
        self._world: Bytes | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        """Ignore the view, because the truth already contains everything in it."""

    def reveal(self, world: World) -> None:
        self._world = world.row()

    def sample(self, worlds: Bytes) -> None:
        if self._world is None:
            raise RuntimeError(
                "The truth was not revealed. Only the match runner reveals it, to agents that are "
                "marked as cheating; play a match with such an agent."
            )
        copy_rows(self.game.table, self._world, worlds, self._stream, self._luck)
