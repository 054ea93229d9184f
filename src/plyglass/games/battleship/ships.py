"""Placing ships one by one: all ways to place the next ship, and the cells that a ship closes.

A board has two layers of rows with one bit per cell. A `CLOSED` cell can hold no further ship. A
`WANTED` cell still has to be covered. Rows and bits count from 1, and everything around the board
is closed. A set of ships is an integer with one bit per length.

If a cell is wanted, the next ship is any ship that covers the first wanted cell. Otherwise the next
ship is the longest ship left, in any place. So each fleet can be placed in exactly one order.
"""

from plyglass.core import kernel
from plyglass.games.battleship.state import MOST_LENGTH, MOST_SIZE, SHORTEST

ROWS = MOST_SIZE + 2
CLOSED, WANTED = 0, ROWS  # the index of each layer's first row
BOARD = 2 * ROWS  # the number of rows in both layers
ACROSS, DOWN = 0, 1  # a ship lies to the right of its first cell, or below it
NOWHERE = 0  # cell 0 is outside of the board


@kernel
def emptied(board, size):
    """Clear a board, so ships can lie anywhere and no cell is wanted."""
    for row in range(ROWS):
        inside = ((1 << size) - 1) << 1 if 1 <= row <= size else 0
        board[CLOSED + row] = ~inside
        board[WANTED + row] = 0
    return board


@kernel
def ships_up_to(longest):
    """Return one ship of each length, as a set."""
    return (1 << (longest + 1)) - (1 << SHORTEST)


@kernel
def choices(size, board, ships):
    """Return the number of ways to place the next ship."""
    cell = _first_wanted(size, board)
    count = 0
    for length in range(_shortest_next(ships, cell), MOST_LENGTH + 1):
        if (ships >> length) & 1:
            for direction in range(2):
                for row in range(
                    _first_row(length, direction, cell),
                    _last_row(size, length, direction, cell) + 1,
                ):
                    count += _bits(_beginnings(board, length, direction, row, cell))
    return count


@kernel
def nth_choice(size, board, ships, number):
    """Return the length and place of the next ship in way `number`, counted from 0."""
    cell = _first_wanted(size, board)
    for length in range(_shortest_next(ships, cell), MOST_LENGTH + 1):
        if (ships >> length) & 1:
            for direction in range(2):
                for row in range(
                    _first_row(length, direction, cell),
                    _last_row(size, length, direction, cell) + 1,
                ):
                    columns = _beginnings(board, length, direction, row, cell)
                    count = _bits(columns)
                    if number < count:
                        return length, _place(row, _nth_bit(columns, number), direction)
                    number -= count
    return 0, NOWHERE


@kernel
def put(board, length, place):
    """Place a ship: its cells are no longer wanted, and its cells and all neighbours are closed."""
    row, column, direction = place // 2 // ROWS, place // 2 % ROWS, place % 2
    height, width = (1, length) if direction == ACROSS else (length, 1)
    for at in range(row - 1, row + height + 1):
        board[CLOSED + at] |= ((1 << (width + 2)) - 1) << (column - 1)
    for at in range(row, row + height):
        board[WANTED + at] &= ~(((1 << width) - 1) << column)


@kernel
def mark(rows, length, place):
    """Mark the cells of a ship in rows that count from 0."""
    row, column, direction = place // 2 // ROWS - 1, place // 2 % ROWS - 1, place % 2
    for at in range(length):
        if direction == ACROSS:
            rows[row] |= 1 << (column + at)
        else:
            rows[row + at] |= 1 << column


@kernel
def _place(row, column, direction):
    """Return the first cell of a ship and its direction, packed into one number."""
    return 2 * (row * ROWS + column) + direction


@kernel
def _first_wanted(size, board):
    """Return the first wanted cell, or NOWHERE if no cell is wanted."""
    for row in range(1, size + 1):
        if board[WANTED + row] != 0:
            return row * ROWS + _nth_bit(board[WANTED + row], 0)
    return NOWHERE


@kernel
def _shortest_next(ships, cell):
    """Return the length of the shortest ship that can be placed next."""
    length = SHORTEST
    while cell == NOWHERE and ships >> (length + 1):
        length += 1
    return length


@kernel
def _first_row(length, direction, cell):
    """Return the first row in which a ship can begin.

    The ship must cover `cell`, unless `cell` is NOWHERE.
    """
    if cell == NOWHERE:
        return 1
    return cell // ROWS if direction == ACROSS else max(1, cell // ROWS - length + 1)


@kernel
def _last_row(size, length, direction, cell):
    """Return the last row in which a ship can begin.

    The ship must cover `cell`, unless `cell` is NOWHERE.
    """
    last = size if direction == ACROSS else size - length + 1
    return last if cell == NOWHERE else min(last, cell // ROWS)


@kernel
def _beginnings(board, length, direction, row, cell):
    """Return, as bits, the columns where a ship can begin in a given row.

    The ship needs open cells. No wanted cell may lie directly before or behind the ship, because a
    wanted cell belongs to a ship, and ships do not touch. No wanted cell can lie along the ship's
    sides, because the diagonal neighbours of wanted cells are closed.
    """
    columns = _columns(length, direction, cell)
    if direction == ACROSS:
        for at in range(length):
            columns &= ~(board[CLOSED + row] >> at)
        return columns & ~(board[WANTED + row] << 1) & ~(board[WANTED + row] >> length)
    for at in range(row, row + length):
        columns &= ~board[CLOSED + at]
    return columns & ~board[WANTED + row - 1] & ~board[WANTED + row + length]


@kernel
def _columns(length, direction, cell):
    """Return, as bits, the columns in which a ship can begin.

    The ship must cover `cell`, unless `cell` is NOWHERE.
    """
    if cell == NOWHERE:
        return -1
    width = length if direction == ACROSS else 1
    return (((1 << width) - 1) << (cell % ROWS)) >> (width - 1)


@kernel
def _bits(columns):
    """Return the number of set bits of a number with twelve bits.

    Bits are added to sums of two bits, then to sums of four bits, then to the whole sum.
    """
    columns -= (columns >> 1) & 0x555
    columns = (columns & 0x333) + ((columns >> 2) & 0x333)
    return (columns + (columns >> 4) + (columns >> 8)) & 0xF


@kernel
def _nth_bit(columns, number):
    """Return the position of the `number`-th set bit, counted from 0."""
    for _ in range(number):
        columns &= columns - 1
    return _bits((columns & -columns) - 1)
