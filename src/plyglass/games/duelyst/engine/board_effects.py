"""Effects of abilities on units and cells."""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.bits import count_ones, lowest_one, nth_one
from plyglass.games.duelyst.cards.vocabulary import (
    APPEAR,
    ASSEMBLED,
    CAST,
    CLEAR,
    CONSUME,
    CONTROL,
    COPY,
    DAMAGE,
    DESTROY,
    DISPEL,
    EPHEMERAL,
    FORCEFIELD,
    GRANT,
    HATCH,
    HEAL,
    LAY,
    LAY_ANY,
    LEND,
    LEND_ONE,
    MINION,
    RAISE,
    REACTIVATE,
    RESTORE,
    RETURN,
    SCATTER,
    SET_ATTACK,
    SET_BASE,
    SET_STATS,
    STUN,
    SUMMON,
    SUMMON_FROM_DECK,
    SWAP,
    SWAP_STATS,
    TELEPORT,
    THIS_TURN,
    TILE,
    TRANSFORM,
    UNLEASH,
    UNTIL_OWN_TURN,
)
from plyglass.games.duelyst.engine.arrivals import (
    AS_TOKEN,
    become,
    change_places,
    dispel,
    empty_cells,
    lay,
    put,
    summon,
)
from plyglass.games.duelyst.engine.board import some_of
from plyglass.games.duelyst.engine.graveyard import promise
from plyglass.games.duelyst.engine.hands import any_of_type, put_into_hand, show, take_from_deck
from plyglass.games.duelyst.engine.health import (
    BY_ABILITY,
    BY_SPELL,
    change_health,
    heal,
    hurt,
    kill,
    set_stats,
    swap_stats,
    vanish,
)
from plyglass.games.duelyst.engine.units import (
    attack_of,
    general_of,
    health_of,
    owner_of,
    unit_at,
)
from plyglass.games.duelyst.state import CREEP, MECH, NO_TILE

ONE = np.int64(1)


@kernel
def affect_unit(r, s, queue, ability, owner, source, subject, unit, times):
    """Carry out an ability on a unit."""
    effect = r.effect[ability]
    if effect == DAMAGE:
        by_spell = r.trigger[ability] == CAST
        amount = times * r.amount[ability] + (s.spell_power[owner] if by_spell else 0)
        hurt(r, s, queue, source, unit, amount, BY_SPELL if by_spell else BY_ABILITY)
    elif effect == HEAL:
        heal(s, queue, unit, times * r.amount[ability])
    elif effect == RESTORE:
        heal(s, queue, unit, np.int64(s.damage[unit]))
    elif effect == DESTROY:
        kill(s, queue, unit)
    elif effect <= SET_BASE:
        _change_stats(r, s, queue, ability, owner, unit, times)
    elif effect <= GRANT:
        _change_nature(r, s, queue, ability, unit)
    else:
        _change_place(r, s, queue, ability, owner, subject, unit)


@kernel
def _change_stats(r, s, queue, ability, owner, unit, times):
    effect = r.effect[ability]
    if effect == RAISE:
        if r.lasts[ability] == THIS_TURN:
            s.attack_now[unit] += times * r.raise_attack[ability]
        else:
            s.attack[unit] += times * r.raise_attack[ability]
        change_health(r, s, queue, unit, times * r.raise_health[ability])
    elif effect == SET_ATTACK:
        if r.lasts[ability] == UNTIL_OWN_TURN:
            s.scorched[unit] += attack_of(r, s, unit) - r.amount[ability]
            s.scorched_by[unit] = 1 + owner
        else:
            s.attack[unit], s.attack_now[unit], s.scorched[unit] = r.amount[ability], 0, 0
    elif effect == SET_STATS:
        set_stats(s, queue, unit, r.raise_attack[ability], r.raise_health[ability])
    else:  # the new values are permanent, and the damage stays
        s.base_attack[unit], s.attack[unit] = r.raise_attack[ability], r.raise_attack[ability]
        s.base_health[unit] = r.raise_health[ability]
        change_health(r, s, queue, unit, r.raise_health[ability] - s.health[unit])


@kernel
def _change_nature(r, s, queue, ability, unit):
    effect = r.effect[ability]
    if effect == STUN:
        s.stunned[unit] = 2 if s.owner[unit] == s.player else 1
    elif effect == DISPEL:
        dispel_unit(r, s, queue, unit)
    elif effect == LEND:
        if r.lasts[ability] == THIS_TURN:
            s.keywords_now[unit] |= r.lends[ability]
        else:
            s.keywords[unit] |= r.lends[ability]
        if r.lends[ability] & FORCEFIELD:
            s.shield[unit] = 1
    elif effect == LEND_ONE:
        missing = r.lends[ability] & ~s.keywords[unit]
        if missing != 0:
            s.keywords[unit] |= 1 << nth_one(missing, draw(s, count_ones(missing)))
    elif effect == GRANT and s.granted[unit] >> 4 * r.grant[ability] & 15 < 15:
        s.granted[unit] += 1 << 4 * r.grant[ability]


@kernel
def dispel_unit(r, s, queue, unit):
    """Dispel a unit: a wall disappears, and a unit that loses its last health dies."""
    if dispel(r, s, unit):
        vanish(s, unit)
    elif health_of(r, s, unit) <= 0:
        kill(s, queue, unit)


@kernel
def _change_place(r, s, queue, ability, owner, subject, unit):
    effect = r.effect[ability]
    if effect == TRANSFORM:
        before = s.card[unit]
        become(r, s, unit, r.token[ability] if r.token[ability] != 0 else np.int64(s.card[subject]))
        if r.lasts[ability] == UNTIL_OWN_TURN:
            s.hatch[unit], s.hatch_in[unit] = before, 2
    elif effect == RETURN:
        vanish(s, unit)
        put_into_hand(s, owner_of(s, unit), np.int64(s.card[unit]))
    elif effect == CONTROL:
        s.owner[unit], s.exhausted[unit] = owner, 1
    elif effect == REACTIVATE:
        s.exhausted[unit], s.moves[unit], s.attacks[unit] = 0, 0, 0
    elif effect == SWAP_STATS:
        swap_stats(r, s, queue, unit)
    elif effect == SCATTER:
        cells = some_of(s, empty_cells(s), ONE)
        if cells != 0:
            put(s, unit, lowest_one(cells))
    elif effect == SWAP:
        change_places(s, unit, subject)
    elif effect == UNLEASH:
        s.keywords[unit] &= ~EPHEMERAL
    elif effect == HATCH:
        _turn_over(r, s, unit)
    elif effect == CONSUME:
        promise(s, unit)
        kill(s, queue, unit)


@kernel
def _turn_over(r, s, unit):
    """Hatch an egg, or turn any other unit into an egg that hatches into the unit's card."""
    if s.hatch[unit] != 0:
        become(r, s, unit, np.int64(s.hatch[unit]))
    else:
        lay(r, s, unit, np.int64(s.card[unit]))


@kernel
def affect_cell(r, s, queue, ability, owner, source, subject, cell):
    """Carry out an ability on a cell: put units, eggs or tiles there, or clear it."""
    effect = r.effect[ability]
    if effect == SUMMON:
        card = r.token[ability] + (draw(s, r.choices[ability]) if r.choices[ability] > 1 else 0)
        summon(r, s, queue, card, owner, cell, AS_TOKEN)
        if r.condition[ability] == ASSEMBLED:
            s.mech[owner] -= MECH
    elif effect == COPY:
        model = source if source != 0 else subject
        summon(r, s, queue, np.int64(s.card[model]), owner, cell, AS_TOKEN)
    elif effect == LAY:
        unit = summon(r, s, queue, r.egg, owner, cell, AS_TOKEN)
        if unit != 0:
            lay(r, s, unit, r.token[ability])
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
    elif effect == LAY_ANY:
        unit = summon(r, s, queue, r.egg, owner, cell, AS_TOKEN)
        if unit != 0:
            lay(r, s, unit, _any_of_rarity(r, s, r.amount[ability]))
    elif effect == APPEAR:
        _appear(r, s, queue, ability, owner, cell)


@kernel
def _any_of_rarity(r, s, rarity):
    """Draw any card of a rarity."""
    count = 0
    for card in range(r.cards):
        count += r.rarity[card] == rarity
    number, card = draw(s, count), 0
    while number > 0 or r.rarity[card] != rarity:
        number -= r.rarity[card] == rarity
        card += 1
    return card


@kernel
def _appear(r, s, queue, ability, owner, cell):
    """Summon a replaced card from the deck to the board, and damage its owner's general."""
    card, place = r.token[ability], 0
    while place < s.left[owner] and s.deck[owner, place] != card:
        place += 1
    if place < s.left[owner]:
        unit = summon(r, s, queue, take_from_deck(s, owner, place), owner, cell, AS_TOKEN)
        show(s, owner, card)
        hurt(r, s, queue, unit, general_of(s, owner), r.amount[ability], BY_ABILITY)
