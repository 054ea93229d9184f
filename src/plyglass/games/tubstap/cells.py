"""Sets of cells as four words of 60 bits.

Each word holds four rows of 15 cells, from the upper left corner. One operation on a word works on
all its cells. A shifted set may have bits beyond the board. Callers must intersect a shifted set
with the cells of the board before they use it.
"""

from collections.abc import Iterable

from plyglass.core import kernel
from plyglass.core.bits import count_ones, nth_one

SIDE, WORDS = 15, 4  # cells in a row or column of the largest board; words in a set
WORD = SIDE * WORDS  # cells in a word
CELLS = SIDE * SIDE
LOW = 2 * WORDS  # rows in the first two words
LAST_ROW = WORD - SIDE  # the first bit of a word's last row
NOT_WEST = sum(((1 << SIDE) - 2) << SIDE * row for row in range(WORDS))  # all columns but the first
NOT_EAST = NOT_WEST >> 1


def set_of(cells: Iterable[int]) -> list[int]:
    """Return a bit set of the given cells, as a list of machine words; for use outside kernels."""
    words = [0] * WORDS
    for cell in cells:
        words[cell // WORD] |= 1 << cell % WORD
    return words


@kernel
def no_cells():
    return (0, 0, 0, 0)


@kernel
def row(words):
    """Return the set of cells whose words are stored in an array."""
    return (words[0], words[1], words[2], words[3])


@kernel
def union(a, b):
    return (a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3])


@kernel
def common(a, b):
    return (a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3])


@kernel
def without(a, b):
    return (a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3])


@kernel
def is_empty(a):
    return a[0] | a[1] | a[2] | a[3] == 0


@kernel
def single(r, cell):
    """Return the set of one cell; looking it up in a table is faster than computing it."""
    return row(r.single[cell])


@kernel
def has(r, a, cell):
    return not is_empty(common(a, single(r, cell)))


@kernel
def size(a):
    return count_ones(a[0]) + count_ones(a[1]) + count_ones(a[2]) + count_ones(a[3])


@kernel
def nth(a, n):
    """Return the `n`-th smallest cell of a set, counted from 0."""
    for word in range(WORDS - 1):
        here = count_ones(a[word])
        if n < here:
            return WORD * word + nth_one(a[word], n)
        n -= here
    return WORD * (WORDS - 1) + nth_one(a[WORDS - 1], n)


@kernel
def south_of(a):
    """Return the cells one step south of the cells in a set."""
    return (
        a[0] << SIDE,
        a[1] << SIDE | a[0] >> LAST_ROW,
        a[2] << SIDE | a[1] >> LAST_ROW,
        a[3] << SIDE | a[2] >> LAST_ROW,
    )


@kernel
def north_of(a):
    """Return the cells one step north of the cells in a set."""
    return (
        a[0] >> SIDE | a[1] << LAST_ROW,
        a[1] >> SIDE | a[2] << LAST_ROW,
        a[2] >> SIDE | a[3] << LAST_ROW,
        a[3] >> SIDE,
    )


@kernel
def east_of(a):
    """Return the cells one step east of the cells in a set."""
    return (
        (a[0] << 1) & NOT_WEST,
        (a[1] << 1) & NOT_WEST,
        (a[2] << 1) & NOT_WEST,
        (a[3] << 1) & NOT_WEST,
    )


@kernel
def west_of(a):
    """Return the cells one step west of the cells in a set."""
    return (
        (a[0] >> 1) & NOT_EAST,
        (a[1] >> 1) & NOT_EAST,
        (a[2] >> 1) & NOT_EAST,
        (a[3] >> 1) & NOT_EAST,
    )


@kernel
def beside(a):
    """Return the cells one step away from a cell in a set, in any of the four directions."""
    return union(union(north_of(a), south_of(a)), union(east_of(a), west_of(a)))


@kernel
def beside_low(upper, lower):
    """Return the same cells as `beside`, for a set whose last two words are empty."""
    above = (
        upper << SIDE
        | upper >> SIDE
        | lower << LAST_ROW
        | (upper << 1) & NOT_WEST
        | (upper >> 1) & NOT_EAST
    )
    below = (
        lower << SIDE
        | lower >> SIDE
        | upper >> LAST_ROW
        | (lower << 1) & NOT_WEST
        | (lower >> 1) & NOT_EAST
    )
    return above, below
