"""Pig: roll as often as you dare; a one loses all points of the turn."""

import numpy as np

from plyglass.core import draw, kernel, state_dtype

ROLL, HOLD = 0, 1
SIDES = 6
DRAW = 3

State = state_dtype(
    ("points", np.int32, (2,)),  # points of each player, without the turn total
    ("total", np.int32),  # the turn total: points rolled in this turn
    ("turn", np.int32),  # number of turns that are over
    ("player", np.int8),
    ("winner", np.int8),  # 0 while the game goes on; then 1 or 2 for a player, or DRAW
)
Constants = np.dtype([("goal", np.int64), ("turns", np.int64)])


@kernel
def start(r, setup, s):
    s.player = 0


@kernel
def to_move(r, s):
    return -1 if s.winner != 0 else s.player


@kernel
def legal(r, s, out):
    out[0] = ROLL
    out[1] = HOLD
    return 2 if s.total > 0 else 1


@kernel
def apply(r, s, action):
    if action == HOLD:
        _pass_turn(r, s, s.total)
        return
    pips = 1 + draw(s, SIDES)
    if pips == 1:
        _pass_turn(r, s, 0)
    elif s.points[s.player] + s.total + pips >= r.goal:
        s.winner = s.player + 1
        _pass_turn(r, s, s.total + pips)
    else:
        s.total += pips


@kernel
def score(r, s, player):
    if s.winner == 0 or s.winner == DRAW:
        return 0.0
    return 1.0 if s.winner == player + 1 else -1.0


@kernel
def _pass_turn(r, s, gained):
    """Add the gained points and pass the turn; without a winner, the last turn makes a draw."""
    s.points[s.player] += gained
    s.total = 0
    s.turn += 1
    s.player = 1 - s.player
    if s.turn == r.turns and s.winner == 0:
        s.winner = DRAW
