"""A unit's current attack, health, keywords and speed.

A unit stores its own values. The additions by auras and artifacts are computed from the board
whenever they are needed. An aura is an ability that always acts.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.duelyst.cards.vocabulary import (
    A_GENERAL,
    A_MINION,
    ALWAYS,
    ANY,
    ASSEMBLED,
    BY_OWN_GENERAL,
    BY_SELF,
    CELERITY,
    IMMOBILE,
    INFILTRATE,
    KNOWS_DEATHWATCH,
    KNOWS_INFILTRATE,
    KNOWS_ZEAL,
    LEARNED_DEATHWATCH,
    LEARNED_INFILTRATE,
    LEARNED_ZEAL,
    LEND,
    OF_TRIBE,
    OWN,
    OWN_CREEP,
    RAISE,
    SELF,
    SPEED,
    ZEAL,
)
from plyglass.games.duelyst.engine.board import CELLS, half_of
from plyglass.games.duelyst.state import ARTIFACTS, CREEP, MECH

ATTACK_LENT, HEALTH_LENT, KEYWORDS_LENT, SPEED_LENT = np.arange(4)
WALK = 2  # most steps of a move


@kernel
def unit_at(s, cell):
    """Return the unit on a cell, or 0."""
    return np.int64(s.at[cell])


@kernel
def cell_of(s, unit):
    return np.int64(s.cell[unit])


@kernel
def owner_of(s, unit):
    return np.int64(s.owner[unit])


@kernel
def is_general(s, unit):
    return s.general[0] == unit or s.general[1] == unit


@kernel
def general_of(s, player):
    return np.int64(s.general[player])


@kernel
def worn(s, player):
    """Return the number of artifacts that a player's general wears."""
    count = 0
    for slot in range(ARTIFACTS):
        count += s.artifact[player, slot] != 0
    return count


@kernel
def next_to(r, s, one, other):
    """Return whether two units are on neighbouring cells."""
    return r.around[s.cell[one]] >> s.cell[other] & 1


@kernel
def cells_of(s, player):
    """Return the cells of a player's units."""
    cells = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player:
            cells |= 1 << s.cell[unit]
    return cells


@kernel
def attack_of(r, s, unit):
    return max(
        0, s.attack[unit] + s.attack_now[unit] - s.scorched[unit] + lent(r, s, unit, ATTACK_LENT)
    )


@kernel
def most_health(r, s, unit):
    """Return the health of an undamaged unit."""
    return s.health[unit] + lent(r, s, unit, HEALTH_LENT)


@kernel
def health_of(r, s, unit):
    return most_health(r, s, unit) - s.damage[unit]


@kernel
def keywords_of(r, s, unit):
    return s.keywords[unit] | s.keywords_now[unit] | lent(r, s, unit, KEYWORDS_LENT)


@kernel
def speed_of(r, s, unit, keywords):
    return 0 if keywords & IMMOBILE else WALK + lent(r, s, unit, SPEED_LENT)


@kernel
def chances(keywords):
    """Return how often a unit with these keywords may move and attack in a turn."""
    return 2 if keywords & CELERITY else 1


@kernel
def holds(r, s, condition, unit):
    """Return whether the condition of an ability holds for a unit."""
    if condition >= LEARNED_INFILTRATE and not _has_learned(s, condition, unit):
        return False
    if condition in (ZEAL, LEARNED_ZEAL):
        return next_to(r, s, unit, general_of(s, s.owner[unit])) != 0
    if condition in (INFILTRATE, LEARNED_INFILTRATE):
        return half_of(1 - s.owner[unit]) >> s.cell[unit] & 1 != 0
    if condition == ASSEMBLED:
        return s.mech[s.owner[unit]] >= MECH
    return True


@kernel
def _has_learned(s, condition, unit):
    """Return whether a unit was given the keyword that `condition` requires."""
    if condition == LEARNED_INFILTRATE:
        return s.keywords[unit] & KNOWS_INFILTRATE != 0
    if condition == LEARNED_ZEAL:
        return s.keywords[unit] & KNOWS_ZEAL != 0
    return condition == LEARNED_DEATHWATCH and s.keywords[unit] & KNOWS_DEATHWATCH != 0


@kernel
def lent(r, s, unit, what):
    """Return what all units' auras and the generals' artifacts add to one value of a unit.

    The unit's own auras count even when the unit is about to die.
    """
    total = np.int64(0)
    if s.auras:
        for lender in range(1, s.units + 1):
            if s.alive[lender] or lender == unit:
                total = _add_lent_by(r, s, lender, unit, what, total)
    else:
        total = _add_lent_by(r, s, unit, unit, what, total)
    for player in range(2):
        if s.artifact[player, 0] != 0:
            for slot in range(ARTIFACTS):
                total = _add_lent(
                    r,
                    s,
                    np.int64(s.artifact[player, slot]),
                    general_of(s, player),
                    unit,
                    what,
                    total,
                )
    return total


@kernel
def _add_lent_by(r, s, lender, unit, what, total):
    card = np.int64(s.card[lender])
    if r.triggers[card] & 1 << ALWAYS and not s.dispelled[lender]:
        return _add_lent(r, s, card, lender, unit, what, total)
    return total


@kernel
def allowance(r, s, player, effect):
    """Return how much units add to a player's draws, replacements or creep damage per turn."""
    total = 0
    if not s.auras:
        return total
    for unit in range(1, s.units + 1):
        if s.alive[unit] and not s.dispelled[unit] and r.triggers[s.card[unit]] & 1 << ALWAYS:
            for ability in range(r.first[s.card[unit]], r.last[s.card[unit]]):
                if (
                    r.trigger[ability] == ALWAYS
                    and r.effect[ability] == effect
                    and (r.side[ability] == ANY or s.owner[unit] == player)
                ):
                    total += r.amount[ability]
    return total


@kernel
def _add_lent(r, s, card, lender, unit, what, total):
    for ability in range(r.first[card], r.last[card]):
        if (
            r.trigger[ability] == ALWAYS
            and holds(r, s, r.condition[ability], lender)
            and reaches(r, s, ability, lender, unit)
        ):
            if what == KEYWORDS_LENT:
                total |= r.lends[ability] if r.effect[ability] == LEND else 0
            else:
                total += share(r, s, ability, what, lender)
    return total


@kernel
def share(r, s, ability, what, lender):
    """Return how much one aura adds to attack, health or speed."""
    if r.effect[ability] == SPEED:
        return r.amount[ability] if what == SPEED_LENT else 0
    if r.effect[ability] != RAISE or what == SPEED_LENT:
        return 0
    times = count_ones(creep_of(s, s.owner[lender])) if r.measure[ability] == OWN_CREEP else 1
    return times * (r.raise_attack[ability] if what == ATTACK_LENT else r.raise_health[ability])


@kernel
def creep_of(s, player):
    """Return the cells with a player's creep."""
    cells = 0
    for cell in range(CELLS):
        if s.tile[cell] == CREEP + player:
            cells |= 1 << cell
    return cells


@kernel
def reaches(r, s, ability, lender, unit):
    """Return whether an aura acts on a unit."""
    if r.pick[ability] == SELF:
        return lender == unit
    if (
        r.side[ability] != ANY and (r.side[ability] == OWN) != (s.owner[unit] == s.owner[lender])
    ) or (r.other[ability] and lender == unit):
        return False
    if (r.kind[ability] == A_GENERAL and not is_general(s, unit)) or (
        r.kind[ability] == A_MINION and is_general(s, unit)
    ):
        return False
    if r.near[ability] == BY_SELF and not next_to(r, s, lender, unit):
        return False
    if r.near[ability] == BY_OWN_GENERAL and not next_to(
        r, s, general_of(s, s.owner[lender]), unit
    ):
        return False
    return r.filter[ability] != OF_TRIBE or r.tribe[s.card[unit]] == r.value[ability]
