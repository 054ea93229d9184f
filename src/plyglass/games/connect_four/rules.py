"""Connect Four: drop a disc into a column; four in a row wins."""

import numpy as np

from plyglass.core import kernel, state_dtype

ROWS, COLUMNS = 6, 7
DRAW = 3

State = state_dtype(
    ("cell", np.int8, (ROWS, COLUMNS)),  # 0, or the mark of a player: 1 or 2
    ("height", np.int8, (COLUMNS,)),  # discs in each column
    ("player", np.int8),
    ("winner", np.int8),  # 0 while the game goes on; then the winner's mark, or DRAW
    ("filled", np.int8),  # number of discs on the board
)
Constants = np.dtype([("connect", np.int64)])


@kernel
def start(r, setup, s):
    s.player = 0


@kernel
def to_move(r, s):
    return -1 if s.winner != 0 else s.player


@kernel
def legal(r, s, out):
    count = 0
    for column in range(COLUMNS):
        if s.height[column] < ROWS:
            out[count] = column
            count += 1
    return count


@kernel
def apply(r, s, action):
    mark = s.player + 1
    row = s.height[action]
    s.cell[row, action] = mark
    s.height[action] += 1
    s.filled += 1
    if _completes(r, s, row, action, mark):
        s.winner = mark
    elif s.filled == ROWS * COLUMNS:
        s.winner = DRAW
    s.player = 1 - s.player


@kernel
def score(r, s, player):
    if s.winner == 0 or s.winner == DRAW:
        return 0.0
    return 1.0 if s.winner == player + 1 else -1.0


@kernel
def _completes(r, s, row, column, mark):
    """Return whether this cell's disc is part of a winning line, in any of four directions."""
    for direction in range(4):
        down = 0 if direction == 0 else 1
        across = 1 if direction == 0 else direction - 2
        if (
            1
            + _run(s, row, column, mark, down, across)
            + _run(s, row, column, mark, -down, -across)
            >= r.connect
        ):
            return True
    return False


@kernel
def _run(s, row, column, mark, down, across):
    """Return how many discs with this mark follow a cell in one direction without a gap."""
    length = 0
    y, x = row + down, column + across
    while 0 <= y < ROWS and 0 <= x < COLUMNS and s.cell[y, x] == mark:
        length += 1
        y += down
        x += across
    return length
