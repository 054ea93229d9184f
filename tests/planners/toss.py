"""Toss: a game for tests in which chance comes last.

The only player takes a half, or calls a coin that is tossed after the call. A right call scores 1,
and a wrong call scores -1.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

TAKE, CALL = 0, 1
State = state_dtype(("reward", np.float32), ("stage", np.int8))


@kernel
def start(r, setup, s):
    s.stage = 0


@kernel
def to_move(r, s):
    return -1 if s.stage == 2 else 0


@kernel
def legal(r, s, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def apply(r, s, action):
    s.stage += 1
    if s.stage == 2:
        s.reward = 1.0 if draw(s, 2) == action else -1.0
    elif action == TAKE:
        s.stage, s.reward = 2, 0.5


@kernel
def score(r, s, player):
    return 1.0 * s.reward


class Toss(Game):
    """Take a half, or call a coin."""

    name = "toss"
    state = State
    rules = (start, to_move, legal, apply, score)

    def __init__(self) -> None:
        super().__init__(players=1, most_actions=2, most_steps=2, scores=(-1.0, 1.0))
