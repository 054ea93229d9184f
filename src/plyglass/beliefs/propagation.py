"""Following a world until its seat sees something.

A seat is shown its view after an action of its own, and whenever the view changes; what others do
unseen shows nothing, not even how often they acted. So a world is played on, others acting by a
model of them, until the seat acts or its view differs from the last one, and what it sees then is
compared with what was seen in the match.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, next_word
from plyglass.core.memory import read_action, read_int, read_word
from plyglass.core.state import Bytes, rows
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

RANDOM = "random"
NOBODY_SAW = -1  # in place of an own action: somebody else did what was seen
LOST, FOUND = 0, 1  # whether a world came to look as the match does

Sight = np.dtype(
    [
        ("viewer", np.int64),
        ("before", np.int64),  # address of the view that the seat had
        ("after", np.int64),  # address of the view that it has now
        ("world", np.int64),  # address of the world that is played on
        ("seen", np.int64),  # address of room for what the seat sees of it
        ("actions", np.int64),  # address of room for the legal actions of one decision
        ("stream", np.int64),  # address of the belief's own random numbers
        (
            "policy",
            np.int64,
        ),  # address of the policy that others play by, or 0 if they play at random
        ("most_steps", np.int64),
    ],
    align=True,
)


@kernel
def follow(table, sight, own_action):
    """Play the world on to the next thing that the seat sees; FOUND if that is what it saw in
    the match.
    """
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
    """Follow a copy of a world with luck of its own; returns (FOUND or LOST, whether anything
    was left to luck or to others).
    """
    copy_state(table, sight.world, world)
    change_luck(sight.world, next_word(sight.stream))
    drawn, word = luck_drawn(sight.world), read_word(sight.stream, 0)
    found = follow(table, sight, own_action)
    return found, luck_drawn(sight.world) != drawn or read_word(sight.stream, 0) != word


@kernel
def act_for_others(table, sight, player):
    """One action of another player, by the model of them."""
    if sight.policy != 0:
        action = choose(table, sight.world, sight.stream, sight.policy)
    else:
        count = legal(table, sight.world, sight.actions)
        action = np.int64(read_action(sight.actions, below(sight.stream, count)))
    step(table, sight.world, player, action)


@kernel
def look(table, sight):
    """Note what the seat sees of the world."""
    copy_state(table, sight.seen, sight.world)
    hide(table, sight.seen, sight.viewer)


@kernel
def is_seen(table, sight, view):
    """Whether what was noted last is this view."""
    word = HEADER_WORDS
    words = table[SIZE] >> 3
    while word < words and read_int(sight.seen, word) == read_int(view, word):
        word += 1
    return word == words


class Lookout:
    """Owns the memory that following a world takes: `sight` points to it."""

    def __init__(self, game: Game, viewer: int, seed: int, others: str) -> None:
        self._rows: Bytes = rows(4, game.state)
        self._actions = np.zeros(game.most_actions, np.int32)
        self.stream = np.array([seed], np.uint64)
        self.sight: Any = np.zeros(1, Sight).view(np.recarray)
        sight = self.sight[0]
        sight.viewer, sight.most_steps, sight.policy = (
            viewer,
            game.most_steps,
            address_of_model(game, others),
        )
        sight.before, sight.after, sight.world, sight.seen = (
            int(row.ctypes.data) for row in self._rows
        )
        sight.actions, sight.stream = self._actions.ctypes.data, self.stream.ctypes.data

    def aim(self, before: Bytes, after: Bytes) -> None:
        """Look for the view that followed another."""
        self._rows[0], self._rows[1] = before, after


def address_of_model(game: Game, others: str) -> int:
    """Where the policy is that others are thought to play by; 0 for uniformly random play."""
    if others == RANDOM:
        return 0
    if others not in game.policies:
        known = ", ".join((RANDOM, *sorted(game.policies)))
        raise ValueError(
            f"{game.name} has no policy {others!r} that others could play by; there are {known}."
        )
    return game.policy(others)
