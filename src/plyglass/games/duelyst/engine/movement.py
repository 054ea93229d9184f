"""Where units can move, and which units they can attack."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    BLAST,
    FLYING,
    LURES_RANGED,
    PROVOKE,
    RANGED,
    SPARES,
    STRUCTURE,
    UNTOUCHABLE,
)
from plyglass.games.duelyst.engine.board import ALL, grown
from plyglass.games.duelyst.engine.units import attack_of, chances, keywords_of, speed_of


@kernel
def hindrances(r, s, player):
    """Return three sets with cells of a player's units.

    The first set has the cells of units that provoke, the second the cells of units that provoke
    ranged units, and the third the cells of units that cannot be attacked.
    """
    provokers, lures, untouchable = 0, 0, 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player:
            keywords, cell = keywords_of(r, s, unit), 1 << s.cell[unit]
            provokers |= cell if keywords & PROVOKE else 0
            lures |= cell if keywords & LURES_RANGED else 0
            untouchable |= cell if keywords & UNTOUCHABLE else 0
    return provokers, lures, untouchable


@kernel
def ready(s, unit):
    """Return whether a unit is alive and neither exhausted nor stunned."""
    return s.alive[unit] and not s.exhausted[unit] and not s.stunned[unit]


@kernel
def reach(r, s, unit, keywords, own, foes, provokers):
    """Return the cells to which a unit can move.

    A walking unit can move past friends but not past enemies. A flying unit can move past all
    units. A provoked unit cannot move.
    """
    times = chances(keywords)
    if (
        not ready(s, unit)
        or s.moves[unit] >= times
        or s.attacks[unit] >= times
        or r.around[s.cell[unit]] & provokers
    ):
        return 0
    steps = speed_of(r, s, unit, keywords)
    if steps == 0:
        return 0
    if keywords & FLYING:
        return ALL & ~(own | foes)
    cells = 1 << s.cell[unit]
    for _ in range(steps):
        cells = grown(cells) & ~foes
    return cells & ~own


@kernel
def prey(r, s, unit, keywords, foes, provokers, lures, untouchable):
    """Return the cells of the enemies that a unit can attack."""
    if (
        not ready(s, unit)
        or keywords & STRUCTURE
        or s.attacks[unit] >= chances(keywords)
        or attack_of(r, s, unit) == 0
    ):
        return 0
    near = r.around[s.cell[unit]]
    found = foes & ~untouchable & in_range(r, s.cell[unit], keywords)
    if keywords & SPARES:
        found &= ~(1 << s.cell[s.general[0]] | 1 << s.cell[s.general[1]])
    if near & provokers:
        return found & near & provokers
    return found & lures if keywords & RANGED and lures else found


@kernel
def in_range(r, cell, keywords):
    """Return the cells that a unit with these keywords can attack from a cell."""
    if keywords & RANGED:
        return np.int64(ALL)
    return r.around[cell] | r.line[cell] if keywords & BLAST else r.around[cell]
