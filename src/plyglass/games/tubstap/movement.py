"""Where units can go, and where they end up when an unseen enemy blocks their way."""

from plyglass.core import kernel
from plyglass.core.memory import stack_ints
from plyglass.games.tubstap.cells import (
    WORDS,
    beside,
    beside_low,
    common,
    has,
    is_empty,
    no_cells,
    row,
    single,
    union,
    without,
)
from plyglass.games.tubstap.state import NOWHERE
from plyglass.games.tubstap.units import AIR, KINDS

MOST_MOVES = max(kind.moves for kind in KINDS)


@kernel
def own_cells(r, s, side):
    """Return the cells of a side's units, as far as the state or view shows them."""
    found = no_cells()
    for slot in range(r.units[side]):
        if s.cell[side, slot] >= 0:
            found = union(found, single(r, s.cell[side, slot]))
    return found


@kernel
def foes(r, s, side):
    """Return the cells of enemies that `side` sees: one set for planes, one for all others."""
    flying, grounded, enemy = no_cells(), no_cells(), 1 - side
    for slot in range(r.units[enemy]):
        if s.spotted[enemy, slot] and s.cell[enemy, slot] >= 0:
            if r.way[r.kind[enemy, slot]] == AIR:
                flying = union(flying, single(r, s.cell[enemy, slot]))
            else:
                grounded = union(grounded, single(r, s.cell[enemy, slot]))
    return flying, grounded


@kernel
def unseen_foes(r, s, side):
    """Return the cells of the enemies that `side` does not see."""
    found, enemy = no_cells(), 1 - side
    for slot in range(r.units[enemy]):
        if not s.spotted[enemy, slot] and s.cell[enemy, slot] >= 0:
            found = union(found, single(r, s.cell[enemy, slot]))
    return found


@kernel
def reach(r, kind, here, blocked):
    """Return the cells that a unit can reach, including its own cell."""
    easy, hard = _enterable(r, kind, blocked)
    if r.low:
        return _reach_low(r, kind, here, easy, hard)
    reached, before = single(r, here), no_cells()
    for _ in range(r.moves[kind]):
        reached, before = _spread(reached, before, easy, hard)
    return reached


@kernel
def _reach_low(r, kind, here, easy, hard):
    """Return the same cells as `reach`, in half the time, on a map of at most eight rows."""
    upper, lower, above, below = r.single[here, 0], r.single[here, 1], 0, 0
    for _ in range(r.moves[kind]):
        dear_above, dear_below = above & hard[0], below & hard[1]
        above, below = beside_low(upper, lower)
        upper |= above & easy[0] | dear_above
        lower |= below & easy[1] | dear_below
    return (upper, lower, 0, 0)


@kernel
def walk(r, s, side, slot, goal):
    """Return the cell where a unit ends its move when it is sent to `goal`.

    The unit takes the cheapest way, given the enemies that its side sees. If an unseen enemy stands
    on this way, the unit stops on the last free cell before the enemy. With the option
    `ambush="stays"`, the unit does not move at all.
    """
    here = s.cell[side, slot]
    hidden = unseen_foes(r, s, side)
    if goal == here or is_empty(hidden):
        return goal
    levels = stack_ints(WORDS * (MOST_MOVES + 1))
    cost = _fill(r, s, side, slot, goal, levels)
    if is_empty(common(hidden, _level(levels, cost))):
        return goal
    end = _way_back(r, s, side, slot, goal, cost, levels, hidden)
    return end if r.stops or end == goal else here


@kernel
def _enterable(r, kind, blocked):
    """Return the cells that cost a kind of unit 1 to enter, and the cells that cost 2."""
    return without(row(r.easy[r.way[kind]]), blocked), without(row(r.hard[r.way[kind]]), blocked)


@kernel
def _spread(reached, before, easy, hard):
    """Return the cells reached at a cost of 1 more, and the cells beside `reached`.

    A cell in `hard` costs 2 to enter. So a unit enters this cell only if the cell is in `before`:
    the cells beside those reached at a cost of 1 less than `reached`.
    """
    around = beside(reached)
    return union(reached, union(common(around, easy), common(before, hard))), around


@kernel
def _fill(r, s, side, slot, goal, levels):
    """Store the cells that a unit can reach at each cost, and return the cost to reach `goal`."""
    kind = r.kind[side, slot]
    flying, grounded = foes(r, s, side)
    easy, hard = _enterable(r, kind, union(flying, grounded))
    reached, before, cost = single(r, s.cell[side, slot]), no_cells(), 0
    _keep(levels, 0, reached)
    while not has(r, reached, goal) and cost < r.moves[kind]:
        reached, before = _spread(reached, before, easy, hard)
        cost += 1
        _keep(levels, cost, reached)
    return cost


@kernel
def _way_back(r, s, side, slot, goal, cost, levels, hidden):
    """Trace the cheapest way back from the goal, and return the cell where the unit ends its move.

    The unit ends its move on the last free cell before the first hidden enemy on the way, or on the
    goal if no hidden enemy is on the way. Among equally cheap ways, the unit prefers a last step
    from the north, then from the east, the south and the west.
    """
    easy, taken = row(r.easy[r.way[r.kind[side, slot]]]), own_cells(r, s, side)
    here, end, ambushed = goal, goal, False
    while cost > 0:
        if has(r, hidden, here):
            ambushed = True
        elif ambushed and not has(r, taken, here):
            end, ambushed = here, False
        cost -= 1 if has(r, easy, here) else 2
        here = _step_back(r, here, _level(levels, cost))
    return s.cell[side, slot] if ambushed else end


@kernel
def _step_back(r, here, reached):
    """Return a cell's first neighbour in `reached`, in the order north, east, south and west."""
    for direction in range(4):
        there = r.next[here, direction]
        if there != NOWHERE and has(r, reached, there):
            return there
    return NOWHERE


@kernel
def _keep(levels, cost, cells):
    for word in range(WORDS):
        levels[WORDS * cost + word] = cells[word]


@kernel
def _level(levels, cost):
    at = WORDS * cost
    return (levels[at], levels[at + 1], levels[at + 2], levels[at + 3])
