"""A side's legal actions, given what the side sees.

Legal actions depend neither on unseen enemies nor on the order in which enemies are stored.
"""

from plyglass.core import kernel, pack
from plyglass.core.bits import lowest_one
from plyglass.games.tubstap.cells import (
    WORD,
    beside,
    common,
    east_of,
    is_empty,
    north_of,
    row,
    single,
    size,
    south_of,
    union,
    west_of,
    without,
)
from plyglass.games.tubstap.movement import foes, own_cells, reach
from plyglass.games.tubstap.state import (
    DIRECTION_BITS,
    EAST,
    END,
    MOVE,
    NORTH,
    SHOOT,
    SOUTH,
    STRIKE,
    WEST,
)


@kernel
def list_all(r, s, out):
    """Write all legal actions of the side to move to `out`, and return their number.

    Actions are listed unit by unit. A unit's moves come before its attacks, and the end of the turn
    comes last.
    """
    side = s.turn & 1
    taken = own_cells(r, s, side)
    flying, grounded = foes(r, s, side)
    count = 0
    for slot in range(r.units[side]):
        if can_act(s, side, slot):
            kind, here = r.kind[side, slot], s.cell[side, slot]
            where = stops(r, kind, here, taken, union(flying, grounded))
            count = _list(out, count, pack(MOVE, here, 0), where)
            count = _list_attacks(
                r, out, count, kind, here, where, victims(r, kind, here, flying, grounded)
            )
    out[count] = pack(END, 0, 0)
    return count + 1


@kernel
def can_act(s, side, slot):
    return s.cell[side, slot] >= 0 and not s.acted[side, slot]


@kernel
def stops(r, kind, here, taken, blocked):
    """Return the cells where a unit can end its move: its own cell, or cells without seen units."""
    return union(without(reach(r, kind, here, blocked), taken), single(r, here))


@kernel
def victims(r, kind, here, flying, grounded):
    """Return the cells of seen enemies that a unit may attack and can reach in this turn."""
    air, ground = r.hits_air[kind], r.hits_ground[kind]
    hit = union(
        common(flying, (air, air, air, air)), common(grounded, (ground, ground, ground, ground))
    )
    return common(hit, row(r.prey[kind, here]))


@kernel
def strikes(where, there, direction):
    """Return the cells in `where` whose neighbour in the given direction is in `there`."""
    if direction == NORTH:
        return common(where, south_of(there))
    if direction == EAST:
        return common(where, west_of(there))
    if direction == SOUTH:
        return common(where, north_of(there))
    return common(where, east_of(there))


@kernel
def count_attacks(r, kind, where, there):
    """Return the number of attacks that a unit can choose from."""
    if r.indirect[kind]:
        return size(there)
    count = 0
    if not is_empty(common(where, beside(there))):
        for direction in range(WEST + 1):
            count += size(strikes(where, there, direction))
    return count


@kernel
def _list_attacks(r, out, count, kind, here, where, there):
    if r.indirect[kind]:
        return _list(out, count, pack(SHOOT, here, 0), there)
    if not is_empty(common(where, beside(there))):
        for direction in range(WEST + 1):
            count = _list(
                out,
                count,
                pack(STRIKE, here, direction << DIRECTION_BITS),
                strikes(where, there, direction),
            )
    return count


@kernel
def _list(out, count, action, cells):
    """For each cell of a set, list `action` with the cell added to its target."""
    count = _list_word(out, count, action, cells[0])
    count = _list_word(out, count, action + WORD, cells[1])
    count = _list_word(out, count, action + 2 * WORD, cells[2])
    return _list_word(out, count, action + 3 * WORD, cells[3])


@kernel
def _list_word(out, count, action, word):
    while word != 0:
        out[count] = action + lowest_one(word)
        word &= word - 1
        count += 1
    return count
