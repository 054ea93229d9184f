"""A game whose rules never end, raise an error or give NaN, once `weird` says so."""

import math

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

State = state_dtype(("weird", np.int8), ("steps", np.int8), ("secret", np.int8))
PRICES = (1, 0)
NEVER_ENDS, RAISES, IS_NAN, TOO_MANY = range(1, 5)


@kernel
def start(r, setup, s):
    s.secret = draw(s, 2)


@kernel
def to_move(r, s):
    return -1 if s.steps == 4 else s.steps % 2


@kernel
def legal(r, s, out):
    while s.weird == NEVER_ENDS:
        pass
    for action in range(9 if s.weird == TOO_MANY else 2):
        out[action] = action
    return 2


@kernel
def apply(r, s, action):
    s.steps += 1
    if s.weird == RAISES:
        s.secret = PRICES[s.steps + 1]


@kernel
def score(r, s, player):
    if s.weird == IS_NAN:
        return math.nan
    return 0.5 * s.secret if player == 0 else 0.5 - 0.5 * s.secret


@kernel
def hide(r, s, viewer):
    s.secret = -1


@kernel
def imagine(r, s, viewer):
    s.secret = draw(s, 2)


class Weird(Game):
    """Four steps of two actions, and rules that go wrong in positions from outside."""

    name = "weird"
    state = State
    rules = (start, to_move, legal, apply, score, hide, imagine)

    def __init__(self) -> None:
        super().__init__(players=2, most_actions=2, most_steps=4, scores=(0.0, 0.5))
