"""Dark Hex: connect your two sides; you see an enemy stone only when you hit it."""

import numpy as np

from plyglass.core import draw, kernel, state_dtype
from plyglass.games.phantom import failed_tries

LEAST_SIZE, MOST_SIZE = 2, 4

# Cells count row by row from the upper left corner. A set of cells is an integer with one bit per
# cell.
State = state_dtype(
    ("stones", np.int32, (2,)),  # the cells with a stone of each player
    ("known", np.int32, (2,)),  # the opponent's stones that each player has hit
    ("player", np.int8),
    ("winner", np.int8),  # 0 while the game goes on, then 1 or 2
)
Constants = np.dtype(
    [
        ("size", np.int64),
        ("near", np.int64, (2,)),  # the first of the two sides that each player has to connect
        ("far", np.int64, (2,)),  # the second of these sides
        ("west", np.int64),  # the first column
        ("east", np.int64),  # the last column
    ],
)


@kernel
def start(r, setup, s):
    s.player = 0


@kernel
def to_move(r, s):
    return -1 if s.winner != 0 else s.player


@kernel
def legal(r, s, out):
    tried = s.stones[s.player] | s.known[s.player]
    count = 0
    for cell in range(r.size * r.size):
        if not (tried >> cell) & 1:
            out[count] = cell
            count += 1
    return count


@kernel
def apply(r, s, action):
    if (s.stones[1 - s.player] >> action) & 1:
        s.known[s.player] |= 1 << action
    else:
        s.stones[s.player] |= 1 << action
        if _connects(r, s.player, s.stones[s.player]):
            s.winner = s.player + 1
        s.player = 1 - s.player


@kernel
def score(r, s, player):
    if s.winner == 0:
        return 0.0
    return 1.0 if s.winner == player + 1 else -1.0


@kernel
def hide(r, s, viewer):
    if s.winner == 0:
        s.stones[1 - viewer] = s.known[viewer]
        s.known[1 - viewer] = 0


@kernel
def imagine(r, s, viewer):
    """Draw the opponent's stones and failed tries, which are independent, as the README proves."""
    if s.winner == 0:
        cells = r.size * r.size
        pending = 0 if s.player == viewer else 1
        turns = _size(s.stones[viewer]) + viewer
        failed = failed_tries(s, viewer, turns, cells + pending)
        free = ((1 << cells) - 1) ^ s.stones[viewer] ^ s.known[viewer]
        hidden = turns - pending - _size(s.known[viewer])
        s.known[1 - viewer] = _any_set(r, s, viewer, 0, s.stones[viewer], failed)
        s.stones[1 - viewer] = _any_set(r, s, 1 - viewer, s.known[viewer], free, hidden)


@kernel
def _connects(r, player, stones):
    """Return whether stones connect a player's two sides.

    A set starts with the stones on one side of the board. Connected stones are added until the set
    no longer changes.
    """
    reached, before = stones & r.near[player], 0
    while reached != before:
        before = reached
        not_west, not_east = reached & ~r.west, reached & ~r.east
        upward = (reached >> r.size) | (not_east >> (r.size - 1)) | (not_west >> 1)
        downward = (reached << r.size) | (not_west << (r.size - 1)) | (not_east << 1)
        reached |= stones & (upward | downward)
    return reached & r.far[player] != 0


@kernel
def _any_set(r, s, player, sure, possible, count):
    """Return a random set that has all `sure` cells and `count` of the `possible` cells.

    The set does not connect the player's sides. All such sets are equally likely.
    """
    rest = draw(s, _sets(r, player, sure, possible, count))
    chosen, left = _first(count), _size(possible)
    while chosen < 1 << left:
        cells = sure | _spread(chosen, possible)
        if not _connects(r, player, cells):
            if rest == 0:
                return cells
            rest -= 1
        chosen = _next(chosen)
    return sure


@kernel
def _sets(r, player, sure, possible, count):
    """Return the number of sets from which `_any_set` chooses."""
    sets = 0
    chosen, left = _first(count), _size(possible)
    while chosen < 1 << left:
        if not _connects(r, player, sure | _spread(chosen, possible)):
            sets += 1
        chosen = _next(chosen)
    return sets


@kernel
def _first(count):
    """Return the smallest number with this many bits set."""
    return (1 << count) - 1


@kernel
def _next(chosen):
    """Return the next larger number with the same number of set bits (Gosper's hack).

    The number 0 has no next number. For 0, the result is a bit that lies outside every board.
    """
    if chosen == 0:
        return 1 << (MOST_SIZE * MOST_SIZE)
    lowest = chosen & -chosen
    carried = chosen + lowest
    return carried | (((carried ^ chosen) >> 2) // lowest)


@kernel
def _spread(chosen, cells):
    """Return the subset of `cells` that `chosen` selects.

    The lowest bit of `chosen` stands for the first of the cells, the next bit for the second, and
    so on.
    """
    found = 0
    while chosen:
        cell = cells & -cells
        if chosen & 1:
            found |= cell
        cells ^= cell
        chosen >>= 1
    return found


@kernel
def _size(cells):
    """Return the number of cells in a set."""
    size = 0
    while cells:
        cells &= cells - 1
        size += 1
    return size
