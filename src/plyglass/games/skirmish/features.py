"""Features of a position of Skirmish: health, distances, and what units can still do."""

from plyglass.core import kernel
from plyglass.games.skirmish.rules import KINDS

EACH = 4
COUNT = 2 * KINDS * EACH


@kernel
def features(r, s, player, values):
    """Write four numbers for every unit, first for the player's units, then for the enemy's."""
    for unit in range(KINDS):
        _unit(r, s, player, unit, values, EACH * unit)
        _unit(r, s, 1 - player, unit, values, EACH * (KINDS + unit))
    return COUNT


@kernel
def _unit(r, s, owner, unit, values, at):
    """Write a unit's health, its steps to the nearest enemy, and whether it can move and attack.

    All four numbers are 0 for a dead unit.
    """
    alive, acts = s.cell[owner, unit] >= 0, s.turn % 2 == owner
    values[at] = s.health[owner, unit]
    values[at + 1] = _nearest(r, s, owner, s.cell[owner, unit]) if alive else 0
    values[at + 2] = 1 if alive and acts and not s.moved[owner, unit] else 0
    values[at + 3] = 1 if alive and acts and not s.attacked[owner, unit] else 0


@kernel
def _nearest(r, s, owner, cell):
    """Return the steps to the nearest enemy on the board, or 2 * size if there is none."""
    nearest = 2 * r.size
    for enemy in range(r.units):
        there = s.cell[1 - owner, enemy]
        if there >= 0:
            nearest = min(nearest, r.distance[cell, there])
    return nearest
