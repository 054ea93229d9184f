"""Dice: a game for one player, in which the dice are visible, or their sum is hidden."""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

State = state_dtype(("number", np.int32), ("over", np.int32))
Constants = np.dtype([("dice", np.int64), ("sides", np.int64), ("hidden", np.int64)])


@kernel
def start(r, setup, s):
    for _ in range(r.dice):
        s.number = s.number * (1 if r.hidden else r.sides) + draw(s, r.sides)


@kernel
def to_move(r, s):
    return -1 if s.over else 0


@kernel
def legal(r, s, out):
    out[0] = 0
    return 1


@kernel
def apply(r, s, action):
    s.over = 1


@kernel
def score(r, s, player):
    return 0.0


@kernel
def hide(r, s, viewer):
    if r.hidden:
        s.number = 0


@kernel
def imagine(r, s, viewer):
    if r.hidden:
        for _ in range(r.dice):
            s.number += draw(s, r.sides)


class Dice(Game):
    """So many dice with so many sides; they are open, or their sum is hidden."""

    name = "dice"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score, hide, imagine)

    def __init__(self, dice: int, sides: int, hidden: bool = False) -> None:
        constants = {"dice": dice, "sides": sides, "hidden": hidden}
        super().__init__(
            players=1, most_actions=1, most_steps=1, scores=(0.0, 1.0), constants=constants
        )
