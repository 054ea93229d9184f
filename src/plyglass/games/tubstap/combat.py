"""Attacks: their damage, and when the defender strikes back.

No part of an attack depends on chance.
"""

from plyglass.core import kernel
from plyglass.games.tubstap.state import NOWHERE
from plyglass.games.tubstap.units import AIR


@kernel
def damage(r, kind, health, victim, victim_health, cell):
    """Return the health that a unit on `cell` loses in an attack, rounded down.

    The damage is at most `victim_health`, the health of the attacked unit. `kind` and `health`
    belong to the attacker, and `victim` is the kind of the attacked unit.
    """
    stars = 0 if r.way[victim] == AIR else r.stars[cell]
    return min(
        (r.power[kind, victim] * health + 70) // (100 + stars * victim_health), victim_health
    )


@kernel
def exchange(r, s, side, slot, victim):
    """Let a unit attack an enemy, and return whether one of them is lost.

    The enemy strikes back if it survives and if neither unit is a cannon.
    """
    enemy = 1 - side
    _hit(r, s, side, slot, victim)
    if (
        s.health[enemy, victim] > 0
        and not r.indirect[r.kind[side, slot]]
        and not r.indirect[r.kind[enemy, victim]]
    ):
        _hit(r, s, enemy, victim, slot)
    return s.health[enemy, victim] == 0 or s.health[side, slot] == 0


@kernel
def _hit(r, s, side, slot, victim):
    enemy = 1 - side
    kind, target = r.kind[side, slot], r.kind[enemy, victim]
    s.health[enemy, victim] -= damage(
        r, kind, s.health[side, slot], target, s.health[enemy, victim], s.cell[enemy, victim]
    )
    if s.health[enemy, victim] == 0:
        _lose(s, enemy, victim)


@kernel
def _lose(s, side, slot):
    """Take a unit off the board, and clear all its other fields."""
    s.cell[side, slot], s.last_cell[side, slot], s.last_turn[side, slot] = NOWHERE, 0, 0
    s.acted[side, slot], s.spotted[side, slot] = 0, 0
