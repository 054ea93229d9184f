"""Preferred actions for a sensible rover, as in the POMCP 1.0 program."""

from plyglass.core import kernel, pack
from plyglass.games.rocksample.rules import (
    BAD,
    CHECK,
    EAST,
    GOOD,
    MOVE,
    NORTH,
    NOWHERE,
    SAMPLE,
    SOUTH,
    WEST,
    allows,
    rock_here,
)

ENOUGH_READINGS, CLEAR_LEAD = 5, 2


@kernel
def prefer(r, s, out):
    """List the actions that a sensible rover considers, and return their number.

    The rover samples the rock on its cell if the rock seems good, and leaves if all rocks seem bad.
    Otherwise it drives towards rocks or checks them.
    """
    here = rock_here(r, s)
    if here != NOWHERE and lead(s, here) > 0:
        out[0] = pack(SAMPLE, 0, 0)
        return 1
    promising = directions(r, s)
    if promising < 0:
        out[0] = pack(MOVE, 0, EAST)
        return 1
    count = 0
    for direction in range(4):
        if (promising >> direction) & 1 and allows(r, s, direction):
            out[count] = pack(MOVE, 0, direction)
            count += 1
    for rock in range(r.rocks):
        if worth_a_check(s, rock):
            out[count] = pack(CHECK, 0, rock)
            count += 1
    return count


@kernel
def lead(s, rock):
    """Return the number of a rock's good readings minus the number of its bad readings."""
    return s.readings[rock, GOOD] - s.readings[rock, BAD]


@kernel
def directions(r, s):
    """Return, as bits, the directions that lead to rocks that do not seem bad.

    If there is no such rock, return -1.
    """
    found, any_left = 0, False
    for rock in range(r.rocks):
        if not s.collected[rock] and lead(s, rock) >= 0:
            any_left = True
            found |= (
                (r.y[rock] > s.y) << NORTH
                | (r.x[rock] > s.x) << EAST
                | (r.y[rock] < s.y) << SOUTH
                | (r.x[rock] < s.x) << WEST
            )
    return found if any_left else -1


@kernel
def worth_a_check(s, rock):
    """Return whether another reading could help: the rock has few readings, and no clear lead."""
    readings = s.readings[rock, BAD] + s.readings[rock, GOOD]
    uncertain = 0.0 < s.odds[rock, GOOD] < 1.0
    return (
        not s.collected[rock]
        and uncertain
        and readings < ENOUGH_READINGS
        and abs(lead(s, rock)) < CLEAR_LEAD
    )
