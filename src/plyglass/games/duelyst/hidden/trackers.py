"""Trackers: functions that update what a player knows about the enemy's cards between two views.

Observations are processed in this order:

1. A card is played. If the enemy was known to hold this card, it was played from its known place.
   Otherwise the played card was drawn from the deck, and decks with more copies of the card become
   likelier. Then the tracker assumes that the card was the latest card in hand that had been too
   expensive in earlier turns.
2. A card leaves the deck in another way: as an artifact, or as a unit.
3. A card is replaced. The replaced card is probably an older card, which the enemy held back in
   earlier turns. Each known card becomes a little less certain. A card that appears on the board
   because it was replaced counts as played.
4. A turn ends. Each card in hand costs more than the mana left, or the enemy held the card back.
5. Cards come into the hand. Cards from the deck are unknown, and other cards may be known.

The probability of a deck follows by Bayes' rule from the cards played and the cards held back. In
all other respects, every card of the deck is equally likely to be in hand.
"""

import numpy as np

from plyglass.core import kernel
from plyglass.core.memory import stack_reals
from plyglass.games.duelyst.cards.vocabulary import GIVE_CARD, RETURN, SUMMON_FROM_DECK
from plyglass.games.duelyst.engine.hands import held
from plyglass.games.duelyst.engine.units import worn
from plyglass.games.duelyst.hidden.tracks import (
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
from plyglass.games.duelyst.state import ARTIFACTS, HAND, MOST_CARDS, MOST_SHOWN

FULLY = 1.0
STRANGE = 0.5  # prior probability that the deck is none of the known decks


@kernel
def plausible(r, s, seen, viewer, tracks):
    """Track an enemy with a deck of the usual shape."""
    return _track(r, s, seen, viewer, tracks, 1)


@kernel
def archetypes(r, s, seen, viewer, tracks):
    """Track an enemy with a known deck of their faction, or a deck of the usual shape.

    Some cards of a known deck may have been changed.
    """
    return _track(r, s, seen, viewer, tracks, r.known_decks[1 - viewer])


@kernel
def _track(r, s, seen, viewer, tracks, decks):
    """Update tracks from the view `s` to the view `seen`.

    Return 0 lost tracks: these trackers consider no card impossible, so they never lose a track.
    """
    enemy = 1 - viewer
    if tracks[BEGUN] == 0.0:
        _begin(r, seen, enemy, tracks, decks)
    else:
        played = _notice_played(r, s, seen, enemy, tracks, decks)
        _notice_out_of_deck(r, s, seen, enemy, tracks, played)
        if seen.replaced[enemy] > s.replaced[enemy] and played == 0:  # else it is the played card
            _replace(tracks)
        if s.player == enemy and seen.turn != s.turn:
            _hold_back(s, enemy, tracks)
        _receive(r, s, seen, enemy, tracks, played)
    _weigh(r, seen, enemy, tracks, decks)
    return 0


@kernel
def _begin(r, seen, enemy, tracks, decks):
    """Begin with the prior over decks, and account for cards played before the first view."""
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
    """Account for a played card, and return the card, or 0 if none was played."""
    place = 0
    while place < MOST_SHOWN and seen.shown[enemy, place] == s.shown[enemy, place]:
        place += 1
    # Both lists are sorted, so the first card that differs is new.
    card = np.int64(seen.shown[enemy, place]) if place < MOST_SHOWN else 0
    if card > 0:
        slot = _slot_of(r, tracks, card)
        if slot == HAND or tracks[CARD + slot] != card:
            _come_out(r, s, enemy, tracks, card, decks)
        _remove(tracks, slot)
    return card


@kernel
def _slot_of(r, tracks, card):
    """Return the place in hand from which a card was played.

    This is the card's known place, or otherwise the likeliest place. Among equally likely places,
    the function returns the latest.
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
    """Account for a card from the deck by weighting every deck with the card's probability."""
    place, total = 0, 0.0
    while place < r.pool_size[enemy] and r.pool[enemy, place] != card:
        place += 1
    if place == r.pool_size[enemy]:
        return  # no deck can have this card
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
    """Account for an artifact or a unit that comes out of the deck without being played."""
    if seen.left[enemy] < s.left[enemy]:
        for slot in range(worn(s, enemy), ARTIFACTS):
            if seen.artifact[enemy, slot] > 0 and seen.artifact[enemy, slot] != played:
                tracks[SPENT + seen.artifact[enemy, slot]] += 1.0
        card = summoned_from_deck(r, s, seen, enemy)
        if card > 0:
            tracks[SPENT + card] += 1.0


@kernel
def _replace(tracks):
    """Account for a replaced card.

    The replaced card is probably the unknown card that was held back with the most mana left. But
    it may also be a known card, so known cards become less certain.
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
    """Record for each card in hand the most mana left at the end of a turn without playing it."""
    for slot in range(int(tracks[COUNT])):
        tracks[MANA + slot] = max(tracks[MANA + slot], float(s.mana[enemy]))


@kernel
def _receive(r, s, seen, enemy, tracks, played):
    """Account for cards that come into the hand; cards from the deck are unknown."""
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
    """Compute the probability of every deck given the cards played and held back."""
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
    """Return the probability that a card drawn with these odds is held back with this mana left."""
    total = 0.0
    for number in range(r.pool_size[enemy]):
        total += odds[number] * held_back(r, r.pool[enemy, number], mana)
    return total


# Cards that come into a hand or onto the board without being drawn or played.


@kernel
def arrived_card(r, s, seen, player, played):
    """Return the card that came into a player's hand from outside the deck; 0 if unknown.

    If a minion has left the board, and the minion or the last spell returns units to the hand, the
    card is this minion. Otherwise the played card or a unit has put the card into the hand.
    """
    card = _returned(r, s, seen, player)
    if card == 0 and played > 0:
        card = _given_by(r, s, played)
    for unit in range(1, s.units + 1):
        if card == 0 and s.alive[unit] and s.owner[unit] == player:
            card = _given_by(r, s, np.int64(s.card[unit]))
    return card


@kernel
def _returned(r, s, seen, player):
    """Return a player's minion that left the board and may be in the hand; 0 if there is none."""
    by_spell = _has(r, np.int64(seen.last_spell), RETURN)
    for unit in range(1, s.units + 1):
        card = np.int64(s.card[unit])
        if s.alive[unit] and s.owner[unit] == player and (by_spell or _has(r, card, RETURN)):
            if _count_units(seen, player, card) < _count_units(s, player, card):
                return card
    return 0


@kernel
def summoned_from_deck(r, s, seen, player):
    """Return a minion that came from a player's deck to the board; 0 if there is none."""
    if not _summons(r, s, seen, player):
        return 0
    newest = np.int64(seen.card[seen.units])
    both = _count_units(seen, player, newest) + _count_units(seen, 1 - player, newest)
    return (
        newest
        if both > _count_units(s, player, newest) + _count_units(s, 1 - player, newest)
        else 0
    )


@kernel
def _summons(r, s, seen, player):
    """Return whether the last spell, or a lost enemy unit, summons minions from a player's deck."""
    if seen.last_spell != s.last_spell and _has(r, np.int64(seen.last_spell), SUMMON_FROM_DECK):
        return True
    for unit in range(1, s.units + 1):
        card, owner = np.int64(s.card[unit]), np.int64(s.owner[unit])
        if (
            owner != player
            and _has(r, card, SUMMON_FROM_DECK)
            and _count_units(seen, owner, card) < _count_units(s, owner, card)
        ):
            return True
    return False


@kernel
def _count_units(s, player, card):
    count = 0
    for unit in range(1, s.units + 1):
        count += s.alive[unit] != 0 and s.owner[unit] == player and s.card[unit] == card
    return count


@kernel
def _given_by(r, s, card):
    """Return the card that `card` puts into a hand; 0 if there is none, or if it is unknown."""
    for ability in range(r.first[card], r.last[card]):
        if r.effect[ability] == GIVE_CARD:
            return r.token[ability] if r.token[ability] != 0 else np.int64(s.last_spell)
    return 0


@kernel
def _has(r, card, effect):
    """Return whether a card has an ability with this effect."""
    for ability in range(r.first[card], r.last[card]):
        if r.effect[ability] == effect:
            return True
    return False
