"""This module measures how fast a game's own policy plays whole games without search."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from plyglass import games
from plyglass.arena.specs import game_from
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of
from plyglass.core.state import filled, new_states
from plyglass.core.verbs import choose, start, step, to_move

# With these rules, the program of the Pandemic thesis played 15,000 games a second.
VARIANTS = ("pandemic:preset=as_coded",)
SAMPLE = 200  # games to estimate how many games fit into the given time


def policy_speeds(names: Sequence[str] = (), seconds: float = 1.0) -> Iterator[tuple[str, float]]:
    """Yield the whole games per CPU second that the first policy of each game plays."""
    for name in names or (*games.names(), *VARIANTS):
        game = game_from(name)
        if game.policies:
            _timed(game, 1)  # compile, or load from disk
            count = int(SAMPLE * seconds / _timed(game, SAMPLE)) + 1
            yield name, count / _timed(game, count)


def _timed(game: Game, count: int) -> float:
    """Return the CPU seconds that `count` games take."""
    state, setup = new_states(1, game.state)[0], filled(game.setup, game.default_setup())
    policy, stream = game.policy(next(iter(game.policies))), np.array([1], np.uint64)
    table = game.table
    began = time.process_time()
    _play(table, policy, setup.ctypes.data, state, stream, count)
    return time.process_time() - began


@kernel
def _play(table, policy, setup, state, stream, count):
    s = address_of(state)
    for number in range(count):
        for byte in range(len(state)):
            state[byte] = 0
        start(table, setup, s, np.uint64(number))
        mover = to_move(table, s)
        while mover >= 0:
            mover = step(table, s, mover, choose(table, s, address_of(stream), policy))
