"""A world by the tracks of unseen enemies."""

from plyglass.core import draw, kernel
from plyglass.games.tubstap.board import PLAYING, UNSEEN
from plyglass.games.tubstap.cells import CELLS, has, no_cells, single, union
from plyglass.games.tubstap.hiding import meet
from plyglass.games.tubstap.tracks import ACTED, track_of

FINE = 1 << 30  # parts that a probability is drawn in


@kernel
def place(r, s, viewer, tracks):
    """Put unseen enemies on cells as their tracks say, no two on one; returns what the world counts
    for, nothing if one finds no cell.

    Each is drawn among the cells that are left, and the world counts for how much of every track
    those were: together that gives every world in which no two are on one cell the product of its
    probabilities.
    """
    if not r.fog or s.result != PLAYING:
        return 1.0
    enemy, taken, weight = 1 - viewer, no_cells(), 1.0
    for slot in range(r.units[enemy] - 1, -1, -1):  # planes, which may be in most places, come last
        if s.cell[enemy, slot] == UNSEEN:
            free = _free(r, s, enemy, tracks, track_of(slot), slot)
            cell = _cell(r, tracks, track_of(slot), taken, free * draw(s, FINE) / FINE)
            if free <= 0.0 or cell < 0:
                return 0.0
            s.cell[enemy, slot], weight = cell, weight * free
            taken = union(taken, single(r, cell))
            if s.turn & 1 == enemy:
                s.acted[enemy, slot] = draw(s, FINE) < tracks[track_of(slot) + ACTED] * FINE
    meet(r, s, viewer)
    return weight


@kernel
def _free(r, s, enemy, tracks, at, slot):
    """How much of a track is left beside the units that have been put somewhere."""
    left = 1.0
    for other in range(slot + 1, r.units[enemy]):
        if s.cell[enemy, other] >= 0:
            left -= tracks[at + s.cell[enemy, other]]
    return left


@kernel
def _cell(r, tracks, at, taken, point):
    """The cell of a track at which the sum over those that are not taken passes a point; -1 if
    there is none.
    """
    last = -1
    for cell in range(CELLS):
        here = tracks[at + cell]
        if here > 0.0 and not has(r, taken, cell):
            last = cell
            if point < here:
                return cell
            point -= here
    return last
