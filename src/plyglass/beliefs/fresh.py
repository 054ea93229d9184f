"""Fresh: imagine worlds from the present view alone, without memory of earlier views.

McKenney 2023a calls this belief Paranoid.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of, copy_bytes
from plyglass.core.state import Bytes
from plyglass.core.verbs import imagine
from plyglass.core.world import View
from plyglass.search.interface import LiveBelief


@kernel
def imagine_rows(table, view, viewer, worlds, stream):
    """Fill every row of `worlds` with a world imagined from `view`."""
    for i in range(worlds.shape[0]):
        world = address_of(worlds) + i * worlds.shape[1]
        copy_bytes(world, address_of(view), worlds.shape[1])
        imagine(table, world, viewer, next_word(address_of(stream)))


@dataclass(frozen=True)
class Fresh:
    """A belief that samples worlds from the present view by the game's rule `imagine`."""

    name: ClassVar[str] = "fresh"
    cheats: ClassVar[bool] = False

    def begin(self, game: Game, seat: int, seed: int) -> LiveFresh:
        return LiveFresh(game, seat, seed)


class LiveFresh(LiveBelief):
    """A `Fresh` belief of one seat in one match."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._stream = np.array([seed], np.uint64)
        self._view: Bytes | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._view = view.row()

    def fork(self) -> LiveFresh:
        twin = LiveFresh(self.game, self.seat, int(self._stream[0]))
        twin._view = self._view
        return twin

    def sample(self, worlds: Bytes) -> None:
        if self._view is None:
            raise RuntimeError(
                "A belief has no worlds before its seat has seen anything; call observe first."
            )
        imagine_rows(self.game.table, self._view, self.seat, worlds, self._stream)
