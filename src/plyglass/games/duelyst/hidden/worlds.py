"""A player's view, and random worlds that are consistent with a view.

`imagine` deals the enemy any possible cards. `place` deals cards by the tracks: it draws first a
deck, then the cards that are left of this deck, and then the cards in hand.
"""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.duelyst.engine.hands import held, put_into_deck
from plyglass.games.duelyst.hidden.tracks import (
    CARD,
    CHANGED,
    LIKELY,
    MANA,
    SPENT,
    SURE,
    UNKNOWN_DECK,
    copies_left,
    held_back,
    unseen_share,
)
from plyglass.games.duelyst.state import DECK, HAND, MOST_CARDS, MOST_SHOWN, UNKNOWN

COPIES = 3  # most copies of a card in a deck
FINE = 1 << 30  # number of equally likely values when a probability is drawn
TRIES = 20  # most attempts to draw a card that would have been held back
ROOM = DECK + HAND + COPIES * DECK


@kernel
def hide(r, s, viewer):
    """Erase the cards in the enemy's hand and deck, but keep the number of cards in each.

    The view also does not show which places of the hand are filled.
    """
    enemy = 1 - viewer
    count = held(s, enemy)
    for slot in range(HAND):
        s.hand[enemy, slot] = UNKNOWN if slot < count else 0
    for place in range(s.left[enemy]):
        s.deck[enemy, place] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    """Deal the enemy any cards that a deck of their faction may have.

    Each card has at most three copies, including the copies that the enemy has shown.
    """
    enemy = 1 - viewer
    copies = stack_ints(COPIES * MOST_CARDS)
    total, in_hand, left = (
        _list_copies(r, s, enemy, copies),
        held(s, enemy),
        np.int64(s.left[enemy]),
    )
    for slot in range(in_hand):
        s.hand[enemy, slot] = _used(r, s, enemy, take(s, copies, total), in_hand + left)
        total -= 1
    s.left[enemy] = 0
    for _ in range(left):
        put_into_deck(s, enemy, _used(r, s, enemy, take(s, copies, total), in_hand + left))
        total -= 1


@kernel
def _list_copies(r, s, player, copies):
    """List every copy of a card that a player may still have, and return their number."""
    total, seen = 0, 0
    for number in range(r.pool_size[player] - 1, -1, -1):
        card, left = r.pool[player, number], COPIES
        # Shown cards are sorted in the same order as the pool.
        while seen < MOST_SHOWN and s.shown[player, seen] >= card:
            left -= s.shown[player, seen] == card
            seen += 1
        for _ in range(left):
            copies[total] = card
            total += 1
    return total


@kernel
def _used(r, s, player, card, unseen):
    """Return a card, or the card that it becomes if the player has replaced it.

    Each card that the player has replaced may be any of the unseen cards, with equal probability.
    """
    if r.becomes[card] != card:
        for _ in range(s.exchanges[player]):
            if draw(s, unseen) == 0:
                card = r.becomes[card]
    return card


@kernel
def take(s, copies, total):
    """Take a random copy out of a list; the last copy moves into its place."""
    number = draw(s, total)
    card = copies[number]
    copies[number] = copies[total - 1]
    return card


@kernel
def place(r, s, viewer, tracks):
    """Deal the enemy's cards by the tracks, and return the world's weight, which is always 1.

    Each card has at most three copies, including the copies that were seen.
    """
    enemy, copies, listed = 1 - viewer, stack_ints(ROOM), stack_ints(MOST_CARDS)
    in_hand, left = held(s, enemy), np.int64(s.left[enemy])
    total = _list_cards(r, s, enemy, tracks, copies, listed, in_hand + left)
    for slot in range(in_hand):
        if tracks[CARD + slot] > 0.0 and _happens(s, tracks[SURE + slot]):
            s.hand[enemy, slot] = int(tracks[CARD + slot])
        else:
            card = _take_held_back(r, s, copies, total, tracks[MANA + slot])
            s.hand[enemy, slot] = _used(r, s, enemy, card, in_hand + left)
            total -= 1
    s.left[enemy] = 0
    for _ in range(left):
        put_into_deck(s, enemy, _used(r, s, enemy, take(s, copies, total), in_hand + left))
        total -= 1
    return 1.0


@kernel
def _list_cards(r, s, enemy, tracks, copies, listed, needed):
    """List at least `needed` cards that the enemy may still have; return how many are listed."""
    deck, unseen, left = (
        _any_deck(r, s, enemy, tracks),
        unseen_share(r, s, enemy, tracks),
        stack_reals(COPIES + 1),
    )
    total = 0
    for number in range(r.pool_size[enemy]):
        card = r.pool[enemy, number]
        spent = int(tracks[SPENT + card])
        listed[card] = spent > 0 or r.known_deck[enemy, deck, card] > 0
        if deck != UNKNOWN_DECK:
            for _ in range(r.known_deck[enemy, deck, card] - spent):
                total = _list(copies, total, card, not _happens(s, CHANGED))
        elif spent > 0:
            copies_left(r, spent, unseen, left)
            total = _list(copies, total, card, _any_number(s, left))
    copies_left(r, 0, unseen, left)
    while total < needed:
        card = r.pool[enemy, _any_place(r, s, enemy)]
        if not listed[card]:
            listed[card] = 1
            total = _list(copies, total, card, _any_number(s, left))
    return total


@kernel
def _list(copies, total, card, count):
    for _ in range(count):
        copies[total] = card
        total += 1
    return total


@kernel
def _take_held_back(r, s, copies, total, mana):
    """Take a random card that its owner would have held back with this much mana left."""
    for _ in range(TRIES if mana > 0.0 else 0):
        number = draw(s, total)
        if _happens(s, held_back(r, copies[number], mana)):
            card = copies[number]
            copies[number] = copies[total - 1]
            return card
    return take(s, copies, total)


@kernel
def _any_deck(r, s, enemy, tracks):
    """Draw a deck by the decks' probabilities."""
    point = draw(s, FINE) / FINE
    for deck in range(r.known_decks[enemy]):
        if point < tracks[LIKELY + deck]:
            return deck
        point -= tracks[LIKELY + deck]
    return UNKNOWN_DECK


@kernel
def _any_place(r, s, enemy):
    """Draw a card by its probability in usual decks, and return its index in the pool."""
    point, first, last = draw(s, FINE) / FINE, 0, r.pool_size[enemy] - 1
    while first < last:
        middle = (first + last) // 2
        if point < r.card_odds_up_to[enemy, middle]:
            last = middle
        else:
            first = middle + 1
    return first


@kernel
def _any_number(s, odds):
    """Draw the number of copies of a card in a deck, by the probability of each number."""
    point = draw(s, FINE) / FINE
    for number in range(COPIES):
        if point < odds[number]:
            return number
        point -= odds[number]
    return COPIES


@kernel
def _happens(s, chance):
    """Return whether an event of this probability happens."""
    return draw(s, FINE) < chance * FINE
