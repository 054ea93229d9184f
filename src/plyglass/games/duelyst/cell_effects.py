"""What an ability does to a cell: it puts units, eggs or tiles there, or takes away what is
there.
"""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.games.duelyst.arrivals import AS_TOKEN, lay, put, summon
from plyglass.games.duelyst.board import CREEP, MECH, NO_TILE
from plyglass.games.duelyst.hands import any_of_type
from plyglass.games.duelyst.unit_effects import dispel_unit
from plyglass.games.duelyst.units import unit_at
from plyglass.games.duelyst.words import (
    ASSEMBLED,
    CLEAR,
    COPY,
    LAY,
    MINION,
    SUMMON,
    SUMMON_FROM_DECK,
    TELEPORT,
    TILE,
)


@kernel
def affect_cell(r, s, queue, row, owner, source, subject, cell):
    """Do to a cell what a row says."""
    effect = r.effect[row]
    if effect == SUMMON:
        card = r.token[row] + (draw(s, r.choices[row]) if r.choices[row] > 1 else 0)
        summon(r, s, queue, card, owner, cell, AS_TOKEN)
        if r.condition[row] == ASSEMBLED:
            s.mech[owner] -= MECH
    elif effect == COPY:
        model = source if source != 0 else subject
        summon(r, s, queue, np.int64(s.card[model]), owner, cell, AS_TOKEN)
    elif effect == LAY:
        unit = summon(r, s, queue, r.egg, owner, cell, AS_TOKEN)
        if unit != 0:
            lay(r, s, unit, r.token[row])
    elif effect == TILE:
        s.tile[cell] = CREEP + owner
    elif effect == CLEAR:
        s.tile[cell] = NO_TILE
        if s.at[cell] != 0:
            dispel_unit(r, s, queue, unit_at(s, cell))
    elif effect == TELEPORT:
        if subject != 0 and s.alive[subject]:
            put(s, subject, cell)
    elif effect == SUMMON_FROM_DECK:
        card = any_of_type(r, s, 1 - owner, MINION)
        if card != 0:
            summon(r, s, queue, card, owner, cell, AS_TOKEN)
