"""Battleship: fire at one cell after another until every cell of the hidden fleet is hit."""

from plyglass.core import draw, kernel
from plyglass.core.memory import stack_ints
from plyglass.games.battleship.fleets import any_fleet
from plyglass.games.battleship.ships import (
    BOARD,
    choices,
    emptied,
    mark,
    nth_choice,
    put,
    ships_up_to,
)


@kernel
def start(r, setup, s):
    """Place the ships at random, the longest first; no two ships touch."""
    board, ships = emptied(stack_ints(BOARD), r.size), ships_up_to(r.longest)
    while ships:
        number = draw(s, choices(r.size, board, ships))
        length, place = nth_choice(r.size, board, ships, number)
        put(board, length, place)
        mark(s.fleet, length, place)
        ships ^= 1 << length
        s.left += length


@kernel
def to_move(r, s):
    return -1 if s.left == 0 else 0


@kernel
def legal(r, s, out):
    count = 0
    for row in range(r.size):
        for column in range(r.size):
            if not (s.shots[row] >> column) & 1:
                out[count] = row * r.size + column
                count += 1
    return count


@kernel
def apply(r, s, action):
    row, column = action // r.size, action % r.size
    s.shots[row] |= 1 << column
    s.fired += 1
    s.left -= (s.fleet[row] >> column) & 1


@kernel
def score(r, s, player):
    """Return minus the number of shots; after the last hit, add the number of cells of the sea."""
    return 1.0 * (r.size * r.size - s.fired) if s.left == 0 else -1.0 * s.fired


@kernel
def hide(r, s, viewer):
    for row in range(r.size):
        s.fleet[row] &= s.shots[row]


@kernel
def imagine(r, s, viewer):
    if s.left > 0:
        any_fleet(r, s)
