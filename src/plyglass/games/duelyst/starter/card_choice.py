"""Cards that the starter AI plays, replaces or exchanges."""

import numpy as np

from plyglass.core import kernel, pack
from plyglass.core.bits import count_ones, nth_one
from plyglass.core.luck import below
from plyglass.games.duelyst.cards.vocabulary import (
    ARTIFACT,
    BARRIER,
    BUFF,
    CHOSEN,
    DEBUFF,
    GROWER,
    LURE,
    MASS_REMOVAL,
    MINION,
    NO_STYLE,
    RAISE,
    SHADOW_NOVA,
    SPELL,
    TELEPORT,
    WATCHER,
)
from plyglass.games.duelyst.engine.card_play import choices_now, cost_of, places_for
from plyglass.games.duelyst.engine.hands import held, held_before
from plyglass.games.duelyst.engine.legal_actions import can_replace
from plyglass.games.duelyst.starter.buffs import NO_ACTION
from plyglass.games.duelyst.starter.intents import best_choice, best_place, has_intents
from plyglass.games.duelyst.starter.special_spells import destination, special_place
from plyglass.games.duelyst.starter.worth import newcomer_worth
from plyglass.games.duelyst.state import DECLINE, FOLLOW, HAND, MULLIGAN, PLAY, REPLACE

# Groups of cards, in the order in which a turn plays them.
(
    WATCHERS, GROWERS, ARTIFACTS, MASS_REMOVALS, NOVAS, LURES, MINIONS, SPELLS,
) = np.arange(8)  # fmt: skip
ENOUGH, LEAST, FULL_PRICE = 15.0, 7.0, 5.4
TOO_DEAR = 2  # a card that costs this much more than the player's mana is not kept
MOST_SPELLS, MOST_ARTIFACTS = 2, 1  # most spells and artifacts that are kept in hand


@kernel
def exchange_marks(r, s):
    """Return the action that exchanges unwanted cards before the game.

    Unwanted cards are artifacts, spells that are not barriers, and cards that are too expensive for
    the second turn.
    """
    player, marks = np.int64(s.player), 0
    for slot in range(HAND):
        card = np.int64(s.hand[player, slot])
        if card != 0 and count_ones(marks) < r.marks:
            unwanted = r.type[card] != MINION and r.style[card] != BARRIER
            if unwanted or r.mana[card] > s.most_mana[player] + 1:
                marks |= 1 << slot
    return pack(MULLIGAN, 0, marks)


@kernel
def replacement(r, s, stream):
    """Return the action that replaces a card, or NO_ACTION.

    The replaced card is too expensive, a duplicate, or one of too many spells or artifacts. If
    there is no such card, any card is replaced, but only if the hand has no minions or
    `always_replace` is set.
    """
    player = np.int64(s.player)
    if not can_replace(r, s, player) or held(s, player) == 0:
        return NO_ACTION
    for slot in range(HAND):
        if (
            s.hand[player, slot] != 0
            and cost_of(r, s, player, np.int64(s.hand[player, slot]))
            >= s.most_mana[player] + TOO_DEAR
        ):
            return _replace(s, player, slot)
    for slot in range(HAND):
        if s.hand[player, slot] != 0 and held_before(s, player, slot):
            return _replace(s, player, slot)
    spells, artifacts = _slots_of(r, s, player, SPELL), _slots_of(r, s, player, ARTIFACT)
    if count_ones(spells) > MOST_SPELLS:
        return _replace_any(s, stream, player, spells)
    if count_ones(artifacts) > MOST_ARTIFACTS:
        return _replace_any(s, stream, player, artifacts)
    minions = _slots_of(r, s, player, MINION)
    if minions == 0 or r.always_replace:
        return _replace_any(s, stream, player, minions | spells | artifacts)
    return NO_ACTION


@kernel
def _slots_of(r, s, player, kind):
    """Return the set of places in a hand that have cards of a type."""
    slots = 0
    for slot in range(HAND):
        if s.hand[player, slot] != 0 and r.type[s.hand[player, slot]] == kind:
            slots |= 1 << slot
    return slots


@kernel
def _replace_any(s, stream, player, slots):
    return _replace(s, player, nth_one(slots, below(stream, count_ones(slots))))


@kernel
def _replace(s, player, slot):
    """Return the action that replaces a card; of equal cards, the first in hand is replaced."""
    first = 0
    while s.hand[player, first] != s.hand[player, slot]:
        first += 1
    return pack(REPLACE, first, 0)


@kernel
def follow_up(r, s):
    """Return the choice that the played card asks for; decline if the card has no intent for it."""
    card, ability, cells = np.int64(s.played), np.int64(s.pending), choices_now(r, s)
    choice = np.int64(r.type[card] != SPELL)
    for earlier in range(r.script[card], ability):
        choice += r.pick[earlier] == CHOSEN
    cell, _ = best_choice(r, s, np.int64(s.player), card, choice, cells)
    if r.effect[ability] == TELEPORT and r.style[card] != NO_STYLE:
        cell = destination(r, s, np.int64(s.subject), cells)
    return pack(FOLLOW, 0, cell) if cell >= 0 else pack(DECLINE, 0, 0)


@kernel
def best_card(r, s, threshold):
    """Return the action that plays the best card on the best cell for it, or NO_ACTION.

    The action must have at least the value `threshold`. All minions and all cards with intents are
    compared.
    """
    player, action, best = np.int64(s.player), NO_ACTION, threshold
    for slot in range(HAND):
        card, cells = _playable(r, s, player, slot)
        if cells != 0 and (r.type[card] == MINION or has_intents(r, card)):
            cell, score = best_place(r, s, player, card, cells)
            if score >= best:
                action, best = pack(PLAY, slot, cell), score
    return action


@kernel
def _playable(r, s, player, slot):
    """Return the card at a place of the hand, and the cells on which it can be played now."""
    card = np.int64(s.hand[player, slot])
    if card == 0 or held_before(s, player, slot) or cost_of(r, s, player, card) > s.mana[player]:
        return card, np.int64(0)
    return card, np.int64(places_for(r, s, player, card))


@kernel
def play_from(r, s, stream, group):
    """Return the action that plays a group's most valuable card with a good cell, or NO_ACTION."""
    player, tried = np.int64(s.player), np.int64(0)
    for _ in range(HAND):
        slot = _most_worthy(r, s, player, group, tried)
        if slot == HAND:
            return NO_ACTION
        tried |= 1 << slot
        card, cells = _playable(r, s, player, slot)
        cell = _where(r, s, stream, player, card, cells) if cells != 0 else -1
        if cell >= 0:
            return pack(PLAY, slot, cell)
    return NO_ACTION


@kernel
def _most_worthy(r, s, player, group, tried):
    """Return the place in hand of the most valuable untried card of a group, or HAND.

    The result is HAND if no card of the group is untried. Among equally valuable cards, the
    function returns the last.
    """
    found, best = HAND, 0.0
    for slot in range(HAND):
        card = np.int64(s.hand[player, slot])
        if card != 0 and not tried >> slot & 1 and _is_of(r, s, player, card, group):
            worth = newcomer_worth(r, card) if r.type[card] == MINION else float(r.mana[card])
            if found == HAND or worth >= best:
                found, best = slot, worth
    return found


@kernel
def _is_of(r, s, player, card, group):
    """Return whether a card belongs to a group."""
    style = r.style[card]
    if group in (WATCHERS, GROWERS):
        return r.type[card] == MINION and style == (WATCHER if group == WATCHERS else GROWER)
    if group in (MASS_REMOVALS, NOVAS):
        return style == (MASS_REMOVAL if group == MASS_REMOVALS else SHADOW_NOVA)
    if group == LURES:
        return style == LURE
    if group == ARTIFACTS:
        return r.type[card] == ARTIFACT and (
            not has_intents(r, card) or _worth_wearing(r, s, player)
        )
    return r.type[card] == (MINION if group == MINIONS else SPELL)


@kernel
def _worth_wearing(r, s, player):
    """Return whether two artifacts that raise attack are affordable, or the hand is full."""
    count = 0
    for slot in range(HAND):
        card = np.int64(s.hand[player, slot])
        if (
            card != 0
            and r.type[card] == ARTIFACT
            and has_intents(r, card)
            and r.effect[r.first_intent[card]] == RAISE
        ):
            count += cost_of(r, s, player, card) <= s.mana[player]
    return count >= 2 or held(s, player) == HAND


@kernel
def _where(r, s, stream, player, card, cells):
    """Return the cell on which to play a card, or -1 if no cell is good enough.

    For a spell or artifact without intents, any cell is good enough.
    """
    if r.type[card] == MINION or has_intents(r, card):
        cell, score = best_place(r, s, player, card, cells)
        return cell if score >= _threshold(r, s, player, card) else -1
    if r.style[card] == BUFF or r.style[card] == DEBUFF:
        return -1
    if r.style[card] == NO_STYLE or r.style[card] == BARRIER:
        return nth_one(cells, below(stream, count_ones(cells)))
    return special_place(r, s, player, card, cells)


@kernel
def _threshold(r, s, player, card):
    """Return the least value at which a card is played.

    The least value is 0 if the hand is full. Otherwise, it is lower for cheap minions without
    intents.
    """
    if held(s, player) == HAND:
        return 0.0
    if r.type[card] == MINION and not has_intents(r, card):
        return max(LEAST, ENOUGH * min(1.0, r.mana[card] / FULL_PRICE))
    return ENOUGH
