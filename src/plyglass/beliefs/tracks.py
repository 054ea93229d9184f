"""Tracks: where each hidden thing is, by probabilities that the game itself keeps from view to
view, and worlds drawn from them.

Where a thing may be is worked out instead of sampled, so it cannot run out of samples, however
unlikely what is seen (Murphy and Russell, "Rao-Blackwellised particle filtering", 2001). The worlds
are joint: importance samples in which things are not in each other's way.

Needs: a game with a rule `place` and trackers.
Cannot: know that two hidden things depend on each other, other than by what the game's `place` sees
to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.beliefs.cloud import Cloud, CloudBelief, add_world, add_worlds, pool_for
from plyglass.beliefs.fresh import imagine_rows
from plyglass.beliefs.propagation import RANDOM
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.state import Bytes, rows
from plyglass.core.verbs import copy_state, place, track
from plyglass.core.world import View

PATIENCE = 4  # times the worlds that are kept: so many are tried


@kernel
def place_worlds(table, view, world, viewer, tracks, stream, pool, count):
    """Collect `count` worlds by the tracks, of so many more tries at most; returns how many were
    found.
    """
    found = 0
    for _ in range(PATIENCE * count):
        copy_state(table, address_of(world), address_of(view))
        weight = place(
            table, address_of(world), viewer, address_of(tracks), next_word(address_of(stream))
        )
        if weight > 0.0:
            add_world(table, pool, address_of(world), weight)
            found += 1
        if found == count:
            break
    return found


@dataclass(frozen=True)
class Tracks:
    """Worlds drawn from where each hidden thing may be, as the game keeps track of it.

    Attributes:
        worlds: how many are drawn for every thing that is seen.
        others: how the other players are taken to act: a tracker of the game by its name.
    """

    worlds: int = 300
    others: str = RANDOM

    name: ClassVar[str] = "tracks"
    cheats: ClassVar[bool] = False
    audited: ClassVar[str] = "worlds=20"

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(f"Tracks give at least one world, not {self.worlds}.")

    def begin(self, game: Game, seat: int, seed: int) -> LiveTracks:
        if not game.trackers:
            raise ValueError(
                f"{game.name} keeps no track of what is hidden; use particles instead of tracks."
            )
        return LiveTracks(self, game, seat, seed)


class LiveTracks(CloudBelief):
    """A `Tracks` belief of one seat in one match. Tracks are kept as things are seen, worlds
    drawn when they are asked for.
    """

    def __init__(self, belief: Tracks, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._stream = np.array([seed], np.uint64)
        self._luck = np.zeros(
            1, np.uint64
        )  # of each view by itself, so that it does not matter which of them worlds are asked of
        self._worlds, self._tracker = belief.worlds, game.tracker(belief.others)
        self._tracks, self._pool, self._world = (
            np.zeros(game.most_tracks),
            pool_for(game, belief.worlds),
            rows(1, game.state)[0],
        )
        self._view: Bytes | None = None
        self._drawn: Cloud | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        seen = view.row()
        before = seen if self._view is None else self._view
        self._refilled += track(
            self.game.table, before.ctypes.data, seen.ctypes.data, self.seat,
            self._tracks.ctypes.data, self._tracker
        )  # fmt: skip
        self._view, self._drawn = seen, None
        self._luck[0] = next_word(self._stream.ctypes.data)

    @property
    def _cloud(self) -> Cloud:
        """Worlds by the tracks; where no two of these go together, one that the game imagines."""
        if self._view is None:
            raise RuntimeError(
                "A belief is asked for worlds before its seat has seen anything; call observe "
                "first."
            )
        if self._drawn is None:
            found = place_worlds(
                self.game.table, self._view, self._world, self.seat, self._tracks, self._luck,
                self._pool, self._worlds
            )  # fmt: skip
            if not found:
                self._refilled += 1
                imagine_rows(self.game.table, self._view, self.seat, self._world[None], self._luck)
                add_worlds(self.game.table, self._pool, self._world[None], np.ones(1))
            self._drawn = Cloud.of(self._pool, max(1, found))
        return self._drawn
