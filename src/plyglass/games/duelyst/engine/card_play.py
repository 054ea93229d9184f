"""Playing a card: the card's cost, the cells where it can be played, and its abilities.

An ability may ask for a choice. Until the player makes the choice, the card is pending.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.bits import count_ones
from plyglass.games.duelyst.cards.vocabulary import (
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
    REVIVE,
    SPELL,
    SQUARE_2,
    SQUARE_3,
    SWAP,
    TELEPORT,
    THIS_TURN,
)
from plyglass.games.duelyst.engine.arrivals import FROM_HAND, empty_cells, summon
from plyglass.games.duelyst.engine.board import ALL, ANCHORS, CENTRES
from plyglass.games.duelyst.engine.events import ABILITY, NOBODY, fire_all, push
from plyglass.games.duelyst.engine.graveyard import any_dead
from plyglass.games.duelyst.engine.hands import show
from plyglass.games.duelyst.engine.health import BY_ABILITY, hurt
from plyglass.games.duelyst.engine.player_effects import equip
from plyglass.games.duelyst.engine.targets import candidates, summon_cells
from plyglass.games.duelyst.engine.units import general_of, holds, unit_at


@kernel
def cost_of(r, s, player, card):
    """Return the current cost of a card in a player's hand."""
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
    """Return how much a unit adds to the cost of a card."""
    change = 0
    for ability in range(r.first[s.card[unit]], r.last[s.card[unit]]):
        if (
            r.trigger[ability] == ALWAYS
            and r.effect[ability] == COST
            and (r.side[ability] == OWN) == (s.owner[unit] == player)
        ):
            kind = r.tribe[card] if r.filter[ability] == OF_TRIBE else r.type[card]
            earlier = (
                s.golems_played[player] if r.filter[ability] == OF_TRIBE else s.spells_cast[player]
            )
            if kind == r.value[ability] and (r.lasts[ability] != THIS_TURN or earlier == 0):
                change += r.amount[ability]
    return change


@kernel
def places_for(r, s, player, card):
    """Return the cells on which a card can be played.

    If a card has the same effect on every cell, only the cell of the player's general is returned.
    """
    if r.type[card] == MINION:
        return (
            empty_cells(s)
            if r.keywords[card] & AIRDROP or s.dropping[player]
            else summon_cells(r, s, player)
        )
    ability, own = r.script[card], 1 << s.cell[s.general[player]]
    if r.type[card] == ARTIFACT:
        return own
    for needy in range(ability, r.last[card]):
        if r.needs[needy] > count_ones(
            candidates(r, s, needy, player, NOBODY, general_of(s, player), NOBODY)
        ):
            return 0
    if not r.targeted[card]:
        return own
    if r.near[ability] == SQUARE_2:
        return ANCHORS
    if r.near[ability] == SQUARE_3:
        return CENTRES
    return candidates(r, s, ability, player, NOBODY, general_of(s, player), NOBODY)


@kernel
def play(r, s, queue, slot, cell):
    """Play a card from the hand on a cell."""
    player = np.int64(s.player)
    card = np.int64(s.hand[player, slot])
    s.mana[player] -= cost_of(r, s, player, card)
    s.hand[player, slot] = 0
    show(s, player, r.version_of[card])
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
    """Begin to carry out the abilities of a card that is played."""
    if r.script[card] != 0:
        s.played, s.source, s.subject, s.chosen = card, source, subject, cell
        carry_on(r, s, queue, r.script[card], r.type[card] == SPELL)


@kernel
def carry_on(r, s, queue, ability, given):
    """Queue the abilities of the played card, up to the next ability that asks for a choice.

    If `given` is set, the player has already made the choice for the first ability.
    """
    while ability < r.last[s.played]:
        if r.trigger[ability] == CAST or r.trigger[ability] == GAMBIT:
            if r.pick[ability] == CHOSEN and not given:
                s.pending = ability
                return
            given = False
            if r.effect[ability] != MARK:
                push(
                    s,
                    queue,
                    ABILITY,
                    ability,
                    np.int64(s.player),
                    np.int64(s.source),
                    np.int64(s.subject),
                    np.int64(s.chosen),
                    NOBODY,
                )
            elif r.pick[ability] != CHOSEN:
                s.subject = s.general[s.player]
        ability += 1
    stop(s)


@kernel
def stop(s):
    """Forget the played card, because no choice is left."""
    s.pending, s.played, s.source, s.subject, s.chosen = 0, 0, 0, 0, 0


@kernel
def choices_now(r, s):
    """Return the cells that the pending ability offers; none if the ability's unit is gone."""
    ability, subject = np.int64(s.pending), np.int64(s.subject)
    if (r.effect[ability] == TELEPORT or r.effect[ability] == SWAP) and (
        subject == 0 or not s.alive[subject]
    ):
        return 0
    if r.effect[ability] == REVIVE and not any_dead(s, np.int64(s.player)):
        return 0
    if r.trigger[ability] == GAMBIT and (
        s.source == 0
        or not s.alive[s.source]
        or not holds(r, s, r.condition[ability], np.int64(s.source))
    ):
        return 0
    cells = candidates(
        r, s, ability, np.int64(s.player), np.int64(s.source), subject, np.int64(s.chosen)
    )
    return cells & ~(1 << s.cell[subject]) if r.effect[ability] == SWAP else cells & ALL


@kernel
def choose(r, s, queue, cell):
    """Continue with the pending card after a cell is chosen."""
    ability = np.int64(s.pending)
    if r.effect[ability] != TELEPORT and r.effect[ability] != SWAP and r.kind[ability] < A_SPACE:
        s.subject = s.at[cell]
    s.chosen = cell
    s.pending = 0
    carry_on(r, s, queue, ability, True)
