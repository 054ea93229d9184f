"""A world by what a player knows of the enemy's cards: a deck, what is left of it, and which of
that is in hand.
"""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.core.memory import stack_ints, stack_reals
from plyglass.games.duelyst.board import DECK, HAND, MOST_CARDS
from plyglass.games.duelyst.hands import held, put_into_deck
from plyglass.games.duelyst.hiding import COPIES, take
from plyglass.games.duelyst.tracks import (
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

FINE = 1 << 30  # parts that a probability is drawn in
TRIES = 20  # cards that are looked at for one that is held back
ROOM = DECK + HAND + COPIES * DECK


@kernel
def place(r, s, viewer, tracks):
    """Give the enemy cards as tracks say, so that no deck has more than three of one with those
    that were seen.
    """
    enemy, copies, listed = 1 - viewer, stack_ints(ROOM), stack_ints(MOST_CARDS)
    in_hand, left = held(s, enemy), np.int64(s.left[enemy])
    total = _list_cards(r, s, enemy, tracks, copies, listed, in_hand + left)
    for slot in range(in_hand):
        if tracks[CARD + slot] > 0.0 and _happens(s, tracks[SURE + slot]):
            s.hand[enemy, slot] = int(tracks[CARD + slot])
        else:
            s.hand[enemy, slot] = _take_held_back(r, s, copies, total, tracks[MANA + slot])
            total -= 1
    s.left[enemy] = 0
    for _ in range(left):
        put_into_deck(s, enemy, take(s, copies, total))
        total -= 1
    return 1.0


@kernel
def _list_cards(r, s, enemy, tracks, copies, listed, needed):
    """List cards that the enemy may have left, at least as many as are needed; returns how many
    they are.
    """
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
    """Any card of a list that would have been held back with so much mana."""
    for _ in range(TRIES if mana > 0.0 else 0):
        number = draw(s, total)
        if _happens(s, held_back(r, copies[number], mana)):
            card = copies[number]
            copies[number] = copies[total - 1]
            return card
    return take(s, copies, total)


@kernel
def _any_deck(r, s, enemy, tracks):
    """A deck, each as often as it is likely."""
    point = draw(s, FINE) / FINE
    for deck in range(r.known_decks[enemy]):
        if point < tracks[LIKELY + deck]:
            return deck
        point -= tracks[LIKELY + deck]
    return UNKNOWN_DECK


@kernel
def _any_place(r, s, enemy):
    """A place in the pool, each as often as decks of the usual shape have the card."""
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
    """A number of copies, each as often as it is likely."""
    point = draw(s, FINE) / FINE
    for number in range(COPIES):
        if point < odds[number]:
            return number
        point -= odds[number]
    return COPIES


@kernel
def _happens(s, chance):
    """Whether something of this probability happens."""
    return draw(s, FINE) < chance * FINE
