"""Tracks: a belief that draws worlds from the game's own estimates of where hidden things are.

Tracks are the numbers that a game's tracker keeps about hidden things, such as the probability of
each location. These numbers are computed, not sampled. So the belief cannot run out of samples,
however unlikely the view is (Murphy and Russell, "Rao-Blackwellised particle filtering", 2001).
Worlds are importance samples of the joint distribution of all hidden things. In each world, no
hidden thing blocks another.

Needs: a game with a rule `place` and trackers.

`Tracks` cannot know that two hidden things depend on each other, unless `place` takes the
dependence into account.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.beliefs.cloud import Cloud, CloudBelief, add_world, add_worlds, pool_for
from plyglass.beliefs.fresh import imagine_rows
from plyglass.beliefs.prior import LEAST
from plyglass.beliefs.propagation import RANDOM
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.state import Bytes, new_states
from plyglass.core.verbs import copy_state, place, track
from plyglass.core.world import View
from plyglass.search.clock import late

PATIENCE = 4  # the most tries for each world to keep


@kernel
def place_worlds(table, view, world, viewer, tracks, stream, pool, count, clock):
    """Draw up to `count` worlds from the tracks, with limited tries; return the number of worlds.

    Even if the time is over, the function makes a few tries.
    """
    found = 0
    for tried in range(PATIENCE * count):
        copy_state(table, address_of(world), address_of(view))
        weight = place(
            table, address_of(world), viewer, address_of(tracks), next_word(address_of(stream))
        )
        if weight > 0.0:
            add_world(table, pool, address_of(world), weight)
            found += 1
        if found == count or (late(clock) and tried >= LEAST):
            break
    return found


@dataclass(frozen=True)
class Tracks:
    """A belief that draws worlds from the game's own tracks of hidden things.

    Attributes:
        worlds: the number of worlds to draw for every new view.
        others: how other players are assumed to act: the name of a tracker of the game.
    """

    worlds: int = 300
    others: str = RANDOM

    name: ClassVar[str] = "tracks"
    cheats: ClassVar[bool] = False
    audited: ClassVar[str] = "worlds=20"

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(f"worlds={self.worlds} is not possible; tracks need 1 or more worlds.")

    def begin(self, game: Game, seat: int, seed: int) -> LiveTracks:
        if not game.trackers:
            raise ValueError(
                f"{game.name} keeps no track of what is hidden; use particles instead of tracks."
            )
        return LiveTracks(self, game, seat, seed)


class LiveTracks(CloudBelief):
    """A `Tracks` belief of one seat in one match.

    Every view updates the tracks; worlds are drawn when a planner asks for them.
    """

    def __init__(self, belief: Tracks, game: Game, seat: int, seed: int) -> None:
        super().__init__(game, seat)
        self._stream = np.array([seed], np.uint64)
        # A new seed for each view, so worlds do not depend on the views at which a planner asks.
        self._luck = np.zeros(1, np.uint64)
        self._belief, self._tracker = belief, game.tracker(belief.others)
        self._tracks, self._pool = np.zeros(game.most_tracks), pool_for(game, belief.worlds)
        self._world = new_states(1, game.state)[0]
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

    def fork(self) -> LiveTracks:
        twin = LiveTracks(self._belief, self.game, self.seat, int(self._stream[0]))
        twin._luck[:], twin._tracks[:] = self._luck, self._tracks
        twin._view, twin._drawn, twin._refilled = self._view, self._drawn, self._refilled
        return twin

    @property
    def _cloud(self) -> Cloud:
        """Return worlds drawn from the tracks, or one imagined world if none can be placed."""
        if self._view is None:
            raise RuntimeError(
                "A belief has no worlds before its seat has seen anything; call observe first."
            )
        if self._drawn is None:
            found = place_worlds(
                self.game.table, self._view, self._world, self.seat, self._tracks, self._luck,
                self._pool, self._belief.worlds, self.clock.belief
            )  # fmt: skip
            if not found:
                self._refilled += 1
                imagine_rows(self.game.table, self._view, self.seat, self._world[None], self._luck)
                add_worlds(self.game.table, self._pool, self._world[None], np.ones(1))
            self._drawn = Cloud.of(self._pool, max(1, found))
        return self._drawn
