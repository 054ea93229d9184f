"""What a side sees, and what it remembers of unseen enemies.

A side remembers for each unseen enemy the cell where the side last saw this enemy. Enemies of the
same kind and health look alike, so several memories may fit an enemy that comes into sight. Such an
enemy gets the memory that fits best, judged by what the side knows. If this memory belonged to
another enemy, the two enemies swap their memories.
"""

from plyglass.core import kernel
from plyglass.core.bits import lowest_one
from plyglass.games.tubstap.cells import SIDE, WORD, has, no_cells, row, union


@kernel
def seen_cells(r, s, viewer):
    """Return the cells that at least one unit of a side sees."""
    seen = no_cells()
    for slot in range(r.units[viewer]):
        here = s.cell[viewer, slot]
        if here >= 0:
            seen = union(seen, row(r.sight[r.kind[viewer, slot], here]))
    return seen


@kernel
def look_around(r, s, viewer):
    """Update which enemies a side sees, after the side moved or lost units of its own."""
    seen, enemy, new = seen_cells(r, s, viewer), 1 - viewer, 0
    for slot in range(r.units[enemy]):
        if s.cell[enemy, slot] >= 0 and has(r, seen, s.cell[enemy, slot]) != s.spotted[enemy, slot]:
            if s.spotted[enemy, slot]:
                s.spotted[enemy, slot] = 0
            else:
                new |= 1 << slot
    while new != 0:
        slot = _first_cell(s, enemy, new)
        new ^= 1 << slot
        _recognise(r, s, enemy, slot)


@kernel
def look_at(r, s, viewer, slot):
    """Update whether a side sees an enemy that has moved."""
    enemy = 1 - viewer
    if not sees(r, s, viewer, s.cell[enemy, slot]):
        s.spotted[enemy, slot] = 0
    elif s.spotted[enemy, slot]:
        note(s, enemy, slot)
    else:
        _recognise(r, s, enemy, slot)


@kernel
def sees(r, s, viewer, cell):
    """Return whether at least one unit of a side sees a cell."""
    word, bit = cell // WORD, cell % WORD
    for slot in range(r.units[viewer]):
        here = s.cell[viewer, slot]
        if here >= 0 and r.sight[r.kind[viewer, slot], here, word] >> bit & 1:
            return True
    return False


@kernel
def watch(r, s):
    """Note for all units in sight that they were last seen in the turn that now begins."""
    for side in range(2):
        for slot in range(r.units[side]):
            if s.spotted[side, slot]:
                s.last_turn[side, slot] = s.turn


@kernel
def note(s, side, slot):
    """Note that the enemy now sees a unit on its present cell."""
    s.spotted[side, slot] = 1
    s.last_cell[side, slot], s.last_turn[side, slot] = s.cell[side, slot], s.turn


@kernel
def swap_memories(s, side, one, other):
    cell, turn = s.last_cell[side, one], s.last_turn[side, one]
    s.last_cell[side, one], s.last_turn[side, one] = (
        s.last_cell[side, other],
        s.last_turn[side, other],
    )
    s.last_cell[side, other], s.last_turn[side, other] = cell, turn


@kernel
def _first_cell(s, side, slots):
    """Return the slot, among `slots`, of the unit on the smallest cell.

    The enemy sees cells but not slots, so an order by slot would reveal hidden information.
    """
    first = lowest_one(slots)
    rest = slots & (slots - 1)
    while rest != 0:
        slot = lowest_one(rest)
        rest &= rest - 1
        if s.cell[side, slot] < s.cell[side, first]:
            first = slot
    return first


@kernel
def _recognise(r, s, side, slot):
    """Give the best-fitting memory to a unit that comes into sight, and note the unit's cell."""
    best = slot
    for other in range(r.units[side]):
        alike = (
            r.kind[side, other] == r.kind[side, slot]
            and s.health[side, other] == s.health[side, slot]
        )
        if alike and s.cell[side, other] >= 0 and not s.spotted[side, other]:
            if _misfit(s, side, other, s.cell[side, slot]) < _misfit(
                s, side, best, s.cell[side, slot]
            ):
                best = other
    swap_memories(s, side, slot, best)
    note(s, side, slot)


@kernel
def _misfit(s, side, slot, cell):
    """Return how badly a memory fits a unit that comes into sight on a cell.

    A memory of exactly this cell fits best. A memory of another cell fits worst if it dates from
    this turn. Any other memory fits better the nearer its cell is.
    """
    last, turn = s.last_cell[side, slot], s.last_turn[side, slot]
    steps = abs(last // SIDE - cell // SIDE) + abs(last % SIDE - cell % SIDE)
    if steps == 0:
        return turn
    return ((turn == s.turn) << 40) + (steps << 32) + (last << 16) + turn
