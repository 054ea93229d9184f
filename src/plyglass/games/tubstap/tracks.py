"""Tracks: for each unseen enemy, the probability of each cell.

There is one track for every enemy unit, in the order of the side's view. A track holds the
probability of each cell, and then the probability that the unit has already acted in the enemy's
current turn. The track of a unit that is in sight or lost is empty. Tracks treat units as
independent, with two exceptions. A unit that comes into sight changes the tracks of all units of
the same kind and health, and no two units share a cell (`worlds.place`).
"""

from plyglass.core import kernel
from plyglass.core.bits import lowest_one
from plyglass.games.tubstap.cells import CELLS, WORD, WORDS, has, size
from plyglass.games.tubstap.state import MOST_UNITS

STRIDE = CELLS + 1
ACTED = CELLS  # the index of the probability that the unit has acted
NUMBERS = MOST_UNITS * STRIDE  # length of all tracks; next comes whether they have begun


@kernel
def track_of(slot):
    """Return the index at which the track of a unit begins."""
    return slot * STRIDE


@kernel
def clear(tracks, at):
    for i in range(STRIDE):
        tracks[at + i] = 0.0


@kernel
def copy(source, at, target, there):
    for i in range(STRIDE):
        target[there + i] = source[at + i]


@kernel
def put(tracks, at, cell, acted):
    """Make a track certain that its unit is on this cell."""
    clear(tracks, at)
    tracks[at + cell], tracks[at + ACTED] = 1.0, acted


@kernel
def put_anywhere(tracks, at, cells, acted):
    """Spread a track evenly over these cells."""
    clear(tracks, at)
    add(tracks, at, cells, 1.0 / max(1, size(cells)))
    tracks[at + ACTED] = acted


@kernel
def add(tracks, at, cells, amount):
    """Add an amount to every cell of a set."""
    for word in range(WORDS):
        rest = cells[word]
        while rest != 0:
            tracks[at + WORD * word + lowest_one(rest)] += amount
            rest &= rest - 1


@kernel
def add_weighted(tracks, at, cells, amount, weights):
    """Add `amount` times the cell's weight to every cell of a set."""
    for word in range(WORDS):
        rest = cells[word]
        while rest != 0:
            cell = WORD * word + lowest_one(rest)
            tracks[at + cell] += amount * weights[cell]
            rest &= rest - 1


@kernel
def share(tracks, at, cells):
    """Return the sum of a track's probabilities on the cells of a set."""
    total = 0.0
    for word in range(WORDS):
        rest = cells[word]
        while rest != 0:
            total += tracks[at + WORD * word + lowest_one(rest)]
            rest &= rest - 1
    return total


@kernel
def blend(tracks, at, other, part):
    """Mix the track at `at` with the track at `other`, where the latter has the weight `part`."""
    for i in range(STRIDE):
        tracks[at + i] += part * (tracks[other + i] - tracks[at + i])


@kernel
def narrow(r, tracks, at, cells, part):
    """Mix a track with its restriction to a set of cells; the restriction has the weight `part`.

    The track must have some probability on these cells.
    """
    within = share(tracks, at, cells)
    for cell in range(CELLS):
        if tracks[at + cell] > 0.0:
            tracks[at + cell] *= 1.0 - part + (part / within if has(r, cells, cell) else 0.0)


@kernel
def keep(r, tracks, at, cells):
    """Restrict a track to the cells of a set and normalise it.

    Return whether the track has any probability on these cells. If it has none, the track stays
    unchanged.
    """
    total = share(tracks, at, cells)
    if total <= 0.0:
        return False
    for cell in range(CELLS):
        if tracks[at + cell] > 0.0:
            tracks[at + cell] = tracks[at + cell] / total if has(r, cells, cell) else 0.0
    return True
