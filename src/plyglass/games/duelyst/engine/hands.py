"""Cards in decks and hands.

Every draw is uniform. A deck is kept sorted, so its order reveals nothing.
"""

import numpy as np

from plyglass.core import draw, kernel
from plyglass.games.duelyst.cards.vocabulary import OF_TRIBE, OF_TYPE
from plyglass.games.duelyst.engine.events import DREW, NOBODY, note
from plyglass.games.duelyst.engine.health import BY_NATURE, hurt
from plyglass.games.duelyst.engine.units import general_of
from plyglass.games.duelyst.state import DECK, FATIGUE, HAND, MOST_EXCHANGES, MOST_SHOWN


@kernel
def insert(cards, size, card):
    """Insert a card into a sorted list that has room for it."""
    while size > 0 and cards[size - 1] < card:
        cards[size] = cards[size - 1]
        size -= 1
    cards[size] = card


@kernel
def take_from_deck(s, player, place):
    card = np.int64(s.deck[player, place])
    s.left[player] -= 1
    for later in range(place, s.left[player]):
        s.deck[player, later] = s.deck[player, later + 1]
    s.deck[player, s.left[player]] = 0
    return card


@kernel
def put_into_deck(s, player, card):
    if s.left[player] < DECK:
        insert(s.deck[player], np.int64(s.left[player]), card)
        s.left[player] += 1


@kernel
def free_slot(s, player):
    """Return the first empty place in a hand, or HAND if the hand is full."""
    slot = 0
    while slot < HAND and s.hand[player, slot] != 0:
        slot += 1
    return slot


@kernel
def held(s, player):
    """Return the number of cards in a player's hand."""
    count = 0
    for slot in range(HAND):
        count += s.hand[player, slot] != 0
    return count


@kernel
def put_into_hand(s, player, card):
    """Put a card into a hand; if the hand is full, the card is lost."""
    slot = free_slot(s, player)
    if slot < HAND:
        s.hand[player, slot] = card


@kernel
def draw_card(r, s, queue, player):
    """Draw a card.

    If the hand is full, nothing happens, unless `burn` is set. With `burn`, a card drawn into a
    full hand is lost. If the deck is empty, the general takes damage instead.
    """
    full = free_slot(s, player) == HAND
    if full and not r.burn:
        return
    if s.left[player] == 0:
        hurt(r, s, queue, NOBODY, general_of(s, player), np.int64(FATIGUE), BY_NATURE)
        return
    card = take_from_deck(s, player, draw(s, s.left[player]))
    if not full:
        put_into_hand(s, player, card)
        note(s, queue, DREW, NOBODY, player, NOBODY)


@kernel
def draw_kind(r, s, queue, player, which, value):
    """Draw a card of a tribe or a type, if the deck has one."""
    count = _count(r, s, player, which, value)
    if count > 0 and free_slot(s, player) < HAND:
        put_into_hand(
            s, player, take_from_deck(s, player, _nth(r, s, player, which, value, draw(s, count)))
        )
        note(s, queue, DREW, NOBODY, player, NOBODY)


@kernel
def any_of_type(r, s, player, kind):
    """Take a random card of a type out of a deck, or return 0 if there is none."""
    count = _count(r, s, player, OF_TYPE, kind)
    return (
        take_from_deck(s, player, _nth(r, s, player, OF_TYPE, kind, draw(s, count)))
        if count > 0
        else 0
    )


@kernel
def _count(r, s, player, which, value):
    """Return the number of cards of a tribe or a type in a deck."""
    count = 0
    for place in range(s.left[player]):
        count += _is_kind(r, np.int64(s.deck[player, place]), which, value)
    return count


@kernel
def _nth(r, s, player, which, value, number):
    """Return the deck index of card `number`, counted from 0 among cards of a tribe or type."""
    place = 0
    while number > 0 or not _is_kind(r, np.int64(s.deck[player, place]), which, value):
        number -= _is_kind(r, np.int64(s.deck[player, place]), which, value)
        place += 1
    return place


@kernel
def _is_kind(r, card, which, value):
    return (r.tribe[card] if which == OF_TRIBE else r.type[card]) == value


@kernel
def exchange(r, s, player, slot):
    """Replace a card with a random card from the deck, of another name if possible."""
    old = np.int64(s.hand[player, slot])
    name, others = r.version_of[old], 0
    for place in range(s.left[player]):
        others += r.version_of[s.deck[player, place]] != name
    number = draw(s, others if others > 0 else s.left[player])
    place = 0
    while number > 0 or (others > 0 and r.version_of[s.deck[player, place]] == name):
        number -= r.version_of[s.deck[player, place]] != name or others == 0
        place += 1
    s.hand[player, slot] = take_from_deck(s, player, place)
    put_into_deck(s, player, r.becomes[old])
    count_exchange(s, player)


@kernel
def count_exchange(s, player):
    """Add 1 to the numbers of cards replaced in this turn and in the whole game."""
    s.replaced[player] += 1
    s.exchanges[player] = min(s.exchanges[player] + 1, MOST_EXCHANGES)


@kernel
def show(s, player, card):
    """Record that both players have now seen one of a player's cards."""
    count = 0
    while count < MOST_SHOWN and s.shown[player, count] != 0:
        count += 1
    if count < MOST_SHOWN:
        insert(s.shown[player], count, card)


@kernel
def held_before(s, player, slot):
    """Return whether an earlier place of the hand has a copy of the card in `slot`."""
    for earlier in range(slot):
        if s.hand[player, earlier] == s.hand[player, slot]:
            return True
    return False
