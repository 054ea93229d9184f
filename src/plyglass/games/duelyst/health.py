"""Damage, healing and death."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.board import ARTIFACTS
from plyglass.games.duelyst.events import (
    DEATH,
    GENERAL_HURT,
    NOBODY,
    OWN_HURT,
    SPELL_HURT,
    SURVIVED,
    WAS_HEALED,
    note,
    push,
)
from plyglass.games.duelyst.triggers import fire
from plyglass.games.duelyst.units import attack_of, health_of, is_general, keywords_of, owner_of
from plyglass.games.duelyst.words import (
    DAMAGED,
    FORCEFIELD,
    HITS,
    INVULNERABLE,
    KILLS,
    SAFE,
    SOFTENED,
)

BY_ATTACK, BY_SPELL, BY_ABILITY, BY_NATURE = np.arange(
    4
)  # ways to be hurt; nothing keeps nature off
SOFTENING = 2  # what the first damage of a turn is less by


@kernel
def hurt(r, s, queue, source, unit, amount, way):
    """Damage a unit. Zero damage is none: nothing waits for it, and nothing wears out."""
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
    """What is left of damage that something may keep off."""
    keywords = keywords_of(r, s, unit)
    if keywords & INVULNERABLE or (keywords & SAFE and way == BY_ATTACK and is_general(s, source)):
        return 0
    if s.shield[unit] and keywords & (FORCEFIELD | SOFTENED):
        s.shield[unit] = 0
        return 0 if keywords & FORCEFIELD else amount - SOFTENING
    return amount


@kernel
def _wear(s, queue, unit, amount):
    """Every artifact of a general that is hurt wears out a little; broken ones go when all has
    happened.
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
    """Take damage away; what watches healing waits for damage that was there."""
    restored = min(amount, s.damage[unit])
    if s.alive[unit] and restored > 0:
        s.damage[unit] -= restored
        note(s, queue, WAS_HEALED, unit, owner_of(s, unit), restored)


@kernel
def kill(s, queue, unit):
    """From now on nobody can aim at the unit, and its cell is free; what comes of its death
    waits in the queue.
    """
    if s.alive[unit]:
        s.alive[unit] = 0
        s.at[s.cell[unit]] = 0
        push(s, queue, DEATH, NOBODY, NOBODY, unit, NOBODY, NOBODY, NOBODY)


@kernel
def vanish(s, unit):
    """Take a unit off the board without a death."""
    if s.alive[unit]:
        s.alive[unit] = 0
        s.at[s.cell[unit]] = 0


@kernel
def change_health(r, s, queue, unit, change):
    """More or less health; who has none left dies."""
    s.health[unit] += change
    if health_of(r, s, unit) <= 0:
        kill(s, queue, unit)


@kernel
def swap_stats(r, s, queue, unit):
    """Attack becomes health and health attack, for good."""
    attack, health = attack_of(r, s, unit), health_of(r, s, unit)
    set_stats(s, queue, unit, health, attack)


@kernel
def set_stats(s, queue, unit, attack, health):
    """Attack and health are these, whatever they were, and a dispel does not bring them back."""
    s.base_attack[unit], s.base_health[unit], s.attack[unit], s.health[unit] = (
        attack,
        health,
        attack,
        health,
    )
    s.attack_now[unit], s.scorched[unit], s.damage[unit] = 0, 0, 0
    if health <= 0:
        kill(s, queue, unit)
