"""A side's view, and worlds that are consistent with the view, drawn uniformly or by tracks."""

from plyglass.core import draw, kernel
from plyglass.games.tubstap.cells import (
    CELLS,
    has,
    no_cells,
    nth,
    row,
    single,
    size,
    union,
    without,
)
from plyglass.games.tubstap.movement import own_cells
from plyglass.games.tubstap.sight import look_around, seen_cells, swap_memories
from plyglass.games.tubstap.state import PLAYING, UNSEEN
from plyglass.games.tubstap.tracks import ACTED, track_of
from plyglass.games.tubstap.units import AIR, FOOT, VEHICLE

FINE = 1 << 30  # number of equally likely values when a probability is drawn


@kernel
def hide(r, s, viewer):
    """Erase what the viewer cannot know.

    The viewer cannot know where unseen enemies are, whether unseen enemies have acted in this turn,
    and whether the enemy sees the viewer's own units. The view keeps the kind and health of every
    enemy, because an enemy's health changes only in the viewer's sight. The enemies are sorted, so
    their order reveals nothing. When the game is over, nothing is erased.
    """
    if not r.fog or s.result != PLAYING:
        return
    enemy = 1 - viewer
    for slot in range(r.units[viewer]):
        s.spotted[viewer, slot], s.last_cell[viewer, slot], s.last_turn[viewer, slot] = 0, 0, 0
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] >= 0 and not s.spotted[enemy, slot]:
            s.cell[enemy, slot] = UNSEEN
            if s.turn & 1 == enemy:
                s.acted[enemy, slot] = 0
        _sort_in(r, s, enemy, slot)


@kernel
def imagine(r, s, viewer):
    """Put unseen enemies on random cells out of sight that they can enter.

    An enemy that was seen in the viewer's current turn stays on that cell. Units that can enter the
    fewest cells are placed first, so every unit finds a cell.
    """
    if not r.fog or s.result != PLAYING:
        return
    enemy = 1 - viewer
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] == UNSEEN:
            if s.turn & 1 == enemy:
                s.acted[enemy, slot] = draw(s, 2)
            elif s.last_turn[enemy, slot] == s.turn:
                s.cell[enemy, slot] = s.last_cell[enemy, slot]
    _place(r, s, viewer, VEHICLE)
    _place(r, s, viewer, FOOT)
    _place(r, s, viewer, AIR)
    meet(r, s, viewer)


@kernel
def meet(r, s, viewer):
    """Update which of the viewer's units the placed enemies see.

    If the placed enemies do not see a unit, the enemy remembers only the unit's first cell.
    """
    for slot in range(r.units[viewer]):
        s.last_cell[viewer, slot] = r.home[viewer, slot] if s.cell[viewer, slot] >= 0 else 0
    look_around(r, s, 1 - viewer)


@kernel
def _place(r, s, viewer, way):
    """Put all unseen enemies with this way of moving on random cells out of sight."""
    enemy, seen = 1 - viewer, seen_cells(r, s, viewer)
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] == UNSEEN and r.way[r.kind[enemy, slot]] == way:
            enterable = union(row(r.easy[way]), row(r.hard[way]))
            free = without(without(enterable, seen), own_cells(r, s, enemy))
            s.cell[enemy, slot] = nth(free, draw(s, size(free)))


@kernel
def _sort_in(r, s, side, slot):
    """Move a unit to its place among the sorted units of its kind in earlier slots."""
    while (
        slot > 0
        and r.kind[side, slot - 1] == r.kind[side, slot]
        and _rank(s, side, slot) < _rank(s, side, slot - 1)
    ):
        _swap(s, side, slot, slot - 1)
        slot -= 1


@kernel
def _rank(s, side, slot):
    """Return the sort key of a unit; the enemy cannot tell units with equal keys apart."""
    place = (s.health[side, slot] << 16) + s.cell[side, slot] - UNSEEN
    return (
        (((place << 16) + s.last_cell[side, slot]) << 16)
        + 2 * s.last_turn[side, slot]
        + s.acted[side, slot]
    )


@kernel
def _swap(s, side, one, other):
    swap_memories(s, side, one, other)
    s.cell[side, one], s.cell[side, other] = s.cell[side, other], s.cell[side, one]
    s.health[side, one], s.health[side, other] = s.health[side, other], s.health[side, one]
    s.acted[side, one], s.acted[side, other] = s.acted[side, other], s.acted[side, one]
    s.spotted[side, one], s.spotted[side, other] = s.spotted[side, other], s.spotted[side, one]


@kernel
def place(r, s, viewer, tracks):
    """Draw a cell for each unseen enemy from its track, and return the world's weight.

    No two enemies share a cell, because each enemy's cell is drawn from the cells that are still
    free. The weight corrects for this restriction. The weight is a product with one factor for each
    enemy: the total probability that the enemy's track gives to the free cells. So a weighted world
    counts in proportion to the product of the probabilities of its enemies' cells. The weight is 0
    if no free cell is left for an enemy.
    """
    if not r.fog or s.result != PLAYING:
        return 1.0
    enemy, taken, weight = 1 - viewer, no_cells(), 1.0
    for slot in range(r.units[enemy] - 1, -1, -1):  # planes come last, as they can be on most cells
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
    """Return the sum of a track's probabilities on cells that no placed unit occupies."""
    left = 1.0
    for other in range(slot + 1, r.units[enemy]):
        if s.cell[enemy, other] >= 0:
            left -= tracks[at + s.cell[enemy, other]]
    return left


@kernel
def _cell(r, tracks, at, taken, point):
    """Return the first cell at which the cumulative probability of free cells exceeds `point`.

    For a random `point`, the result is a cell drawn by its probability. The result is -1 if no
    cumulative probability exceeds `point`.
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
