"""The end of a turn and the start of the next turn, step by step as the rules say."""

import numpy as np

from plyglass.core import kernel
from plyglass.games.duelyst.cards.vocabulary import (
    DRAWS,
    EPHEMERAL,
    FORCEFIELD,
    GROW,
    MORE_CREEP,
    SOFTENED,
    TURN_END,
    TURN_START,
)
from plyglass.games.duelyst.engine.arrivals import become
from plyglass.games.duelyst.engine.board import CELLS
from plyglass.games.duelyst.engine.events import (
    BITE,
    COMEBACK,
    DRAWING,
    NO_STAGE,
    NOBODY,
    PASSING,
    STAGE,
    fire_all,
    push,
)
from plyglass.games.duelyst.engine.graveyard import PLACES, grow_older
from plyglass.games.duelyst.engine.hands import draw_card
from plyglass.games.duelyst.engine.health import BY_ABILITY, hurt, vanish
from plyglass.games.duelyst.engine.units import allowance, keywords_of, unit_at
from plyglass.games.duelyst.state import (
    CREEP,
    DRAWN,
    MOST_MANA,
    MOST_REBORN,
    NO_TILE,
    OVER,
    SPRING,
)


@kernel
def end_turn(r, s, queue):
    """Let units come back, trigger abilities, remove ephemeral units, and let creep do damage."""
    player = np.int64(s.player)
    for place in range(MOST_REBORN):
        card, cell = s.reborn[place] // PLACES, s.reborn[place] % PLACES
        s.reborn[place] = 0
        if card != 0:
            push(s, queue, COMEBACK, card, player, NOBODY, NOBODY, cell, NOBODY)
    fire_all(r, s, queue, TURN_END, 1 << player, NOBODY, NOBODY)
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.keywords[unit] & EPHEMERAL:
            vanish(s, unit)
    for cell in range(CELLS):
        if s.tile[cell] == CREEP + player:
            push(s, queue, BITE, NOBODY, player, NOBODY, NOBODY, cell, NOBODY)
    queue[STAGE] = DRAWING


@kernel
def bite(r, s, queue, player, cell):
    """Let a player's creep on a cell damage an enemy that stands on the cell."""
    unit = unit_at(s, cell)
    if unit != 0 and s.owner[unit] != player:
        hurt(r, s, queue, NOBODY, unit, 1 << allowance(r, s, player, MORE_CREEP), BY_ABILITY)


@kernel
def next_stage(r, s, queue):
    """Continue with the end of a turn when all earlier events have happened.

    Return whether anything was left to do.
    """
    if queue[STAGE] == DRAWING:
        queue[STAGE] = PASSING
        player = np.int64(s.player)
        for _ in range(r.draws + s.draws_more[player] + allowance(r, s, player, DRAWS)):
            draw_card(r, s, queue, player)
        return True
    if queue[STAGE] == PASSING:
        queue[STAGE] = NO_STAGE
        expire(r, s, np.int64(s.player))
        s.turn += 1
        if s.turn == r.turns:
            s.phase, s.result = OVER, DRAWN
            return False
        s.player = 1 - s.player
        begin_turn(r, s, queue)
        return True
    return False


@kernel
def expire(r, s, player):
    """End all effects that last for this turn, and hatch the eggs that are due."""
    for unit in range(1, s.units + 1):
        s.attack_now[unit], s.keywords_now[unit] = 0, 0
        if s.stunned[unit] and s.owner[unit] == player:
            s.stunned[unit] -= 1
        if s.hatch_in[unit]:
            s.hatch_in[unit] -= 1
            if s.hatch_in[unit] == 0:
                become(r, s, unit, np.int64(s.hatch[unit]))
    s.mana[player], s.replaced[player] = 0, 0
    s.draws_more[player], s.wakes[player], s.spell_power[player] = 0, 0, 0
    s.dropping[player], s.spell_discount[player], s.spell_rise[player], s.haste[player] = 0, 0, 0, 0
    s.spells_cast[player], s.golems_played[player], s.acts = 0, 0, 0
    s.rallies[player], s.calm = 0, max(0, s.calm - 1)
    grow_older(s)


@kernel
def begin_turn(r, s, queue):
    """Make all units ready, refill mana, and trigger abilities at the start of a turn."""
    player = np.int64(s.player)
    if s.turn >= 2:
        s.most_mana[player] = min(s.most_mana[player] + 1, MOST_MANA)
    s.mana[player] = s.most_mana[player]
    for unit in range(1, s.units + 1):
        s.exhausted[unit], s.moves[unit], s.attacks[unit] = 0, 0, 0
        if s.alive[unit]:
            _wake(r, s, player, unit)
    fire_all(r, s, queue, TURN_START, 1 << player, NOBODY, NOBODY)


@kernel
def _wake(r, s, player, unit):
    keywords = keywords_of(r, s, unit)
    s.shield[unit] = 1 if keywords & (FORCEFIELD | SOFTENED) else 0
    if keywords & GROW and s.owner[unit] == player:
        s.attack[unit] += r.grow[s.card[unit]]
        s.health[unit] += r.grow[s.card[unit]]
    if s.scorched_by[unit] == 1 + player:
        s.scorched[unit], s.scorched_by[unit] = 0, 0


@kernel
def collect_springs(s):
    """Remove springs under units; each spring gives the unit's owner one mana in this turn."""
    for unit in range(1, s.units + 1):
        if s.alive[unit] and s.tile[s.cell[unit]] == SPRING:
            s.tile[s.cell[unit]] = NO_TILE
            s.mana[s.owner[unit]] = min(s.mana[s.owner[unit]] + 1, MOST_MANA)
