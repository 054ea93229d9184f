"""The sea: cells, distances and routes, and ways around the sonar.

Cell (row, column) has the number 16 * row + column, from the north-west corner. So shifts and masks
give its row and column, without a division.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.games.navy.state import CELLS, CLOCKWISE, COUNTERCLOCKWISE, NOWHERE

FAR = 1 << 20  # longer than any way


@kernel
def spread(a, b):
    """The larger of the distances by rows and by columns; sonar covers a spread of 1."""
    return max(abs((a >> 4) - (b >> 4)), abs((a & 15) - (b & 15)))


@kernel
def steps_between(a, b):
    """The steps between two cells of an empty sea."""
    return abs((a >> 4) - (b >> 4)) + abs((a & 15) - (b & 15))


@kernel
def in_sonar(s, cell):
    """Whether the Navy ship sees this cell."""
    return s.navy_health > 0 and spread(s.navy, cell) <= 1


@kernel
def is_clear(s, a, b):
    """Whether the sonar is outside the rectangle between two cells, and so out of the way."""
    if s.navy_health <= 0:
        return True
    y, x = s.navy >> 4, s.navy & 15
    rows = y + 1 < min(a >> 4, b >> 4) or y - 1 > max(a >> 4, b >> 4)
    return rows or x + 1 < min(a & 15, b & 15) or x - 1 > max(a & 15, b & 15)


@kernel
def way(r, s, a, b):
    """The length of a shortest way between two cells that does not cross the sonar.

    The sonar is one square. So only two cells on opposite sides of it need a detour, around the
    nearer open corner.
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
    """The extra steps around the sonar, by rows or by columns.

    The detour takes the side that is within the sea and nearer to both ends.
    """
    before = 2 * (min(a, b) + 2) if middle >= 2 else FAR
    after = 2 * (2 - max(a, b)) if middle + 2 < r.size else FAR
    return min(before, after)


@kernel
def afloat(r, s):
    """The number of cargo ships left."""
    count = 0
    for ship in range(r.cargo):
        if s.cargo_health[ship] > 0:
            count += 1
    return count


def neighbours(size: int) -> np.ndarray:
    """For every cell, itself and its neighbours; NOWHERE outside of the sea."""
    found = np.full((CELLS, 5), NOWHERE, np.int16)
    for y in range(size):
        for x in range(size):
            for way, (dy, dx) in enumerate(((0, 0), (-1, 0), (0, 1), (1, 0), (0, -1))):
                if 0 <= y + dy < size and 0 <= x + dx < size:
                    found[16 * y + x, way] = 16 * (y + dy) + x + dx
    return found


def routes(size: int) -> np.ndarray:
    """The next cell on the rectangle at constant distance from the border, for each direction.

    A ship in the middle of an odd sea stands still.
    """
    found = np.full((2, CELLS), NOWHERE, np.int16)
    for ring in range((size + 1) // 2):
        cells = _rectangle(ring, size - 1 - ring)
        for here, there in zip(cells, [*cells[1:], cells[0]], strict=True):
            found[CLOCKWISE, here] = there
            found[COUNTERCLOCKWISE, there] = here
    return found


def _rectangle(low: int, high: int) -> list[int]:
    """The cells of a ring, clockwise from its north-west corner."""
    if low == high:
        return [16 * low + low]
    span = range(high - low)
    north, east = [16 * low + low + i for i in span], [16 * (low + i) + high for i in span]
    south, west = [16 * high + high - i for i in span], [16 * (high - i) + low for i in span]
    return [*north, *east, *south, *west]
