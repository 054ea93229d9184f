"""Damage, healing and death."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    DAMAGED,
    FORCEFIELD,
    HITS,
    INVULNERABLE,
    KILLS,
    SAFE,
    SOFTENED,
)
from plyglass.games.duelyst.engine.events import (
    DEATH,
    GENERAL_HURT,
    NOBODY,
    OWN_HURT,
    SPELL_HURT,
    SURVIVED,
    WAS_HEALED,
    fire,
    note,
    push,
)
from plyglass.games.duelyst.engine.units import (
    attack_of,
    health_of,
    is_general,
    keywords_of,
    owner_of,
)
from plyglass.games.duelyst.state import ARTIFACTS

# Ways to take damage; nothing prevents or reduces damage BY_NATURE.
BY_ATTACK, BY_SPELL, BY_ABILITY, BY_NATURE = np.arange(4)
SOFTENING = 2  # how much the keyword "first hit softened" reduces a turn's first damage


@kernel
def hurt(r, s, queue, source, unit, amount, way):
    """Damage a unit; damage of 0 triggers nothing and costs artifacts no durability."""
    if not s.alive[unit] or amount <= 0:
        return
    if way != BY_NATURE:
        amount = _weakened(r, s, source, unit, amount, way)
        if amount <= 0:
            return
    s.damage[unit] += amount
    _wear(s, queue, unit, amount)
    fire(r, s, queue, DAMAGED, unit, source, amount)
    if source != 0:
        fire(r, s, queue, HITS, source, unit, amount)
    if way == BY_SPELL:
        note(s, queue, SPELL_HURT, unit, 1 - s.owner[unit], amount)
    if health_of(r, s, unit) > 0:
        note(s, queue, SURVIVED, unit, owner_of(s, unit), amount)
        return
    if source != 0 and s.owner[source] != s.owner[unit]:
        fire(r, s, queue, KILLS, source, unit, amount)
    kill(s, queue, unit)


@kernel
def _weakened(r, s, source, unit, amount, way):
    """Return the damage that is left after the unit's keywords have prevented or reduced it."""
    keywords = keywords_of(r, s, unit)
    if (
        keywords & INVULNERABLE
        or (keywords & SAFE and way == BY_ATTACK and is_general(s, source))
        or (way == BY_SPELL and s.calm != 0)
    ):
        return 0
    if s.shield[unit] and keywords & (FORCEFIELD | SOFTENED):
        s.shield[unit] = 0
        return 0 if keywords & FORCEFIELD else amount - SOFTENING
    return amount


@kernel
def _wear(s, queue, unit, amount):
    """Note the damage to a unit, and wear down a damaged general's artifacts.

    Each artifact of a damaged general loses one durability. Broken artifacts are removed when all
    events have happened.
    """
    player = owner_of(s, unit)
    note(s, queue, OWN_HURT, unit, player, amount)
    if is_general(s, unit):
        note(s, queue, GENERAL_HURT, unit, player, amount)
        for slot in range(ARTIFACTS):
            if s.artifact[player, slot] != 0:
                s.durability[player, slot] -= 1


@kernel
def heal(s, queue, unit, amount):
    """Remove damage from a unit; healing an undamaged unit triggers nothing."""
    restored = min(amount, s.damage[unit])
    if s.alive[unit] and restored > 0:
        s.damage[unit] -= restored
        note(s, queue, WAS_HEALED, unit, owner_of(s, unit), restored)


@kernel
def kill(s, queue, unit):
    """Take a unit off the board, and queue the consequences of its death."""
    if s.alive[unit]:
        s.alive[unit] = 0
        s.at[s.cell[unit]] = 0
        push(s, queue, DEATH, NOBODY, NOBODY, unit, NOBODY, NOBODY, NOBODY)


@kernel
def vanish(s, unit):
    """Take a unit off the board without triggering abilities that react to a death."""
    if s.alive[unit]:
        s.alive[unit] = 0
        s.at[s.cell[unit]] = 0


@kernel
def change_health(r, s, queue, unit, change):
    """Change a unit's health; a unit without health dies."""
    s.health[unit] += change
    if health_of(r, s, unit) <= 0:
        kill(s, queue, unit)


@kernel
def swap_stats(r, s, queue, unit):
    """Exchange a unit's attack and health permanently."""
    attack, health = attack_of(r, s, unit), health_of(r, s, unit)
    set_stats(s, queue, unit, health, attack)


@kernel
def set_stats(s, queue, unit, attack, health):
    """Set a unit's attack and health permanently, so a dispel does not restore the old values."""
    s.base_attack[unit], s.attack[unit] = attack, attack
    s.base_health[unit], s.health[unit] = health, health
    s.attack_now[unit], s.scorched[unit], s.damage[unit] = 0, 0, 0
    if health <= 0:
        kill(s, queue, unit)
