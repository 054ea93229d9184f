"""The sea: cells, distances, routes, and ways around the sonar.

The cell in a row and a column has the number 16 * row + column, counted from the north-west corner.
Because 16 is a power of two, shifts and masks give the row and column of a cell without a division.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.games.navy.state import CELLS, CLOCKWISE, COUNTERCLOCKWISE, NOWHERE

FAR = 1 << 20  # greater than the length of any path


@kernel
def spread(a, b):
    """Return the larger of the distances in rows and in columns.

    The sonar reaches a distance of 1.
    """
    return max(abs((a >> 4) - (b >> 4)), abs((a & 15) - (b & 15)))


@kernel
def steps_between(a, b):
    """Return the number of steps between two cells, ignoring obstacles."""
    return abs((a >> 4) - (b >> 4)) + abs((a & 15) - (b & 15))


@kernel
def in_sonar(s, cell):
    """Return whether the Navy ship sees this cell."""
    return s.navy_health > 0 and spread(s.navy, cell) <= 1


@kernel
def is_clear(s, a, b):
    """Return whether the rectangle spanned by two cells has no cell in common with the sonar."""
    if s.navy_health <= 0:
        return True
    y, x = s.navy >> 4, s.navy & 15
    rows = y + 1 < min(a >> 4, b >> 4) or y - 1 > max(a >> 4, b >> 4)
    return rows or x + 1 < min(a & 15, b & 15) or x - 1 > max(a & 15, b & 15)


@kernel
def way(r, s, a, b):
    """Return the length of a shortest path that connects two cells without crossing the sonar.

    The cells that the sonar reaches form one square. So a detour is needed only between cells on
    opposite sides of the square.
    """
    length = steps_between(a, b)
    if s.navy_health <= 0:
        return length
    ay, ax, by, bx = (
        (a >> 4) - (s.navy >> 4),
        (a & 15) - (s.navy & 15),
        (b >> 4) - (s.navy >> 4),
        (b & 15) - (s.navy & 15),
    )
    if abs(ay) <= 1 and abs(by) <= 1 and ax * bx < 0:
        return length + _detour(r, s.navy >> 4, ay, by)
    if abs(ax) <= 1 and abs(bx) <= 1 and ay * by < 0:
        return length + _detour(r, s.navy & 15, ax, bx)
    return length


@kernel
def _detour(r, middle, a, b):
    """Return the extra steps of a detour around the sonar, in rows or in columns.

    The detour passes the sonar on the side that costs fewer steps, if this side is within the sea.
    """
    before = 2 * (min(a, b) + 2) if middle >= 2 else FAR
    after = 2 * (2 - max(a, b)) if middle + 2 < r.size else FAR
    return min(before, after)


@kernel
def afloat(r, s):
    """Return the number of cargo ships that are not lost."""
    count = 0
    for ship in range(r.cargo):
        if s.cargo_health[ship] > 0:
            count += 1
    return count


def neighbours(size: int) -> np.ndarray:
    """Return, for each cell, the cell and its four neighbours; NOWHERE means outside of the sea."""
    found = np.full((CELLS, 5), NOWHERE, np.int16)
    for y in range(size):
        for x in range(size):
            for way, (dy, dx) in enumerate(((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))):
                if 0 <= y + dy < size and 0 <= x + dx < size:
                    found[16 * y + x, way] = 16 * (y + dy) + x + dx
    return found


def routes(size: int) -> np.ndarray:
    """Return the routes of ships: for each direction and cell, the next cell on the way.

    All cells of a route are equally far from the border. If the sea has an odd size, a ship on the
    middle cell stands still.
    """
    found = np.full((2, CELLS), NOWHERE, np.int16)
    for ring in range((size + 1) // 2):
        cells = _rectangle(ring, size - 1 - ring)
        for here, there in zip(cells, [*cells[1:], cells[0]], strict=True):
            found[CLOCKWISE, here] = there
            found[COUNTERCLOCKWISE, there] = here
    return found


def _rectangle(low: int, high: int) -> list[int]:
    """Return the cells of a ring, clockwise from its north-west corner."""
    if low == high:
        return [16 * low + low]
    span = range(high - low)
    north, east = [16 * low + low + i for i in span], [16 * (low + i) + high for i in span]
    south, west = [16 * high + high - i for i in span], [16 * (high - i) + low for i in span]
    return [*north, *east, *south, *west]
