"""The board of 9 x 5 cells, and sets of cells as bits."""

from collections.abc import Callable

from plyglass.core import draw, kernel
from plyglass.core.bits import count_ones, nth_one

WIDTH, HEIGHT = 9, 5
CELLS = WIDTH * HEIGHT
ALL = (1 << CELLS) - 1
FIRST_COLUMN = sum(1 << WIDTH * y for y in range(HEIGHT))
LAST_COLUMN = FIRST_COLUMN << WIDTH - 1
NOT_FIRST, NOT_LAST = ALL ^ FIRST_COLUMN, ALL ^ LAST_COLUMN
CORNERS = 1 | 1 << WIDTH - 1 | 1 << CELLS - WIDTH | 1 << CELLS - 1
HALF = 4  # number of columns on each player's side
LEFT = sum(FIRST_COLUMN << x for x in range(HALF))
RIGHT = LEFT << WIDTH - HALF
ANCHORS = NOT_LAST & (1 << CELLS - WIDTH) - 1  # the lower left cells of 2 x 2 squares
# The middle cells of 3 x 3 squares.
CENTRES = NOT_FIRST & NOT_LAST & (1 << CELLS - WIDTH) - (1 << WIDTH)


def cell_at(x: int, y: int) -> int:
    """Return the number of the cell in a column and a row, both counted from 0."""
    return WIDTH * y + x


def _sets(test: Callable[[int, int], bool]) -> list[int]:
    """Return, for each cell, the set of cells at a distance that `test` accepts."""
    places = [(cell % WIDTH, cell // WIDTH) for cell in range(CELLS)]
    return [
        sum(1 << cell_at(a, b) for a, b in places if test(abs(a - x), abs(b - y)))
        for x, y in places
    ]


AROUND = _sets(lambda x, y: max(x, y) == 1)
LINE = _sets(lambda x, y: (x == 0) != (y == 0))
WALKED = _sets(lambda x, y: max(0, x - 1) + max(0, y - 1) <= 2)
DISC = list(
    zip(*[_sets(lambda x, y, steps=steps: x + y <= steps) for steps in range(4)], strict=True)  # type: ignore[misc]
)


@kernel
def steps_between(one, other):
    """Return the number of orthogonal steps from one cell to another."""
    return abs(one % WIDTH - other % WIDTH) + abs(one // WIDTH - other // WIDTH)


@kernel
def grown(cells):
    """Return a set of cells and all cells one orthogonal step away."""
    return (
        cells
        | (cells & NOT_LAST) << 1
        | (cells & NOT_FIRST) >> 1
        | (cells << WIDTH) & ALL
        | cells >> WIDTH
    )


@kernel
def in_front(cell, player):
    """Return the cell in front of a player's unit, as a set that is empty at the board's edge."""
    return ((1 << cell) & NOT_LAST) << 1 if player == 0 else ((1 << cell) & NOT_FIRST) >> 1


@kernel
def behind(cell, player):
    """Return the cell behind a player's unit, as a set that is empty at the board's edge."""
    return in_front(cell, 1 - player)


@kernel
def half_of(player):
    """Return the cells on a player's side of the board."""
    return LEFT if player == 0 else RIGHT


@kernel
def some_of(s, cells, count):
    """Draw `count` cells of a set at random, or all cells if the set has fewer."""
    found = 0
    for _ in range(min(count, count_ones(cells))):
        cell = 1 << nth_one(cells, draw(s, count_ones(cells)))
        found |= cell
        cells ^= cell
    return found
