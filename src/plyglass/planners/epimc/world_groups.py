"""This module plays an action, or looks ahead, in all worlds of a group with one call.

A group is a set of worlds that look alike to the player to move. In every world, each player has a
memory of everything that this player would see in a match. Once a player has distinguished two
worlds, these worlds stay in different groups for this player.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of, borrow
from plyglass.core.state import Bytes, new_states
from plyglass.core.table import SIZE
from plyglass.core.verbs import copy_state, legal, step, to_move
from plyglass.search.expectimax.frames import Terms
from plyglass.search.expectimax.lookahead import Lookahead, Results, begin, look_ahead
from plyglass.search.expectimax.transition import judge_leaf, take_stock
from plyglass.search.information_sets.nodes import Memory, begin_memory, remember

Group = npt.NDArray[np.int64]  # indices of worlds
NO_WORLD: Group = np.zeros(0, np.int64)


class Level(NamedTuple):
    """The worlds after a given number of actions, one world per row.

    A row is valid only if its world was in the group that was last played to this level.

    Attributes:
        states: (worlds, bytes of a state).
        movers: (worlds,): the player to move, or -1.
        memories: (worlds, players) of `Memory`: what each player has seen.
        sights: (worlds,): a hash of all that the mover has seen.
        earned: (worlds, width): the rewards of the action that led to this level, if the game
            discounts rewards.
        values: (worlds, width): the values of each world.
    """

    states: Bytes
    movers: npt.NDArray[np.int64]
    memories: Any
    sights: npt.NDArray[np.uint64]
    earned: Results
    values: Results


class LookSpace(NamedTuple):
    """The arrays of a look-ahead, as described in `expectimax.frames.Frames`."""

    look: Any
    frames: Any
    keys: npt.NDArray[np.uint64]
    known: npt.NDArray[np.float64]
    results: Results


@kernel
def borrow_level(level):
    """Return the level with arrays that Numba does not reference-count."""
    return Level(
        borrow(level.states),
        borrow(level.movers),
        borrow(level.memories),
        borrow(level.sights),
        borrow(level.earned),
        borrow(level.values),
    )


@kernel
def borrow_look_space(space):
    """Return the space with arrays that Numba does not reference-count."""
    return LookSpace(
        borrow(space.look),
        borrow(space.frames),
        borrow(space.keys),
        borrow(space.known),
        borrow(space.results),
    )


@kernel
def begin_worlds(table, level):
    """Store the player to move in each world, and what each player sees there."""
    for world in range(len(level.movers)):
        s = state_in(table, level, world)
        level.movers[world] = to_move(table, s)
        for player in range(level.memories.shape[1]):
            memory = level.memories[world, player]
            begin_memory(table, s, player, memory, np.uint64(0))
            memory.history = memory.seen


@kernel
def step_worlds(table, space, here, there, group, done, action, most):
    """Play an action in up to `most` more worlds of the group; return the number of worlds."""
    table, space, group, done = borrow(table), borrow_look_space(space), borrow(group), borrow(done)
    here, there = borrow_level(here), borrow_level(there)
    count = min(most, len(group) - done[0])
    for at in range(done[0], done[0] + count):
        step_world(table, space.look[0], space.frames[0], here, there, group[at], action)
    done[0] += count
    return count


@kernel
def step_world(table, look, root, here, there, world, action):
    """Play an action in a world, show all players the result, and judge a finished game."""
    s, player = state_in(table, there, world), here.movers[world]
    copy_state(table, s, state_in(table, here, world))
    take_stock(table, look, root, s, -1.0)
    mover = step(table, s, player, action)
    take_stock(table, look, root, s, 1.0)
    there.movers[world] = mover
    for i in range(look.width):
        there.earned[world, i] = root.earned[i]
    if mover < 0:
        judge_end(table, look, root, there, world)
        return
    for viewer in range(here.memories.shape[1]):
        before, after = here.memories[world, viewer], there.memories[world, viewer]
        after.history, after.seen = before.history, before.seen
        remember(table, s, viewer, after, player, action)
    there.sights[world] = there.memories[world, mover].history


@kernel
def judge_end(table, look, root, level, world):
    """Store the value of a world in which the game is over."""
    copy_state(table, root.state, state_in(table, level, world))
    root.player = -1
    judge_leaf(table, look, root)
    for i in range(look.width):
        level.values[world, i] = look.values[i]


@kernel
def look_in_worlds(table, space, level, group, done, depth, found, most):
    """Look ahead in the worlds of the group, one after the other, for up to `most` positions.

    Returns the number of positions reached. The values of the root actions in each world are
    written to `found`.
    """
    table, space, level = borrow(table), borrow_look_space(space), borrow_level(level)
    group, done, found = borrow(group), borrow(done), borrow(found)
    look, frames, results = space.look, space.frames, space.results
    reached = 0
    while done[0] < len(group):
        world = group[done[0]]
        if look[0].level < 0:
            copy_state(table, frames[0].state, state_in(table, level, world))
            begin(table, look, frames, depth, -1)
            for action in range(frames[0].count):
                results[action, 0] = look[0].high
        reached += look_ahead(table, look, frames, space.keys, space.known, results, most - reached)
        if look[0].level >= 0:
            break
        for action in range(frames[0].count):
            for i in range(look[0].width):
                found[world, action, i] = results[action, i]
        done[0] += 1
    return reached


@kernel
def state_in(table, level, world):
    """Return the address of a world's state."""
    return address_of(level.states) + world * table[SIZE]


class GroupLookahead(Lookahead):
    """A look-ahead that searches all worlds of a group, or plays an action in all of them.

    The look-ahead can stop anywhere and continue later.
    """

    def __init__(self, game: Game, seat: int, terms: Terms) -> None:
        super().__init__(game, seat, terms)
        m = self._memory
        self._space = LookSpace(m.look, m.frames, m.keys, m.known, m.results)
        self._seat, self._alone = seat, terms.pruning != "none"
        self._room, self._actions = new_states(1, game.state), np.zeros(game.most_actions, np.int32)
        self._group, self._done = NO_WORLD, np.zeros(1, np.int64)
        self._action: int | None = None
        self._place = self._depth = 0

    def hold(self, worlds: Sequence[Bytes], levels: int) -> None:
        """Allocate levels that hold the worlds after 0, 1, ... actions, and begin at level 0.

        Searching no world loads the kernels, so no later decision has to load them.
        """
        width = self._memory.results.shape[1]
        self.levels = [self._level_for(len(worlds), width) for _ in range(levels)]
        self.levels[0].states[:] = worlds
        begin_worlds(self._game.table, self.levels[0])
        self._found = np.zeros((len(worlds), self._game.most_actions, width))
        self._group, self._done[0] = NO_WORLD, 0
        self._step(self.levels[0], self.levels[0], 0, 0)
        self._look_ahead(self.levels[0], 0)

    def begin(
        self, world: Bytes, depth: int, only: int | None = None, ceilings: Results | None = None
    ) -> None:
        self._group = self._group[:0]
        super().begin(world, depth, only, ceilings)

    def begin_step(self, level: int, group: Group, action: int) -> None:
        """Begin to play an action in the worlds of a group; the results go to the next level."""
        self._group, self._done[0], self._place, self._action = group, 0, level, action

    def begin_look(self, level: int, group: Group, depth: int) -> None:
        """Begin to look ahead in the worlds of a group."""
        self._group, self._done[0], self._place, self._action = group, 0, level, None
        self._depth, self._level[0] = depth, -1

    def run(self, most: int) -> int:
        if len(self._group) == 0:
            return super().run(most)
        here = self.levels[self._place]
        if self._action is None:
            return self._look_ahead(here, most)
        return self._step(here, self.levels[self._place + 1], self._action, most)

    def _look_ahead(self, level: Level, most: int) -> int:
        table, space, group, done = self._game.table, self._space, self._group, self._done
        return int(look_in_worlds(table, space, level, group, done, self._depth, self._found, most))

    def _step(self, here: Level, there: Level, action: int, most: int) -> int:
        table, space, group, done = self._game.table, self._space, self._group, self._done
        return int(step_worlds(table, space, here, there, group, done, action, most))

    @property
    def over(self) -> bool:
        return bool(self._done[0] == len(self._group)) if len(self._group) else super().over

    def found(self) -> Results:
        """Return the values (worlds, actions, width) that the last look-ahead found."""
        return self._found[self._group, : int(self._memory.frames["count"][0])]

    def legal(self, level: int, group: Group) -> list[int]:
        """Return the mover's legal actions, which are the same in all worlds of a group."""
        state = self.levels[level].states[group[0]].ctypes.data
        count = int(legal(self._game.table, state, self._actions.ctypes.data))
        return [int(action) for action in self._actions[:count]]

    def aim(self, player: int) -> tuple[int, float]:
        """Return (the index of a player's value, 1 if the player maximises it or else -1)."""
        if not self._alone:
            return player, 1.0
        return 0, 1.0 if player == self._seat or self._game.cooperative else -1.0

    def _level_for(self, worlds: int, width: int) -> Level:
        memories: Any = np.zeros((worlds, self._game.players), Memory).view(np.recarray)
        memories["room"] = self._room.ctypes.data
        return Level(
            states=new_states(worlds, self._game.state),
            movers=np.zeros(worlds, np.int64),
            memories=memories,
            sights=np.zeros(worlds, np.uint64),
            earned=np.zeros((worlds, width)),
            values=np.zeros((worlds, width)),
        )


def groups_in(level: Level, worlds: Group) -> Iterator[tuple[int, Group]]:
    """Yield (player to move, worlds that look alike to that player) for all unfinished worlds."""
    alike: dict[tuple[int, int], list[int]] = {}
    for world, mover, sight in zip(
        worlds.tolist(), level.movers[worlds].tolist(), level.sights[worlds].tolist(), strict=True
    ):
        if mover >= 0:
            alike.setdefault((mover, sight), []).append(world)
    return ((mover, np.array(group)) for (mover, _), group in alike.items())
