"""Carrying out abilities: an ability acts on the units, cells or players that it picks."""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.bits import count_ones, lowest_one
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.cards.vocabulary import (
    A_PLAYER,
    ANY,
    CONSTANT,
    ENEMY,
    ENEMY_HAND,
    EVENT_AMOUNT,
    FIRST_OF_CELLS,
    FIRST_OF_PLAYERS,
    HEALTH_OF_SAME,
    ONE_OF,
    OWN_ARTIFACTS,
    OWN_CREEP,
    OWN_MINIONS,
    OWN_NEIGHBOURS,
    RANDOM,
    REVIVE,
    REVIVE_LOST,
    UNFILTERED,
)
from plyglass.games.duelyst.engine.board import ALL, some_of
from plyglass.games.duelyst.engine.board_effects import affect_cell, affect_unit
from plyglass.games.duelyst.engine.events import NOBODY
from plyglass.games.duelyst.engine.graveyard import count_dead, revive
from plyglass.games.duelyst.engine.hands import held
from plyglass.games.duelyst.engine.player_effects import affect_player
from plyglass.games.duelyst.engine.targets import candidates, passes, picked
from plyglass.games.duelyst.engine.units import creep_of, health_of, is_general, worn
from plyglass.games.duelyst.state import MOST_DEAD


@kernel
def perform(r, s, queue, at):
    """Carry out the ability of the event at index `at` of the queue."""
    ability, owner, source = queue[at + 1], queue[at + 2], queue[at + 3]
    subject, cell = queue[at + 4], queue[at + 5]
    if r.event_filter[ability] != UNFILTERED and not (
        subject != 0
        and passes(r, s, r.event_filter[ability], r.event_value[ability], subject, NOBODY)
    ):
        return
    if r.effect[ability] == ONE_OF:  # without a source, so the ability does not trigger itself
        ability, source = ability + 1 + draw(s, r.choices[ability]), NOBODY
    times = _measured(r, s, r.measure[ability], owner, source, subject, queue[at + 6])
    if r.effect[ability] >= FIRST_OF_PLAYERS:
        _perform_on_players(r, s, queue, ability, owner, source, subject, cell, times)
        return
    if REVIVE <= r.effect[ability] <= REVIVE_LOST:
        _bring_back(r, s, queue, ability, owner, source, subject, cell)
        return
    cells = picked(r, s, ability, owner, source, subject, cell)
    if r.effect[ability] >= FIRST_OF_CELLS:
        while cells != 0:
            affect_cell(r, s, queue, ability, owner, source, subject, lowest_one(cells))
            cells &= cells - 1
        return
    for unit in range(1, s.units + 1):
        if s.alive[unit] and cells >> s.cell[unit] & 1:
            affect_unit(r, s, queue, ability, owner, source, subject, unit, times)


@kernel
def _bring_back(r, s, queue, ability, owner, source, subject, cell):
    """Summon dead minions on the chosen cell, or on as many random cells as there are minions."""
    dead = stack_ints(2 * MOST_DEAD)
    total = count_dead(r, s, ability, owner, dead)
    if r.pick[ability] == RANDOM:
        cells = candidates(r, s, ability, owner, source, subject, cell)
        cells = some_of(s, cells, min(r.count[ability], total))
    else:
        cells = picked(r, s, ability, owner, source, subject, cell)
    revive(r, s, queue, owner, cells, dead, total)


@kernel
def _perform_on_players(r, s, queue, ability, owner, source, subject, cell, times):
    """Carry out an ability on one player or on both players.

    An ability that picks units affects its owner once for each picked unit.
    """
    if r.kind[ability] != A_PLAYER:
        found = count_ones(picked(r, s, ability, owner, source, subject, cell))
        for _ in range(found):
            affect_player(r, s, queue, ability, owner, times)
        return
    if r.side[ability] != ENEMY:
        affect_player(r, s, queue, ability, owner, times)
    if r.side[ability] == ENEMY or r.side[ability] == ANY:
        affect_player(r, s, queue, ability, 1 - owner, times)


@kernel
def _measured(r, s, measure, owner, source, subject, amount):
    """Return the factor for an ability's numbers, such as the number of the owner's minions."""
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
    """Return the number of a player's minions on the cells of `area`."""
    count = 0
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.owner[unit] == player and not is_general(s, unit):
            count += area >> s.cell[unit] & 1
    return count
