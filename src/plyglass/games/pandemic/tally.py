"""Statistics of games by a policy: length, legal actions, results and actions taken.

The numbers are counted as in section 4.1 of the thesis.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.core import Game, kernel, kind_of
from plyglass.core.memory import address_of
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import filled
from plyglass.core.verbs import choose, legal, start, step
from plyglass.games.pandemic.state import (
    AIRLIFT,
    ANY_EVENT,
    DISCARD,
    FIRST_EVENT,
    KINDS,
    NOWHERE,
    State,
)

# The thesis measures before each decision, so the last action counts for the length of a game but
# not for `uses`.
Counted = np.dtype(
    [
        ("decisions", np.int64),
        ("actions", np.int64),  # number of legal actions, summed over all decisions
        ("uses", np.int64, (len(KINDS),)),  # how often each kind of action was taken
        ("events", np.int64),  # the events drawn before the last decision, as a set
        ("end", State),  # the last position
    ]
)


def tally(game: Game, games: int, seed: int, policy: str = "default") -> np.ndarray[Any, Any]:
    """Play games by a policy, and return one record of statistics per game."""
    counted = np.zeros(games, Counted)
    setup, out = filled(game.setup, game.default_setup()), np.zeros(game.most_actions, np.int32)
    luck, stream = (
        np.array([derive(seed, purpose)], np.uint64) for purpose in (Purpose.LUCK, Purpose.PLANNER)
    )
    ends = np.zeros(games, game.state)
    _play_all(
        game.table, game.policy(policy), setup.ctypes.data, luck[0], stream, out, ends, counted
    )
    counted["end"] = ends
    return counted


@kernel
def _play_all(table, policy, setup, luck, stream, out, ends, counted):
    for number in range(len(counted)):
        s = address_of(ends) + number * ends.itemsize
        start(table, setup, s, luck + np.uint64(number))
        _play(table, policy, s, ends[number], address_of(stream), out, counted[number])


@kernel
def _play(table, policy, s, position, stream, out, counts):
    mover, taken = 0, -1
    while mover >= 0:
        if taken >= 0:
            counts.uses[kind_of(taken)] += 1
        counts.decisions += 1
        counts.events = ANY_EVENT & ~(position.deck >> FIRST_EVENT)
        counts.actions += _width(position, out, legal(table, s, address_of(out)))
        taken = choose(table, s, stream, policy)
        mover = step(table, s, mover, taken)


@kernel
def _width(s, out, count):
    """Return the number of legal actions, counted as in the thesis.

    When a card must be discarded, events that can only replace this discard do not count.
    """
    if kind_of(out[0]) != DISCARD:
        return count
    counted = 0
    for i in range(count):
        kind = kind_of(out[i])
        counted += kind == DISCARD or (
            s.last[s.seat] == NOWHERE if kind == AIRLIFT else s.spent == 0
        )
    return counted
