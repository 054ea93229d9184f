"""Phantom tic-tac-toe: three in a line; you see a mark of the opponent only when you hit it."""

import numpy as np

from plyglass.core import draw, kernel, state_dtype
from plyglass.games.phantom import failed_tries

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
    ("known", np.int16, (2,)),  # the opponent's marks that each player has hit
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
    tried = s.marks[s.player] | s.known[s.player]
    count = 0
    for cell in range(CELLS):
        if not (tried >> cell) & 1:
            out[count] = cell
            count += 1
    return count


@kernel
def apply(r, s, action):
    if (s.marks[1 - s.player] >> action) & 1:
        s.known[s.player] |= 1 << action
    else:
        _mark(s, action)


@kernel
def score(r, s, player):
    if s.winner == 0 or s.winner == DRAW:
        return 0.0
    return 1.0 if s.winner == player + 1 else -1.0


@kernel
def hide(r, s, viewer):
    if s.winner == 0:
        s.marks[1 - viewer] = s.known[viewer]
        s.known[1 - viewer] = 0


@kernel
def imagine(r, s, viewer):
    """Draw the opponent's marks and failed tries, which are independent, as the README proves."""
    if s.winner == 0:
        pending = 0 if s.player == viewer else 1
        turns = _size(s.marks[viewer]) + viewer
        failed = failed_tries(s, viewer, turns, CELLS + pending)
        s.known[1 - viewer] = _any_set(s, 0, s.marks[viewer], failed)
        s.marks[1 - viewer] = _any_set(s, s.known[viewer], FULL ^ s.marks[viewer], turns - pending)


@kernel
def _mark(s, cell):
    """Mark a free cell, and end the game or pass the turn."""
    s.marks[s.player] |= 1 << cell
    if _lines(s.marks[s.player]) > 0:
        s.winner = s.player + 1
    elif s.marks[0] | s.marks[1] == FULL:
        s.winner = DRAW
    s.player = 1 - s.player


@kernel
def _any_set(s, least, most, size):
    """Return a random set of `size` cells without a line of three.

    The set has all cells of `least` and only cells of `most`. All such sets are equally likely.
    """
    fitting = 0
    for cells in range(FULL + 1):
        if _fits(cells, least, most, size):
            fitting += 1
    rest = draw(s, fitting)
    for cells in range(FULL + 1):
        if _fits(cells, least, most, size):
            if rest == 0:
                return cells
            rest -= 1
    return least


@kernel
def _fits(cells, least, most, size):
    return (
        cells & least == least
        and cells & most == cells
        and _size(cells) == size
        and _lines(cells) == 0
    )


@kernel
def _size(cells):
    """Return the number of cells in a set."""
    size = 0
    while cells:
        cells &= cells - 1
        size += 1
    return size


@kernel
def _lines(cells):
    """Return the number of lines of three in a set of cells."""
    lines = 0
    for line in LINES:
        if cells & line == line:
            lines += 1
    return lines
