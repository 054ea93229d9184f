"""Tolls: a game for tests, for any number of players, whose scores only fall.

Whoever moves makes another player pay; chance says how much.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

State = state_dtype(("paid", np.int32, (4,)), ("road", np.int32), ("steps", np.int8))
Constants = np.dtype([("players", np.int64), ("steps", np.int64)])


@kernel
def start(r, setup, s):
    s.road = draw(s, 7)


@kernel
def to_move(r, s):
    return -1 if s.steps == r.steps else s.steps % r.players


@kernel
def legal(r, s, out):
    for way in range(3):
        out[way] = way
    return 3


@kernel
def apply(r, s, action):
    mover = s.steps % r.players
    who = (mover + action) % r.players
    s.paid[who] += (s.road * (action + 2) + s.steps) % 5 + draw(s, 2)
    s.paid[mover] += (s.road + action) % 3
    s.road = (3 * s.road + action + 1) % 7
    s.steps += 1


@kernel
def score(r, s, player):
    return -1.0 * s.paid[player]


class Tolls(Game):
    """A game for tests whose scores only fall."""

    name = "tolls"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score)

    def __init__(self, players: int = 1, steps: int = 6) -> None:
        super().__init__(
            players=players,
            most_actions=3,
            most_steps=steps,
            scores=(-8.0 * steps, 0.0),
            constants={"players": players, "steps": steps},
        )
