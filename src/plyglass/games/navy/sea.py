"""The sea: the records, cells and routes of Navy Defense, and ways around the sonar.

A cell is 16 * row + column, counted from the north-west corner, so that rows and columns are had
without a division.
"""

import numpy as np

from plyglass.core import kernel, state_dtype

MOST_SIZE, MOST_CARGO, MOST_SUBMARINES = 15, 8, 6
CELLS = 16 * MOST_SIZE
NOWHERE = 255  # in place of a cell
NONE = 127  # in place of a cargo ship
STAY, NORTH, EAST, SOUTH, WEST = range(5)
COUNTERCLOCKWISE, CLOCKWISE = 0, 1
FREE, STICKY, MIXED = range(
    3
    # how submarines choose a cargo ship: the next best each time, one for good, or nobody knows
    # which
)
FAR = 1 << 20  # longer than any way

# What is hidden: submarines outside of the sonar, what each hunts, and how they choose that. All
# else is seen.
State = state_dtype(
    ("cost", np.int32),
    ("step", np.int16),
    ("navy", np.int16),  # the cell of the Navy ship
    ("navy_health", np.int8),
    (
        "alarm",
        np.int8,
        # the cargo ship that calls for the Navy ship: it was struck near it, and has not been
        # reached yet
    ),
    ("heading", np.int8),  # the direction of the cargo ship that was reached last, or -1
    ("sunk", np.int8),  # submarines sunk so far
    ("sticky", np.int8),  # whether submarines hunt one ship for good, where nobody knows which
    ("cargo", np.int16, (MOST_CARGO,)),  # the cell of every cargo ship; NOWHERE if it is lost
    ("cargo_health", np.int8, (MOST_CARGO,)),
    ("clockwise", np.int8, (MOST_CARGO,)),
    (
        "submarine",
        np.int16,
        (MOST_SUBMARINES,),
    ),  # cells, in ascending order; NOWHERE where there is none
    ("submarine_health", np.int8, (MOST_SUBMARINES,)),
    ("target", np.int8, (MOST_SUBMARINES,)),  # the cargo ship that each hunts, or NONE
    ("order", np.int16, (MOST_SUBMARINES,)),  # what each has decided; 0 between steps
    (
        "attacked",
        np.int16,
        (MOST_SUBMARINES,),
    ),  # the cells attacked in the last step, in ascending order; NOWHERE for no more
)
Constants = np.dtype(
    [
        ("size", np.int64),
        ("cargo", np.int64),
        ("fewest", np.int64),
        ("most", np.int64),
        ("steps", np.int64),
        ("submarines", np.int64),
        (
            "into_reach",
            np.int64,
        ),  # whether a submarine goes where it can reach a ship's cell, or to the cell itself
        (
            "strikes_far",
            np.int64,
        ),  # whether a submarine strikes cells beside its own, or its own alone
        ("harm", np.float64),
        ("route", np.int16, (2, CELLS)),  # the next cell of a ship's route, by direction and cell
        (
            "beside",
            np.int16,
            (CELLS, 5),
        ),  # the cell itself and its neighbours to the north, east, south and west, or NOWHERE
    ]
)
# What is secret at the start, or given by a scenario; NOWHERE and -1 are left to luck.
Setup = np.dtype(
    [
        ("navy", np.int16),
        ("cargo", np.int16, (MOST_CARGO,)),
        ("clockwise", np.int8, (MOST_CARGO,)),
        ("submarines", np.int8),  # how many there are
        ("submarine", np.int16, (MOST_SUBMARINES,)),
    ]
)


@kernel
def spread(a, b):
    """The larger of the distances of two cells by rows and by columns: sonar covers what is
    within one.
    """
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
    """Whether the sonar is out of the rectangle that two cells span, and so out of the way
    between them.
    """
    if s.navy_health <= 0:
        return True
    y, x = s.navy >> 4, s.navy & 15
    rows = y + 1 < min(a >> 4, b >> 4) or y - 1 > max(a >> 4, b >> 4)
    return rows or x + 1 < min(a & 15, b & 15) or x - 1 > max(a & 15, b & 15)


@kernel
def way(r, s, a, b):
    """The steps of a shortest way between two cells outside of the sonar that does not cross it.

    One square stands in the way, so only two cells on opposite sides of it need a detour, around
    the nearer open corner.
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
    """The extra steps around the sonar, by rows or by columns: on the side that is in the sea
    and nearer to both ends.
    """
    before = 2 * (min(a, b) + 2) if middle >= 2 else FAR
    after = 2 * (2 - max(a, b)) if middle + 2 < r.size else FAR
    return min(before, after)


@kernel
def afloat(r, s):
    """How many cargo ships are left."""
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
    """The next cell on the rectangle at constant distance from the border, by direction; in the
    middle of an odd sea it stands still.
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
