"""What abilities do: a row of the table is carried out on the cells that it picks."""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.games.duelyst.cell_effects import affect_cell
from plyglass.games.duelyst.cells import ALL
from plyglass.games.duelyst.events import NOBODY
from plyglass.games.duelyst.hands import held
from plyglass.games.duelyst.player_effects import affect_player
from plyglass.games.duelyst.targets import passes, picked
from plyglass.games.duelyst.unit_effects import affect_unit
from plyglass.games.duelyst.units import creep_of, health_of, is_general, worn
from plyglass.games.duelyst.words import (
    A_PLAYER,
    ANY,
    CONSTANT,
    ENEMY,
    ENEMY_HAND,
    EVENT_AMOUNT,
    FIRST_OF_CELLS,
    FIRST_OF_PLAYERS,
    HEALTH_OF_SAME,
    OWN_ARTIFACTS,
    OWN_CREEP,
    OWN_MINIONS,
    OWN_NEIGHBOURS,
    UNFILTERED,
)


@kernel
def perform(r, s, queue, at):
    """Carry out the ability of the event at this place of the queue."""
    row, owner, source, subject, cell = (
        queue[at + 1],
        queue[at + 2],
        queue[at + 3],
        queue[at + 4],
        queue[at + 5],
    )
    if r.event_filter[row] != UNFILTERED and not (
        subject != 0 and passes(r, s, r.event_filter[row], r.event_value[row], subject, NOBODY)
    ):
        return
    times = _measured(r, s, r.measure[row], owner, source, subject, queue[at + 6])
    if r.effect[row] >= FIRST_OF_PLAYERS:
        _perform_on_players(r, s, queue, row, owner, source, subject, cell, times)
        return
    cells = picked(r, s, row, owner, source, subject, cell)
    if r.effect[row] >= FIRST_OF_CELLS:
        while cells != 0:
            affect_cell(r, s, queue, row, owner, source, subject, lowest_one(cells))
            cells &= cells - 1
        return
    for unit in range(1, s.units + 1):
        if s.alive[unit] and cells >> s.cell[unit] & 1:
            affect_unit(r, s, queue, row, owner, source, subject, unit, times)


@kernel
def _perform_on_players(r, s, queue, row, owner, source, subject, cell, times):
    """Do something for one player or both; where the ability asks for units, for its owner, once
    for each that it finds.
    """
    if r.kind[row] != A_PLAYER:
        found = count_ones(picked(r, s, row, owner, source, subject, cell))
        for _ in range(found):
            affect_player(r, s, queue, row, owner, times)
        return
    if r.side[row] != ENEMY:
        affect_player(r, s, queue, row, owner, times)
    if r.side[row] == ENEMY or r.side[row] == ANY:
        affect_player(r, s, queue, row, 1 - owner, times)


@kernel
def _measured(r, s, measure, owner, source, subject, amount):
    """What the numbers of an ability are multiplied by."""
    if measure == CONSTANT:
        return 1
    if measure == HEALTH_OF_SAME:
        return health_of(r, s, subject)
    if measure == EVENT_AMOUNT:
        return amount
    if measure == ENEMY_HAND:
        return held(s, 1 - owner)
    if measure == OWN_MINIONS:
        return _minions_of(s, owner, np.int64(ALL))
    if measure == OWN_NEIGHBOURS:
        return _minions_of(s, owner, r.around[s.cell[source]])
    if measure == OWN_CREEP:
        return count_ones(creep_of(s, owner))
    return worn(s, owner) if measure == OWN_ARTIFACTS else 0


@kernel
def _minions_of(s, player, area):
    """How many minions a player has on some cells."""
    count = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player and not is_general(s, unit):
            count += area >> s.cell[unit] & 1
    return count
