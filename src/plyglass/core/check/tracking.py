"""Do trackers write only where they may, and do the worlds from `place` match the views?"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from plyglass.core.check.finding import Finding
from plyglass.core.check.walk import CANARY, GUARD, Probe, probes
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes
from plyglass.core.world import View, World

PLACED = 3  # worlds that are placed for each view


def tracking(game: Game, games: int, seed: int) -> Iterator[Finding]:
    """Follow random games with every tracker of each player, and place worlds."""
    for name in game.trackers:
        for probe, choice in probes(game, games, seed):
            followers = [_Follower(game, name, viewer) for viewer in range(game.players)]
            probe.start()
            while True:
                for follower in followers:
                    yield from follower.look(probe)
                player = probe.to_move()
                if player < 0 or len(probe.history) >= game.most_steps:
                    break
                actions = probe.legal()
                probe.step(player, actions[choice.integers(len(actions))])


class _Follower:
    """The numbers that a tracker keeps for one player, in memory between canaries."""

    def __init__(self, game: Game, name: str, viewer: int) -> None:
        self._game, self._name, self._viewer = game, name, viewer
        self._tracker = game.tracker(name)
        self._room: npt.NDArray[np.float64] = np.full(game.most_tracks + 2 * GUARD, float(CANARY))
        self._tracks[:] = 0.0
        self._before: Bytes | None = None

    @property
    def _tracks(self) -> npt.NDArray[np.float64]:
        return self._room[GUARD:-GUARD]

    def look(self, probe: Probe) -> Iterator[Finding]:
        """Update the tracks if the player's view of the position differs from the last one."""
        view = probe.world.hide(self._viewer)
        seen = view.row()
        if self._before is None or (seen != self._before).any():
            yield from self._track(probe, seen if self._before is None else self._before, seen)
            yield from self._place(probe, view)
            self._before = view.row()

    def _track(self, probe: Probe, before: Bytes, seen: Bytes) -> Iterator[Finding]:
        game, rows = self._game, (before.copy(), seen.copy())
        game.verbs.track(
            game.table,
            before.ctypes.data,
            seen.ctypes.data,
            self._viewer,
            self._tracks.ctypes.data,
            self._tracker,
        )
        if not (np.array_equal(before, rows[0]) and np.array_equal(seen, rows[1])):
            yield probe.finding(
                "trackers",
                f"{self._name!r} changed what was seen",
                "let a tracker write to its tracks alone",
            )
        if not (self._room[:GUARD] == CANARY).all() or not (self._room[-GUARD:] == CANARY).all():
            advice = "declare a larger most_tracks, or write fewer numbers, from tracks[0] on"
            yield probe.finding(
                "trackers",
                f"{self._name!r} wrote outside of the {game.most_tracks} numbers declared",
                advice,
            )
        if not np.isfinite(self._tracks).all():
            yield probe.finding(
                "trackers",
                f"{self._name!r} keeps numbers that are infinite or NaN",
                "look for a division by zero",
            )

    def _place(self, probe: Probe, view: View) -> Iterator[Finding]:
        game = self._game
        for number in range(PLACED):
            world = World(game, view.row())
            luck = np.uint64(derive(probe.seed, len(probe.history), self._viewer, number))
            weight = float(
                game.verbs.place(
                    game.table, world.address, self._viewer, self._tracks.ctypes.data, luck
                )
            )
            if not math.isfinite(weight) or weight < 0.0:
                yield probe.finding(
                    "place",
                    f"a world has the weight {weight}",
                    "return a weight, or 0 if there is no such world",
                )
            elif weight > 0.0 and world.hide(self._viewer) != view:
                advice = (
                    "put hidden things only where the viewer does not see them, and change "
                    "nothing else"
                )
                yield probe.finding(
                    "place",
                    f"player {self._viewer} would see another position in the world placed by "
                    f"{self._name!r}",
                    advice,
                )
