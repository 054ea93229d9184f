"""The order in which the starter AI uses its units, and where they move."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.cards.vocabulary import BLAST, EPHEMERAL, FLYING, RANGED
from plyglass.games.duelyst.engine.board import CELLS, HEIGHT, WIDTH
from plyglass.games.duelyst.engine.movement import in_range, ready
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    cells_of,
    chances,
    general_of,
    keywords_of,
    owner_of,
)
from plyglass.games.duelyst.starter.attacks import best_target, prey_of, reach_of
from plyglass.games.duelyst.starter.buffs import NO_ACTION
from plyglass.games.duelyst.starter.places import (
    EVASIVE,
    apart,
    nature_of,
    nearest_enemy,
    place_worth,
)
from plyglass.games.duelyst.starter.worth import worth_of
from plyglass.games.duelyst.state import MOVE

QUEUE = 2 * CELLS


@kernel
def usable_units(r, s, out):
    """List the units that can still act, in the order of the original program.

    The program inserts minions by age, and then the general. Its list is not fully sorted, but the
    first unit is always the most valuable.
    """
    player, count = np.int64(s.player), np.int64(0)
    general = general_of(s, player)
    for number in range(1, s.units + 2):
        unit = np.int64(number) if number <= s.units else general
        if (
            s.owner[unit] == player
            and (unit != general or number > s.units)
            and _can_act(r, s, unit)
        ):
            _insert(r, s, out, count, unit)
            count += 1
    return count


@kernel
def _can_act(r, s, unit):
    return ready(s, unit) and s.attacks[unit] < chances(keywords_of(r, s, unit))


@kernel
def _insert(r, s, out, count, unit):
    """Insert a unit into the list.

    A unit that is at least as valuable as the first unit goes to the front. Any other unit is
    compared with all units of the list except the first. It goes behind the last of these that is
    not more valuable. If all of these are more valuable, it goes to the end of the list.
    """
    worth, place = worth_of(r, s, unit), count
    if count == 0 or worth >= worth_of(r, s, out[0]):
        place = 0
    else:
        for other in range(count - 1, 0, -1):
            if worth_of(r, s, out[other]) <= worth:
                place = other + 1
                break
    for other in range(count, place, -1):
        out[other] = out[other - 1]
    out[place] = unit


@kernel
def move_with(r, s, unit, killing, lethal):
    """Return the move of a unit to a better cell.

    With `killing`, only units that keep away from enemies may move farther than one cell.
    """
    cells = reach_of(r, s, unit)
    if cells == 0:
        return NO_ACTION
    here, keywords, near = cell_of(s, unit), keywords_of(r, s, unit), prey_of(r, s, unit)
    nature = nature_of(r, s, unit, keywords)
    order = stack_ints(QUEUE)
    count = _ways(s, unit, keywords, cells, order)
    best, objective, there = here, np.int64(0), here
    most, _ = _stand(r, s, unit, keywords, nature, here, near, killing, lethal)
    for number in range(count):
        there = order[number]
        score, aim = _stand(r, s, unit, keywords, nature, there, near, killing, lethal)
        if score > most:
            most, best, objective = score, there, aim
    if best == here or (killing and not nature & EVASIVE and apart(here, best) > 1):
        return NO_ACTION
    if keywords & EPHEMERAL and apart(best, cell_of(s, objective)) > 1:
        return NO_ACTION
    return pack(MOVE, here, best)


@kernel
def _stand(r, s, unit, keywords, nature, cell, near, killing, lethal):
    """Return the value of a cell to a unit, and the unit's objective from this cell.

    The objective is the best target that the unit can attack both from its present cell and from
    `cell`. Without such a target, the objective is the nearest enemy.
    """
    cells = near & in_range(r, cell, keywords)
    objective, score = best_target(
        r, s, unit, keywords, cell, cells, attack_of(r, s, unit), killing, lethal
    )
    if objective == 0 or keywords & (RANGED | BLAST):
        score = 0.0
    if objective == 0:
        objective = nearest_enemy(s, owner_of(s, unit), cell)
    return score + place_worth(
        r, s, owner_of(s, unit), keywords, nature, cell, objective
    ), objective


@kernel
def _ways(s, unit, keywords, cells, order):
    """List the cells to which a unit can move, in the order of a breadth-first search.

    The search goes left, right, down and up. For a flying unit, cells are listed column by column.
    """
    if keywords & FLYING:
        return by_columns(cells, order)
    foes = cells_of(s, 1 - owner_of(s, unit))
    seen, head, count = 1 << s.cell[unit], 0, 1
    order[0] = cell_of(s, unit)
    while head < count:
        cell = order[head]
        head += 1
        for direction in range(4):
            there = _step(cell, direction)
            if there >= 0 and not (seen | foes) >> there & 1:
                seen |= 1 << there
                order[count] = there
                count += 1
    return _keep(order, count, cells)


@kernel
def _step(cell, direction):
    """Return the neighbour of a cell in a direction, or -1 at the edge of the board."""
    x, y = cell % WIDTH, cell // WIDTH
    x += (direction == 1) - (direction == 0)
    y += (direction == 3) - (direction == 2)
    return WIDTH * y + x if 0 <= x < WIDTH and 0 <= y < HEIGHT else -1


@kernel
def _keep(order, count, cells):
    """Keep the cells of a list that are in a set, and return their number."""
    kept = 0
    for number in range(count):
        if cells >> order[number] & 1:
            order[kept] = order[number]
            kept += 1
    return kept


@kernel
def by_columns(cells, order):
    """List a set of cells column by column from the left, and from below in each column."""
    count = 0
    for x in range(WIDTH):
        for y in range(HEIGHT):
            if cells >> WIDTH * y + x & 1:
                order[count] = WIDTH * y + x
                count += 1
    return count
