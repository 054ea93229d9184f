"""The two decks, stored as sets of cards; at each draw, chance decides which card is drawn."""

import numpy as np

from plyglass.core import chance, draw, kernel
from plyglass.core.bits import count_ones, nth_one
from plyglass.games.pandemic.disease import infect
from plyglass.games.pandemic.state import (
    FORESEEN,
    FULL,
    HAND_LIMIT,
    INTENSIFYING,
    LOST_BY_CARDS,
    MOST_PLAYERS,
    NOBODY,
)


@kernel
def any_of(s, cards):
    """Return a random card of a set, all equally likely."""
    return nth_one(cards, draw(s, count_ones(cards)))


@kernel
def deal_card(s, seat):
    """Give a player a random card that is not an epidemic, and return it."""
    card = any_of(s, s.deck)
    s.deck ^= 1 << card
    s.left -= 1
    s.hand[seat] |= 1 << card
    return card


@kernel
def draw_player_card(r, s):
    """Draw a player card, which the active player gets unless the card is an epidemic.

    Each pile of the deck has one epidemic. The game is lost if no card is left.
    """
    if s.left == 0:
        s.result = LOST_BY_CARDS
        return
    s.turned += 1
    rest = r.pile_left[s.left]
    if r.pile[s.left] == s.epidemics and chance(s, (1.0, rest - 1.0)) == 0:
        s.left -= 1
        _epidemic(r, s)
    else:
        deal_card(s, s.seat)


@kernel
def draw_infection_card(s):
    """Turn over the top infection card, discard it and return its city."""
    card = _take_top(s)
    s.discard |= 1 << card
    return card


@kernel
def intensify(s):
    """Shuffle the discard pile and put it on top of the infection deck."""
    if s.discard != 0:
        _put_on_top(s, s.discard)
        s.discard = 0


@kernel
def foresee(s):
    """Take the top cards of the infection deck, so the player can look at them."""
    for _ in range(FORESEEN):
        if s.layer[s.top] != 0:
            s.foreseen |= 1 << _take_top(s)
    _put_back_last(s)


@kernel
def put_back(s, card):
    """Put one of the foreseen cards back on top of the infection deck."""
    s.foreseen ^= 1 << card
    _put_on_top(s, 1 << card)
    _put_back_last(s)


@kernel
def overfull(s):
    """Return the first seat with more cards than the hand limit, or NOBODY."""
    for seat in range(MOST_PLAYERS):
        if count_ones(s.hand[seat]) > HAND_LIMIT:
            return seat
    return NOBODY


@kernel
def _epidemic(r, s):
    """Put three cubes on the city of the bottom infection card.

    The shuffle that follows is a separate phase.
    """
    s.epidemics += 1
    _refill(s)
    bottom = 0
    while s.layer[bottom] == 0:
        bottom += 1
    card = any_of(s, s.layer[bottom])
    s.layer[bottom] ^= 1 << card
    s.discard |= 1 << card
    s.phase = INTENSIFYING
    infect(r, s, card, FULL, 0 if r.as_coded else s.eradicated)


@kernel
def _refill(s):
    """Make the discard pile the new infection deck, if the deck is empty.

    The deck is never empty in a dealt game. The deck can be empty in a position that a user sets
    up.
    """
    if s.layer[s.top] == 0:
        intensify(s)


@kernel
def _take_top(s):
    _refill(s)
    card = any_of(s, s.layer[s.top])
    s.layer[s.top] ^= 1 << card
    while s.top > 0 and s.layer[s.top] == 0:
        s.top -= 1
    return card


@kernel
def _put_back_last(s):
    """Put back the last foreseen card, because nothing is left to decide."""
    if count_ones(s.foreseen) == 1:
        _put_on_top(s, s.foreseen)
        s.foreseen = 0


@kernel
def _put_on_top(s, cards):
    if s.layer[s.top] != 0:
        s.top += 1
    s.layer[s.top] = cards


def piles(cards: int, epidemics: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two arrays, indexed by the number of player cards left in the deck.

    The first array gives the number of the pile on top, and the second array gives the number of
    cards left in this pile. The `cards` other than epidemics are split into piles as evenly as
    possible, and larger piles lie on top. Each pile gets one epidemic.
    """
    sizes = [cards // epidemics + (pile < cards % epidemics) + 1 for pile in range(epidemics)]
    numbers, rests = np.full(64, epidemics), np.zeros(64, np.int64)
    left = sum(sizes)
    for pile, size in enumerate(sizes):
        for rest in range(size, 0, -1):
            numbers[left], rests[left] = pile, rest
            left -= 1
    return numbers, rests
