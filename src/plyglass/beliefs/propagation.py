"""Propagation: continue an imagined world until the seat sees something new in this world.

In a match, a seat gets its view after its own action, and whenever the view changes. Unseen actions
by others reveal nothing, not even their number. So an imagined world is continued until the seat
acts or its view changes. A model chooses the actions of the other players. The new view is then
compared with the view in the match.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, next_word
from plyglass.core.memory import read_action, read_int, read_word
from plyglass.core.state import Bytes, new_states
from plyglass.core.table import SIZE
from plyglass.core.verbs import (
    HEADER_WORDS,
    change_luck,
    choose,
    copy_state,
    hide,
    legal,
    luck_drawn,
    step,
    to_move,
)
from plyglass.search.clock import Clock

RANDOM = "random"
NOBODY_SAW = -1  # instead of the seat's own action: another player acted
LOST, FOUND = 0, 1  # whether a world reached the view in the match

Sight = np.dtype(
    [
        ("viewer", np.int64),  # the seat
        # addresses
        ("before", np.int64),  # the view that the seat had
        ("after", np.int64),  # the view that the seat has now
        ("world", np.int64),  # the world that is continued
        ("seen", np.int64),  # room for what the seat sees of this world
        ("actions", np.int64),  # room for the legal actions of one decision
        ("stream", np.int64),  # the belief's own random numbers
        ("policy", np.int64),  # the policy that others follow, or 0 for random play
        ("clock", np.int64),  # the belief's clock
        # the game
        ("most_steps", np.int64),
    ],
    align=True,
)


@kernel
def follow(table, sight, own_action):
    """Continue the world to the seat's next view; return FOUND if that is the view in the match."""
    for _ in range(sight.most_steps):
        player = to_move(table, sight.world)
        if player < 0:
            return LOST
        if player == sight.viewer:
            if own_action == NOBODY_SAW:
                return LOST
            step(table, sight.world, player, own_action)
            look(table, sight)
            return FOUND if is_seen(table, sight, sight.after) else LOST
        act_for_others(table, sight, player)
        look(table, sight)
        if not is_seen(table, sight, sight.before):
            return (
                FOUND if own_action == NOBODY_SAW and is_seen(table, sight, sight.after) else LOST
            )
    return LOST


@kernel
def follow_copy(table, sight, world, own_action):
    """Continue a copy of a world to the next view, with a random seed of its own.

    Returns (FOUND or LOST, whether chance or others decided anything).
    """
    copy_state(table, sight.world, world)
    change_luck(sight.world, next_word(sight.stream))
    drawn, word = luck_drawn(sight.world), read_word(sight.stream, 0)
    found = follow(table, sight, own_action)
    return found, luck_drawn(sight.world) != drawn or read_word(sight.stream, 0) != word


@kernel
def act_for_others(table, sight, player):
    """Play one action that the model chooses for another player."""
    if sight.policy != 0:
        action = choose(table, sight.world, sight.stream, sight.policy)
    else:
        count = legal(table, sight.world, sight.actions)
        action = np.int64(read_action(sight.actions, below(sight.stream, count)))
    step(table, sight.world, player, action)


@kernel
def look(table, sight):
    """Store what the seat sees of the world."""
    copy_state(table, sight.seen, sight.world)
    hide(table, sight.seen, sight.viewer)


@kernel
def is_seen(table, sight, view):
    """Return whether this view equals the view that was stored last."""
    word = HEADER_WORDS
    words = table[SIZE] >> 3
    while word < words and read_int(sight.seen, word) == read_int(view, word):
        word += 1
    return word == words


class Lookout:
    """The owner of the memory that `sight` points to.

    Attributes:
        sight: (1,) of `Sight`.
        stream: (1,): the belief's own random numbers.
        clock: the clock of the seat.
    """

    def __init__(self, game: Game, viewer: int, seed: int, others: str, clock: Clock) -> None:
        self._rows: Bytes = new_states(4, game.state)
        self._actions = np.zeros(game.most_actions, np.int32)
        self.stream = np.array([seed], np.uint64)
        self.sight: Any = np.zeros(1, Sight).view(np.recarray)
        sight = self.sight[0]
        sight.viewer, sight.most_steps = viewer, game.most_steps
        sight.policy = address_of_model(game, others)
        sight.before, sight.after, sight.world, sight.seen = (
            int(row.ctypes.data) for row in self._rows
        )
        self.clock, sight.clock = clock, clock.belief
        sight.actions, sight.stream = self._actions.ctypes.data, self.stream.ctypes.data

    def aim(self, before: Bytes, after: Bytes) -> None:
        """Set the view `after` that the worlds must reach from the view `before`."""
        self._rows[0], self._rows[1] = before, after


def address_of_model(game: Game, others: str) -> int:
    """Return the address of the policy that others are assumed to follow, or 0 for random play."""
    if others == RANDOM:
        return 0
    if others not in game.policies:
        known = ", ".join((RANDOM, *sorted(game.policies)))
        raise ValueError(
            f"{game.name} has no policy {others!r} for the others; give one of {known}."
        )
    return game.policy(others)
