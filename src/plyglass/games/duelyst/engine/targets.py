"""Targets of an ability: the cells of all candidates, and the cells that the ability picks."""

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    A_CELL,
    A_GENERAL,
    A_MINION,
    A_SPACE,
    ANY,
    ATTACK_AT_MOST,
    BEFORE_ENEMIES,
    BEFORE_OWN_GENERAL,
    BEFORE_SELF,
    BY_CHOSEN,
    BY_ENEMY_GENERAL,
    BY_OWN_GENERAL,
    BY_OWN_UNITS,
    BY_SAME,
    BY_SELF,
    CAST,
    CHOSEN,
    ELUSIVE,
    ENEMY_SIDE,
    EVENT,
    FAR_FROM_GENERALS,
    IN_CORNERS,
    ITS,
    OF_CARD,
    OF_TRIBE,
    OF_TYPE,
    ONE_STEP,
    OWN,
    OWN_SIDE,
    RANDOM,
    SAME,
    SELF,
    SQUARE_2,
    SQUARE_3,
    THREE_STEPS,
    TILE,
    TWO_STEPS,
    WEAKEST,
    WITH_DAMAGE,
    WITH_KEYWORD,
    WITH_TRIGGER,
)
from plyglass.games.duelyst.engine.arrivals import empty_cells
from plyglass.games.duelyst.engine.board import ALL, CORNERS, WIDTH, half_of, in_front, some_of
from plyglass.games.duelyst.engine.events import NOBODY
from plyglass.games.duelyst.engine.units import (
    attack_of,
    cell_of,
    creep_of,
    general_of,
    is_general,
    keywords_of,
    owner_of,
)


@kernel
def picked(r, s, ability, owner, source, subject, cell):
    """Return the cells on which an ability acts.

    A chosen cell is not checked again, because the cell was a candidate when the player chose it.
    """
    pick, kind = r.pick[ability], r.kind[ability]
    if pick == CHOSEN:
        fits = kind == A_CELL or (kind == A_SPACE) == (s.at[cell] == 0)
        return 1 << cell if fits else 0
    cells = candidates(r, s, ability, owner, source, subject, cell)
    if pick == RANDOM:
        return some_of(s, cells, r.count[ability])
    if pick == SELF:
        return cells & 1 << s.cell[source]
    if pick in (SAME, EVENT):
        if kind >= A_SPACE:
            return cells & 1 << cell
        return cells & 1 << s.cell[subject] if subject != 0 and s.alive[subject] else 0
    return cells


@kernel
def candidates(r, s, ability, owner, source, subject, cell):
    """Return the cells on which an ability could act."""
    area = _area(r, s, ability, owner, source, subject, cell)
    if r.kind[ability] == A_CELL:
        return (
            area & ~creep_of(s, owner)
            if r.effect[ability] == TILE and r.pick[ability] == RANDOM
            else area
        )
    if r.kind[ability] == A_SPACE:
        return area & empty_cells(s) & ~(r.other[ability] << s.cell[source])
    found = 0
    least = _least_attack(r, s) if r.filter[ability] == WEAKEST else NOBODY
    for unit in range(1, s.units + 1):
        if (
            s.alive[unit]
            and area >> s.cell[unit] & 1
            and _suits(r, s, ability, owner, source, subject, unit)
        ):
            if passes(r, s, r.filter[ability], r.value[ability], unit, least):
                found |= 1 << s.cell[unit]
    return found


@kernel
def _area(r, s, ability, owner, source, subject, cell):
    """Return the set of cells on which an ability can have targets."""
    near = r.near[ability]
    if near == BY_SELF:
        return r.around[s.cell[source]]
    if near == BY_OWN_GENERAL:
        return r.around[s.cell[s.general[owner]]]
    if near == BY_ENEMY_GENERAL:
        return r.around[s.cell[s.general[1 - owner]]]
    if near == BY_CHOSEN:
        return r.around[cell]
    if near == BY_SAME:
        return r.around[s.cell[subject]]
    if near in (ONE_STEP, TWO_STEPS, THREE_STEPS):
        return r.disc[s.cell[subject], 2 if near == TWO_STEPS else 3 if near == THREE_STEPS else 1]
    if near == SQUARE_2:
        return (3 | 3 << WIDTH) << cell
    if near == SQUARE_3:
        return r.around[cell] | 1 << cell
    return _region(r, s, near, owner, source)


@kernel
def _region(r, s, near, owner, source):
    if near == OWN_SIDE:
        return half_of(owner)
    if near == ENEMY_SIDE:
        return half_of(1 - owner)
    if near == BY_OWN_UNITS:
        return summon_cells(r, s, owner)
    if near == IN_CORNERS:
        return CORNERS
    if near == BEFORE_SELF:
        return in_front(cell_of(s, source), owner)
    if near == BEFORE_OWN_GENERAL:
        return in_front(cell_of(s, general_of(s, owner)), owner)
    if near == BEFORE_ENEMIES:
        return _before_units(s, 1 - owner)
    return ALL


@kernel
def summon_cells(r, s, player):
    """Return the empty cells beside a player's units."""
    cells = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player:
            cells |= r.around[s.cell[unit]]
    return cells & empty_cells(s)


@kernel
def _before_units(s, player):
    cells = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player:
            cells |= in_front(cell_of(s, unit), player)
    return cells


@kernel
def _suits(r, s, ability, owner, source, subject, unit):
    """Return whether a unit has the side and kind that an ability needs, and can be targeted."""
    side = r.side[ability]
    if side != ANY:
        wanted = owner_of(s, subject) if side == ITS else owner if side == OWN else 1 - owner
        if s.owner[unit] != wanted:
            return False
    if (r.kind[ability] == A_MINION and is_general(s, unit)) or (
        r.kind[ability] == A_GENERAL and not is_general(s, unit)
    ):
        return False
    if r.other[ability] and unit == source:
        return False
    aimed = r.trigger[ability] == CAST and r.pick[ability] == CHOSEN and s.owner[unit] != owner
    return not (aimed and keywords_of(r, s, unit) & ELUSIVE)


@kernel
def passes(r, s, which, value, unit, least):
    """Return whether a unit passes a filter."""
    if which == ATTACK_AT_MOST:
        return attack_of(r, s, unit) <= value
    if which == WEAKEST:
        return attack_of(r, s, unit) == least
    if which == OF_TRIBE:
        return r.tribe[s.card[unit]] == value
    if which == OF_TYPE:
        return r.type[s.card[unit]] == value
    if which == OF_CARD:
        return s.card[unit] == value
    if which == WITH_TRIGGER:
        return r.triggers[s.card[unit]] >> value & 1 != 0
    if which == WITH_KEYWORD:
        return keywords_of(r, s, unit) & value != 0
    if which == WITH_DAMAGE:
        return s.damage[unit] > 0
    if which == FAR_FROM_GENERALS:
        return (r.around[s.cell[s.general[0]]] | r.around[s.cell[s.general[1]]]) >> s.cell[
            unit
        ] & 1 == 0
    return True


@kernel
def _least_attack(r, s):
    """Return the lowest attack of all minions on the board."""
    least = 1 << 16
    for unit in range(1, s.units + 1):
        if s.alive[unit] and not is_general(s, unit):
            least = min(least, attack_of(r, s, unit))
    return least
