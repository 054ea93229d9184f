"""Random fleets that agree with a view, with their exact or nearly exact probability.

A fleet is placed by a sequence of choices. Each choice places the next ship (ships.py), starting
with the ships over the hits. If there are few sequences, all sequences are tried in order, and one
fleet is drawn by its exact probability. If there are many sequences, up to eight fleets are placed
by random sequences, and one of these fleets is drawn by its weight. The weight is the fleet's
probability, divided by the probability of its sequence.
"""

import numpy as np

from plyglass.core import chance, draw, kernel
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.battleship.ships import (
    BOARD,
    CLOSED,
    NOWHERE,
    ROWS,
    WANTED,
    choices,
    emptied,
    mark,
    nth_choice,
    put,
    ships_up_to,
)
from plyglass.games.battleship.state import MOST_LENGTH, SHORTEST

FEW = 150  # the most sequences that are tried in order
MANY = 20_000  # if there are more combinations of places, sequences are not tried in order
HANDFUL, ATTEMPTS = 8, 48  # most fleets in a random sample, and most sequences tried for it
ENDLESS = 1 << 62
SHIPS = MOST_LENGTH - SHORTEST + 1
LENGTHS = MOST_LENGTH + 1  # a fleet is the places of its ships on the board, by length
# A sequence has two rows: the choice at each step, and the number of choices at this step.
DIGIT, BASE = 0, SHIPS
ANY = -1  # stands for a choice that is yet to be drawn at random


@kernel
def any_fleet(r, s):
    """Replace the hits in `s.fleet` by a whole fleet that agrees with all shots."""
    fleets, weights = stack_ints(FEW * LENGTHS), stack_reals(FEW)
    weights[:] = 0.0
    for length in range(LENGTHS):
        fleets[length] = NOWHERE  # a position made by a user may allow no fleet
    known = _known_board(r, s, stack_ints(BOARD))
    most_tries = FEW if _combinations(r, known) <= MANY else 0
    while not (
        _collect_all(r, s, known, fleets, weights, most_tries)
        or _collect_some(r, s, known, fleets, weights)
    ):
        most_tries = ENDLESS
    chosen = chance(s, weights)
    for length in range(SHORTEST, r.longest + 1):
        place = fleets[chosen * LENGTHS + length]
        if place != NOWHERE:
            mark(s.fleet, length, place)


@kernel
def _known_board(r, s, board):
    """Return a board with hits wanted, and with misses and diagonal neighbours of hits closed."""
    emptied(board, r.size)
    for row in range(r.size):
        hits = np.int64(s.fleet[row]) << 1
        board[WANTED + row + 1] = hits
        board[CLOSED + row + 1] |= np.int64(s.shots[row] & ~s.fleet[row]) << 1
        board[CLOSED + row] |= (hits << 1) | (hits >> 1)
        board[CLOSED + row + 2] |= (hits << 1) | (hits >> 1)
    return board


@kernel
def _combinations(r, known):
    """Return an upper bound on the number of fleets.

    Each ship has a number of possible places, and the bound is the product of these numbers.
    """
    board = emptied(stack_ints(BOARD), r.size)
    for row in range(ROWS):
        board[CLOSED + row] = known[CLOSED + row]
    product = 1
    for length in range(SHORTEST, r.longest + 1):
        product *= choices(r.size, board, 1 << length)
    return product


@kernel
def _collect_all(r, s, known, fleets, weights, most_tries):
    """Collect up to FEW fleets by trying sequences in order.

    Also collect the fleets' probabilities. Return False if `most_tries` sequences do not suffice.
    """
    sequence, fleet = stack_ints(2 * SHIPS), stack_ints(LENGTHS)
    sequence[:] = 0
    fleet[:] = 0
    tries, count, going_on = 0, 0, True
    while going_on and count < FEW:
        if tries == most_tries:
            return False
        if _lay(r, s, known, sequence, fleet) > 0.0:
            weights[count] = _probability(r, fleet)
            _keep(fleet, fleets, count)
            count += 1
        tries += 1
        going_on = _turn(sequence)
    return True


@kernel
def _collect_some(r, s, known, fleets, weights):
    """Collect random fleets with importance weights; return False if no fleet is found."""
    sequence, fleet = stack_ints(2 * SHIPS), stack_ints(LENGTHS)
    sequence[:] = ANY
    fleet[:] = 0
    for at in range(FEW):
        weights[at] = 0.0
    found = 0
    for _ in range(ATTEMPTS):
        ways = _lay(r, s, known, sequence, fleet) if found < HANDFUL else 0.0
        if ways > 0.0:
            weights[found] = ways * _probability(r, fleet)
            _keep(fleet, fleets, found)
            found += 1
    return found > 0


@kernel
def _lay(r, s, known, sequence, fleet):
    """Place a fleet by a sequence, and write each ship's place to `fleet` at the ship's length.

    Return 1 / p, where p is the probability of drawing this sequence at random. Return 0 if the
    sequence leads to no fleet.
    """
    board = emptied(stack_ints(BOARD), r.size)
    for row in range(ROWS):
        board[CLOSED + row] = known[CLOSED + row]
        board[WANTED + row] = known[WANTED + row]
    ways, ships = 1.0, ships_up_to(r.longest)
    for step in range(r.longest - SHORTEST + 1):
        base = choices(r.size, board, ships)
        sequence[BASE + step] = base
        if base == 0:
            return 0.0
        digit = draw(s, base) if sequence[DIGIT + step] == ANY else sequence[DIGIT + step]
        length, place = nth_choice(r.size, board, ships, digit)
        put(board, length, place)
        fleet[length] = place
        ships ^= 1 << length
        ways *= base
    return ways if _covers_all(r, board) else 0.0


@kernel
def _covers_all(r, board):
    """Return whether the placed ships cover all wanted cells."""
    wanted = 0
    for row in range(1, r.size + 1):
        wanted |= board[WANTED + row]
    return wanted == 0


@kernel
def _turn(sequence):
    """Turn a sequence into the next one in order; return False after the last sequence."""
    for step in range(SHIPS - 1, -1, -1):
        if sequence[DIGIT + step] + 1 < sequence[BASE + step]:
            sequence[DIGIT + step] += 1
            return True
        sequence[DIGIT + step] = 0
        sequence[BASE + step] = 0
    return False


@kernel
def _probability(r, fleet):
    """Return the probability that `start` places exactly this fleet."""
    board, ships = emptied(stack_ints(BOARD), r.size), ships_up_to(r.longest)
    probability = 1.0
    for length in range(r.longest, SHORTEST - 1, -1):
        probability /= choices(r.size, board, ships)
        put(board, length, fleet[length])
        ships ^= 1 << length
    return probability


@kernel
def _keep(fleet, fleets, at):
    for length in range(LENGTHS):
        fleets[at * LENGTHS + length] = fleet[length]
