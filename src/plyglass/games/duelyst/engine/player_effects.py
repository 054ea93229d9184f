"""Effects of abilities on players: cards, mana, artifacts, and the rest of the turn."""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.games.duelyst.cards.vocabulary import (
    ARTIFACT,
    BREAK_ARTIFACTS,
    BUILD,
    CALM,
    CHEAPER_MINION,
    CHEAPER_SPELL,
    DEARER_SPELLS,
    DRAW,
    DRAW_KIND,
    DRAW_LATER,
    DROP,
    EMPOWER,
    EQUIP,
    FILL_HAND,
    GAIN_MANA,
    GIVE_CARD,
    HASTEN,
    MEND_ARTIFACTS,
    OVERHEAR,
    RALLY,
    RECALL,
    SPELL,
    WAKE,
)
from plyglass.games.duelyst.engine.hands import (
    any_of_type,
    draw_card,
    draw_kind,
    held,
    put_into_hand,
)
from plyglass.games.duelyst.state import ARTIFACTS, DURABILITY, HAND, MOST_MANA


@kernel
def affect_player(r, s, queue, ability, player, times):
    """Carry out an ability on a player."""
    effect, amount = r.effect[ability], times * r.amount[ability]
    if effect in (DRAW, FILL_HAND):
        if effect == FILL_HAND:
            amount = (amount if amount > 0 else HAND) - held(s, player)
        for _ in range(amount):
            draw_card(r, s, queue, player)
    elif effect == GIVE_CARD:
        card = r.token[ability] if r.token[ability] != 0 else np.int64(s.last_spell)
        put_into_hand(s, player, card)
    elif effect == RECALL:
        put_into_hand(s, player, _any_spell(r, s, s.shown[player]))
    elif effect == OVERHEAR:
        put_into_hand(s, player, _any_spell(r, s, s.hand[1 - player]))
    elif effect == EQUIP:
        for _ in range(amount):
            _equip_from_deck(r, s, player)
    elif effect == DRAW_KIND:
        for _ in range(amount):
            draw_kind(r, s, queue, player, r.filter[ability], r.value[ability])
    elif effect == BREAK_ARTIFACTS:
        for _ in range(amount):
            _break_one(s, player)
    elif effect == MEND_ARTIFACTS:
        for slot in range(ARTIFACTS):
            s.durability[player, slot] = DURABILITY if s.artifact[player, slot] != 0 else 0
    else:
        _remember(r, s, effect, player, amount)


@kernel
def _remember(r, s, effect, player, amount):
    """Record an effect that matters only later in the turn or in the game."""
    if effect == DRAW_LATER:
        s.draws_more[player] += amount
    elif effect == GAIN_MANA:
        s.most_mana[player] = min(s.most_mana[player] + amount, MOST_MANA)
    elif effect == WAKE:
        s.wakes[player] += amount
    elif effect == EMPOWER:
        s.spell_power[player] += amount
    elif effect == DROP:
        s.dropping[player] = 1
    elif effect == CHEAPER_SPELL:
        s.spell_discount[player] += amount
    elif effect == DEARER_SPELLS:
        s.spell_rise[player] += amount
    elif effect == CHEAPER_MINION:
        s.minion_discount[player] += amount
    elif effect == HASTEN:
        s.haste[player] += amount
    elif effect == BUILD:
        s.mech[player] += amount
    elif effect == RALLY:
        s.rallies[player] += amount
    elif effect == CALM:
        s.calm = amount


@kernel
def _any_spell(r, s, cards):
    """Return a random spell in a list of cards, or 0 if there is none."""
    spells = 0
    for place in range(len(cards)):
        spells += cards[place] > 0 and r.type[cards[place]] == SPELL
    number = draw(s, spells) if spells > 0 else -1
    for place in range(len(cards)):
        if cards[place] > 0 and r.type[cards[place]] == SPELL:
            if number == 0:
                return np.int64(cards[place])
            number -= 1
    return 0


@kernel
def equip(s, player, card):
    """Put an artifact on a player's general; a fourth artifact replaces the oldest."""
    if s.artifact[player, ARTIFACTS - 1] != 0:
        lose_artifact(s, player, 0)
    slot = 0
    while s.artifact[player, slot] != 0:
        slot += 1
    s.artifact[player, slot], s.durability[player, slot] = card, DURABILITY
    s.shield[s.general[player]] = 1


@kernel
def _equip_from_deck(r, s, player):
    """Put a random artifact from the deck on the general, if there is room."""
    if s.artifact[player, ARTIFACTS - 1] == 0:
        card = any_of_type(r, s, player, ARTIFACT)
        if card != 0:
            equip(s, player, card)


@kernel
def _break_one(s, player):
    """Break a random artifact of a player."""
    count = 0
    while count < ARTIFACTS and s.artifact[player, count] != 0:
        count += 1
    if count > 0:
        lose_artifact(s, player, draw(s, count))


@kernel
def lose_artifact(s, player, slot):
    """Remove an artifact; the artifacts after it move up by one place."""
    while slot + 1 < ARTIFACTS:
        s.artifact[player, slot], s.durability[player, slot] = (
            s.artifact[player, slot + 1],
            s.durability[player, slot + 1],
        )
        slot += 1
    s.artifact[player, slot], s.durability[player, slot] = 0, 0
