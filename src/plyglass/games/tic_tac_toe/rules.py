"""Tic-tac-toe: three in a line on a board of nine cells."""

import numpy as np

from plyglass.core import kernel, state_dtype

CELLS = 9
FULL = (1 << CELLS) - 1
# Cells count row by row from the upper left corner. A set of cells is an integer with one bit per
# cell.
LINES = (
    0b000000111,
    0b000111000,
    0b111000000,
    0b001001001,
    0b010010010,
    0b100100100,
    0b100010001,
    0b001010100,
)
DRAW = 3

State = state_dtype(
    ("marks", np.int16, (2,)),  # the cells that each player has marked
    ("player", np.int8),
    ("winner", np.int8),  # 0 while the game goes on; then 1 or 2 for a player, or DRAW
)


@kernel
def start(r, setup, s):
    s.player = 0


@kernel
def to_move(r, s):
    return -1 if s.winner != 0 else s.player


@kernel
def legal(r, s, out):
    taken = s.marks[0] | s.marks[1]
    count = 0
    for cell in range(CELLS):
        if not (taken >> cell) & 1:
            out[count] = cell
            count += 1
    return count


@kernel
def apply(r, s, action):
    s.marks[s.player] |= 1 << action
    if _lines(s.marks[s.player]) > 0:
        s.winner = s.player + 1
    elif s.marks[0] | s.marks[1] == FULL:
        s.winner = DRAW
    s.player = 1 - s.player


@kernel
def score(r, s, player):
    if s.winner == 0 or s.winner == DRAW:
        return 0.0
    return 1.0 if s.winner == player + 1 else -1.0


@kernel
def _lines(cells):
    """Return the number of lines of three in a set of cells."""
    lines = 0
    for line in LINES:
        if cells & line == line:
            lines += 1
    return lines
