"""A position of Skirmish in numbers: health, distances, and what units can still do."""

from plyglass.core import kernel
from plyglass.games.skirmish.rules import KINDS

EACH = 4
COUNT = 2 * KINDS * EACH


@kernel
def features(r, s, player, values):
    """The same numbers of every unit of both sides, the player's first."""
    for unit in range(KINDS):
        _unit(r, s, player, unit, values, EACH * unit)
        _unit(r, s, 1 - player, unit, values, EACH * (KINDS + unit))
    return COUNT


@kernel
def _unit(r, s, owner, unit, values, at):
    """Health, steps to the nearest enemy, and whether the unit can move and attack.

    All are 0 for a dead unit.
    """
    alive, acts = s.cell[owner, unit] >= 0, s.turn % 2 == owner
    values[at] = s.health[owner, unit]
    values[at + 1] = _nearest(r, s, owner, s.cell[owner, unit]) if alive else 0
    values[at + 2] = 1 if alive and acts and not s.moved[owner, unit] else 0
    values[at + 3] = 1 if alive and acts and not s.attacked[owner, unit] else 0


@kernel
def _nearest(r, s, owner, cell):
    """Steps to the nearest enemy on the board; more than the board is long if there is none."""
    nearest = 2 * r.size
    for enemy in range(r.units):
        there = s.cell[1 - owner, enemy]
        if there >= 0:
            nearest = min(nearest, r.distance[cell, there])
    return nearest
