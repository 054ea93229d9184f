"""Playing a card: what it costs, where it can be put, and the rows of its abilities, one after
the other, with choices in between.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.duelyst.arrivals import FROM_HAND, empty_cells, summon
from plyglass.games.duelyst.cells import ALL, ANCHORS, CENTRES
from plyglass.games.duelyst.events import ABILITY, NOBODY, push
from plyglass.games.duelyst.hands import show
from plyglass.games.duelyst.health import BY_ABILITY, hurt
from plyglass.games.duelyst.player_effects import equip
from plyglass.games.duelyst.targets import candidates, summon_cells
from plyglass.games.duelyst.triggers import fire_all
from plyglass.games.duelyst.units import general_of, holds, unit_at
from plyglass.games.duelyst.words import (
    A_SPACE,
    AIRDROP,
    ALWAYS,
    ARTIFACT,
    CAST,
    CHOSEN,
    COST,
    GAMBIT,
    GOLEM,
    MARK,
    MINION,
    OF_TRIBE,
    OWN,
    OWN_SPELL,
    SPELL,
    SQUARE_2,
    SQUARE_3,
    SWAP,
    TELEPORT,
    THIS_TURN,
)


@kernel
def cost_of(r, s, player, card):
    """What a card in a player's hand costs now."""
    cost = r.mana[card]
    if r.type[card] == SPELL:
        cost += s.spell_rise[player] - s.spell_discount[player]
    elif r.type[card] == MINION:
        cost -= s.minion_discount[player] + s.haste[player]
    for unit in range(1, s.units + 1 if s.auras else 0):
        if s.alive[unit] and not s.dispelled[unit] and r.aura[s.card[unit]]:
            cost += _cost_by(r, s, unit, player, card)
    return max(0, cost)


@kernel
def _cost_by(r, s, unit, player, card):
    """What a unit makes a card cost more."""
    change = 0
    for row in range(r.first[s.card[unit]], r.last[s.card[unit]]):
        if (
            r.trigger[row] == ALWAYS
            and r.effect[row] == COST
            and (r.side[row] == OWN) == (s.owner[unit] == player)
        ):
            kind = r.tribe[card] if r.filter[row] == OF_TRIBE else r.type[card]
            earlier = (
                s.golems_played[player] if r.filter[row] == OF_TRIBE else s.spells_cast[player]
            )
            if kind == r.value[row] and (r.lasts[row] != THIS_TURN or earlier == 0):
                change += r.amount[row]
    return change


@kernel
def places_for(r, s, player, card):
    """The cells that a card can be played on; where it makes no difference, that of the own
    general stands for all.
    """
    if r.type[card] == MINION:
        return (
            empty_cells(s)
            if r.keywords[card] & AIRDROP or s.dropping[player]
            else summon_cells(r, s, player)
        )
    row, own = r.script[card], 1 << s.cell[s.general[player]]
    if r.type[card] == ARTIFACT:
        return own
    for needy in range(row, r.last[card]):
        if r.needs[needy] > count_ones(
            candidates(r, s, needy, player, NOBODY, general_of(s, player), NOBODY)
        ):
            return 0
    if not r.targeted[card]:
        return own
    if r.near[row] == SQUARE_2:
        return ANCHORS
    if r.near[row] == SQUARE_3:
        return CENTRES
    return candidates(r, s, row, player, NOBODY, general_of(s, player), NOBODY)


@kernel
def play(r, s, queue, slot, cell):
    """Play a card of the hand on a cell."""
    player = np.int64(s.player)
    card = np.int64(s.hand[player, slot])
    s.mana[player] -= cost_of(r, s, player, card)
    s.hand[player, slot] = 0
    show(s, player, card)
    haste = np.int64(s.haste[player])
    s.haste[player] = 0
    s.golems_played[player] += r.tribe[card] == GOLEM
    if r.type[card] == MINION:
        s.minion_discount[player] = 0
        unit = summon(r, s, queue, card, player, cell, FROM_HAND)
        hurt(r, s, queue, NOBODY, unit, haste, BY_ABILITY)
        _begin(r, s, queue, card, unit, unit, cell)
    elif r.type[card] == ARTIFACT:
        equip(s, player, card)
    else:
        s.spell_discount[player] = 0
        s.spells_cast[player] += 1
        fire_all(r, s, queue, OWN_SPELL, 1 << player, NOBODY, NOBODY)
        s.last_spell = card
        subject = unit_at(s, cell)
        _begin(r, s, queue, card, NOBODY, subject if subject != 0 else general_of(s, player), cell)


@kernel
def _begin(r, s, queue, card, source, subject, cell):
    """Begin with what a card does when it is played."""
    if r.script[card] != 0:
        s.played, s.source, s.subject, s.chosen = card, source, subject, cell
        carry_on(r, s, queue, r.script[card], r.type[card] == SPELL)


@kernel
def carry_on(r, s, queue, row, given):
    """Put rows of the card that is played into the queue, up to the next one that asks for a
    choice; the first one may have it.
    """
    while row < r.last[s.played]:
        if r.trigger[row] == CAST or r.trigger[row] == GAMBIT:
            if r.pick[row] == CHOSEN and not given:
                s.pending = row
                return
            given = False
            if r.effect[row] != MARK:
                push(
                    s,
                    queue,
                    ABILITY,
                    row,
                    np.int64(s.player),
                    np.int64(s.source),
                    np.int64(s.subject),
                    np.int64(s.chosen),
                    NOBODY,
                )
            elif r.pick[row] != CHOSEN:
                s.subject = s.general[s.player]
        row += 1
    stop(s)


@kernel
def stop(s):
    """Nothing more is to be chosen."""
    s.pending, s.played, s.source, s.subject, s.chosen = 0, 0, 0, 0, 0


@kernel
def choices_now(r, s):
    """The cells that can be chosen for the row that waits; none where what it is about is gone."""
    row, subject = np.int64(s.pending), np.int64(s.subject)
    if (r.effect[row] == TELEPORT or r.effect[row] == SWAP) and (
        subject == 0 or not s.alive[subject]
    ):
        return 0
    if r.trigger[row] == GAMBIT and (
        s.source == 0
        or not s.alive[s.source]
        or not holds(r, s, r.condition[row], np.int64(s.source))
    ):
        return 0
    cells = candidates(
        r, s, row, np.int64(s.player), np.int64(s.source), subject, np.int64(s.chosen)
    )
    return cells & ~(1 << s.cell[subject]) if r.effect[row] == SWAP else cells & ALL


@kernel
def choose(r, s, queue, cell):
    """Go on with the cell that was chosen."""
    row = np.int64(s.pending)
    if r.effect[row] != TELEPORT and r.effect[row] != SWAP and r.kind[row] < A_SPACE:
        s.subject = s.at[cell]
    s.chosen = cell
    s.pending = 0
    carry_on(r, s, queue, row, True)
