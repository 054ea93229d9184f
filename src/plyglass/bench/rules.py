"""This module measures the speed of rules: actions in random play, and copies of a state."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from plyglass import games
from plyglass.arena.specs import game_from
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import address_of
from plyglass.core.state import Bytes, new_states
from plyglass.core.verbs import copy_state, playout, to_move

GAMES = 8  # games whose middle positions random play continues from
FEW = 20  # repetitions to estimate how many repetitions fit into the given time
NEVER = 1 << 30  # a limit on the actions of a playout that no game reaches


def rule_speeds(
    names: Sequence[str] = (), seconds: float = 0.2
) -> Iterator[tuple[str, float, float]]:
    """Yield (name, actions per CPU second, copies of a state per CPU second) for every game.

    Actions are counted in random play from the middle of a game to its end.
    """
    for name in names or games.names():
        yield name, *_speeds(game_from(name), seconds)


def _speeds(game: Game, seconds: float) -> tuple[float, float]:
    middles, state = _middles(game), new_states(1, game.state)[0]
    actions, stream = np.empty(game.most_actions, np.int32), np.array([1], np.uint64)

    def play(count: int) -> int:
        return sum(
            int(_play_on(game.table, each, state, actions, stream, count)) for each in middles
        )

    def duplicate(count: int) -> int:
        return int(_copy_often(game.table, middles[0], state, count))

    return _rate(play, seconds), _rate(duplicate, seconds)


def _middles(game: Game) -> list[Bytes]:
    """Return positions from the middle of several random games."""
    found, choice = [], np.random.default_rng(1)
    for seed in range(GAMES):
        world, past = game.start(seed), [game.start(seed).row()]
        while not world.over:
            world.apply(int(choice.choice(world.legal())))
            past.append(world.row().copy())
        found.append(past[len(past) // 2])
    return found


def _rate(repeat: Callable[[int], int], seconds: float) -> float:
    """Return the calls of `repeat` per CPU second; a short trial sets the number of calls."""
    repeat(1)  # compile, or load from disk
    began = time.process_time()
    repeat(FEW)
    count = int(FEW * seconds / (time.process_time() - began + 1e-6)) + 1
    began = time.process_time()
    done = repeat(count)
    return done / (time.process_time() - began)


@kernel
def _play_on(table, middle, state, actions, stream, count):
    """Play from a position to the end at random, `count` times; return the number of actions."""
    s, done = address_of(state), 0
    for _ in range(count):
        copy_state(table, s, address_of(middle))
        done += playout(table, s, to_move(table, s), address_of(actions), address_of(stream), NEVER)
    return done


@kernel
def _copy_often(table, position, state, count):
    for _ in range(count):
        copy_state(table, address_of(state), address_of(position))
    return count
