"""Keeping track of the enemy's cards, from one view of a player to the next.

What is seen counts in this order:

1. A card is played. One that was known to be in hand is that one; any other has come out of the
   deck, which makes decks likelier that have more of it left. It is taken to be one of those that
   could not be paid for before, the latest first.
2. A card comes out of the deck in another way: as an artifact, or as a unit.
3. A card is replaced: one that was held back, rather than one that has just come; of all that are
   known, each a little.
4. A turn ends: the cards in hand could not be paid for with the mana that was left, or were held
   back.
5. Cards come into the hand: out of the deck, or such as are known (`noticing`).

How likely a deck is follows from both what was played and what was held back (Bayes' rule). Cards
are taken to be in hand by luck alone but for that.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.memory import stack_reals
from plyglass.games.duelyst.board import ARTIFACTS, HAND, MOST_CARDS, MOST_SHOWN
from plyglass.games.duelyst.hands import held
from plyglass.games.duelyst.noticing import arrived_card, summoned_from_deck
from plyglass.games.duelyst.tracks import (
    BEGUN,
    CARD,
    COUNT,
    LIKELY,
    MANA,
    PLAYED,
    SPENT,
    SURE,
    UNKNOWN_DECK,
    held_back,
    next_card_odds,
)
from plyglass.games.duelyst.units import worn

FULLY = 1.0
STRANGE = 0.5  # how likely a deck that nobody knows is at first, where decks are known


@kernel
def plausible(r, s, seen, viewer, tracks):
    """Track an enemy who has a deck of the usual shape."""
    return _track(r, s, seen, viewer, tracks, 1)


@kernel
def archetypes(r, s, seen, viewer, tracks):
    """Track an enemy who has one of the known decks of his faction, perhaps with some cards
    changed, or a deck of the usual shape.
    """
    return _track(r, s, seen, viewer, tracks, r.known_decks[1 - viewer])


@kernel
def _track(r, s, seen, viewer, tracks, decks):
    """Bring tracks from the view `s` to the view `seen`; returns 0, for what is unlikely is
    never lost.
    """
    enemy = 1 - viewer
    if tracks[BEGUN] == 0.0:
        _begin(r, seen, enemy, tracks, decks)
    else:
        played = _notice_played(r, s, seen, enemy, tracks, decks)
        _notice_out_of_deck(r, s, seen, enemy, tracks, played)
        if seen.replaced[enemy] > s.replaced[enemy]:
            _replace(tracks)
        if s.player == enemy and seen.turn != s.turn:
            _hold_back(s, enemy, tracks)
        _receive(r, s, seen, enemy, tracks, played)
    _weigh(r, seen, enemy, tracks, decks)
    return 0


@kernel
def _begin(r, seen, enemy, tracks, decks):
    """A player has all decks before him, and cards that were played before he looked."""
    tracks[BEGUN] = 1.0
    for deck in range(decks):
        tracks[PLAYED + deck] = (1.0 - STRANGE) / (decks - 1) if decks > 1 else 1.0
    if decks > 1:
        tracks[PLAYED + UNKNOWN_DECK] = STRANGE
    for _ in range(held(seen, enemy)):
        _add(tracks, 0)
    for place in range(MOST_SHOWN):
        if seen.shown[enemy, place] > 0:
            _come_out(r, seen, enemy, tracks, np.int64(seen.shown[enemy, place]), decks)


@kernel
def _notice_played(r, s, seen, enemy, tracks, decks):
    """Take note of a card that was played; returns it, or 0."""
    place = 0
    while place < MOST_SHOWN and seen.shown[enemy, place] == s.shown[enemy, place]:
        place += 1
    card = (
        np.int64(seen.shown[enemy, place]) if place < MOST_SHOWN else 0
    )  # both lists are sorted: the first that differs is new
    if card > 0:
        slot = _slot_of(r, tracks, card)
        if slot == HAND or tracks[CARD + slot] != card:
            _come_out(r, s, enemy, tracks, card, decks)
        _remove(tracks, slot)
    return card


@kernel
def _slot_of(r, tracks, card):
    """Which card in hand was played: one that was known, or else the latest of those that are
    likeliest to have been this one.
    """
    found, best = HAND, 0.0
    for slot in range(int(tracks[COUNT])):
        if tracks[CARD + slot] == card:
            return slot
        likely = 0.0 if tracks[CARD + slot] > 0.0 else held_back(r, card, tracks[MANA + slot])
        if likely >= best or found == HAND:
            found, best = slot, likely
    return found


@kernel
def _come_out(r, s, enemy, tracks, card, decks):
    """A card comes out of the deck: decks are as much likelier as they are likelier to show it."""
    place, total = 0, 0.0
    while place < r.pool_size[enemy] and r.pool[enemy, place] != card:
        place += 1
    if place == r.pool_size[enemy]:
        return  # no card for decks
    odds = stack_reals(MOST_CARDS)
    for deck in range(decks if decks > 1 else 0):
        next_card_odds(r, s, enemy, tracks, deck, odds)
        tracks[PLAYED + deck] *= odds[place]
        total += tracks[PLAYED + deck]
    for deck in range(decks if decks > 1 else 0):
        tracks[PLAYED + deck] /= total
    tracks[SPENT + card] += 1.0


@kernel
def _notice_out_of_deck(r, s, seen, enemy, tracks, played):
    """Take note of an artifact or a unit that comes out of the deck without having been in hand."""
    if seen.left[enemy] < s.left[enemy]:
        for slot in range(worn(s, enemy), ARTIFACTS):
            if seen.artifact[enemy, slot] > 0 and seen.artifact[enemy, slot] != played:
                tracks[SPENT + seen.artifact[enemy, slot]] += 1.0
        card = summoned_from_deck(r, s, seen, enemy)
        if card > 0:
            tracks[SPENT + card] += 1.0


@kernel
def _replace(tracks):
    """A card is replaced: the one that was held back longest of those that nobody knows, and
    perhaps one that is known.
    """
    found, count = HAND, int(tracks[COUNT])
    for slot in range(count):
        if tracks[CARD + slot] > 0.0:
            tracks[SURE + slot] *= 1.0 - 1.0 / count
        elif found == HAND or tracks[MANA + slot] > tracks[MANA + found]:
            found = slot
    if found < HAND:
        tracks[MANA + found] = 0.0


@kernel
def _hold_back(s, enemy, tracks):
    """The cards in hand were not played with the mana that is left."""
    for slot in range(int(tracks[COUNT])):
        tracks[MANA + slot] = max(tracks[MANA + slot], float(s.mana[enemy]))


@kernel
def _receive(r, s, seen, enemy, tracks, played):
    """Take note of cards that come into the hand; those of the deck are not known."""
    count, drawn = held(seen, enemy), np.int64(s.left[enemy]) - np.int64(seen.left[enemy])
    while tracks[COUNT] > count:
        _remove(tracks, 0)
    arrivals = count - int(tracks[COUNT])
    for number in range(arrivals):
        _add(tracks, arrived_card(r, s, seen, enemy, played) if number >= drawn else 0)


@kernel
def _add(tracks, card):
    slot = int(tracks[COUNT])
    tracks[CARD + slot], tracks[SURE + slot], tracks[MANA + slot] = card, FULLY, 0.0
    tracks[COUNT] += 1.0


@kernel
def _remove(tracks, slot):
    if slot < tracks[COUNT]:
        tracks[COUNT] -= 1.0
        for later in range(slot, int(tracks[COUNT])):
            for part in (CARD, SURE, MANA):
                tracks[part + later] = tracks[part + later + 1]


@kernel
def _weigh(r, seen, enemy, tracks, decks):
    """Work out how likely every deck is by what was played and what was held back."""
    total, odds = 0.0, stack_reals(MOST_CARDS)
    for deck in range(decks):
        tracks[LIKELY + deck] = tracks[PLAYED + deck]
        if decks > 1:
            next_card_odds(r, seen, enemy, tracks, deck, odds)
            for slot in range(int(tracks[COUNT])):
                if tracks[CARD + slot] == 0.0 and tracks[MANA + slot] > 0.0:
                    tracks[LIKELY + deck] *= _held_back_odds(r, enemy, odds, tracks[MANA + slot])
        total += tracks[LIKELY + deck]
    for deck in range(decks):
        tracks[LIKELY + deck] /= total


@kernel
def _held_back_odds(r, enemy, odds, mana):
    """How likely any card by these odds is to be held back."""
    total = 0.0
    for number in range(r.pool_size[enemy]):
        total += odds[number] * held_back(r, r.pool[enemy, number], mana)
    return total
