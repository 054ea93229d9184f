"""Cubes: where they are, how they spread, and how they are removed.

A city's number of cubes of a colour is stored in two bits. Each bit is kept as a set of cities, so
one operation adds a cube to all neighbours of a city.
"""

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.pandemic.cities import COLOURS, PER_COLOUR
from plyglass.games.pandemic.state import (
    CUBES,
    FULL,
    LOST_BY_CUBES,
    LOST_BY_OUTBREAKS,
    MEDIC,
    NOBODY,
    OUTBREAKS,
    SPECIALIST,
)

COLOUR_COUNT = len(COLOURS)


@kernel
def cubes_in(s, colour, city):
    """Return the number of cubes of a colour in a city."""
    return (s.low[colour] >> city & 1) + 2 * (s.high[colour] >> city & 1)


@kernel
def cubes_of(s, colour):
    """Return the number of cubes of a colour on the board."""
    return count_ones(s.low[colour]) + 2 * count_ones(s.high[colour])


@kernel
def ill(s, colour):
    """Return the cities with cubes of a colour."""
    return s.low[colour] | s.high[colour]


@kernel
def add_cubes(s, colour, city, cubes):
    """Put cubes of a colour on a city without such cubes, at the start of a game."""
    s.low[colour] |= (cubes & 1) << city
    s.high[colour] |= (cubes >> 1) << city


@kernel
def remove_cubes(s, colour, cities):
    """Remove all cubes of a colour from some cities."""
    s.low[colour] &= ~cities
    s.high[colour] &= ~cities


@kernel
def remove_cube(s, colour, city):
    """Remove one cube of a colour from a city that has at least one such cube."""
    one = 1 << city
    s.high[colour] ^= one & ~s.low[colour]
    s.low[colour] ^= one


@kernel
def infect(r, s, city, cubes, spared):
    """Put cubes on a city, unless the city's colour is in `spared` or the city is protected.

    `cubes` is 1 for an infection card, and 3 for an epidemic.
    """
    colour = city // PER_COLOUR
    safe = protected(r, s, colour)
    if spared >> colour & 1 or safe >> city & 1:
        return
    if cubes_in(s, colour, city) + cubes > FULL:
        s.low[colour] |= 1 << city
        s.high[colour] |= 1 << city
        _outbreak(r, s, colour, city, safe)
    else:
        _add_one(s, colour, 1 << city)
        if cubes == FULL:
            s.high[colour] |= 1 << city
    _judge(s, colour)


@kernel
def settle(r, s):
    """Remove cubes of cured colours from the medic's city.

    Then mark cured colours without cubes as eradicated.
    """
    if s.cured == 0:
        return
    medic = s.seat_of[MEDIC]
    for colour in range(COLOUR_COUNT):
        if s.cured >> colour & 1:
            if medic != NOBODY:
                remove_cubes(s, colour, 1 << s.pawn[medic])
            if ill(s, colour) == 0:
                s.eradicated |= 1 << colour


@kernel
def _add_one(s, colour, cities):
    """Add a cube to each of the given cities, none of which is full."""
    s.high[colour] ^= s.low[colour] & cities
    s.low[colour] ^= cities


@kernel
def _outbreak(r, s, colour, city, safe):
    """Put a cube on every neighbour of a city; a full neighbour breaks out too.

    Each city breaks out at most once per card. The order of the outbreaks does not change the
    result, unless the eighth outbreak ends the game.
    """
    waiting, over = 1 << city, 0
    while waiting != 0 and s.outbreaks < OUTBREAKS:
        here = lowest_one(waiting)
        s.outbreaks += 1
        over |= 1 << here
        reached = r.beside[here] & ~(over | waiting | safe)
        full = reached & s.low[colour] & s.high[colour]
        waiting = (waiting | full) & ~over
        _add_one(s, colour, reached & ~full)


@kernel
def protected(r, s, colour):
    """Return the cities that are protected from new cubes of a colour.

    The protected cities are the quarantine specialist's city and its neighbours, and the medic's
    city if the colour is cured. The thesis's program does not protect the medic's city.
    """
    safe = 0
    specialist, medic = s.seat_of[SPECIALIST], s.seat_of[MEDIC]
    if specialist != NOBODY:
        safe = r.beside[s.pawn[specialist]] | 1 << s.pawn[specialist]
    if medic != NOBODY and s.cured >> colour & 1 and not r.as_coded:
        safe |= 1 << s.pawn[medic]
    return safe


@kernel
def _judge(s, colour):
    """Lose the game with the eighth outbreak, or when cubes run out."""
    if s.outbreaks >= OUTBREAKS:
        s.result = LOST_BY_OUTBREAKS
    elif cubes_of(s, colour) > CUBES:
        s.result = LOST_BY_CUBES
