"""What a player is shown, and a world that could be behind it."""

from plyglass.core import draw, kernel
from plyglass.core.memory import stack_ints
from plyglass.games.duelyst.board import HAND, MOST_CARDS, MOST_SHOWN, UNKNOWN
from plyglass.games.duelyst.hands import held, put_into_deck

COPIES = 3  # of a card in a deck


@kernel
def hide(r, s, viewer):
    """Erase which cards the enemy has in hand and in his deck; how many they are stays, but not
    in which places of the hand.
    """
    enemy = 1 - viewer
    count = held(s, enemy)
    for slot in range(HAND):
        s.hand[enemy, slot] = UNKNOWN if slot < count else 0
    for place in range(s.left[enemy]):
        s.deck[enemy, place] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    """Give the enemy any cards that a deck of his faction may have, up to three of each with
    those that he has shown.
    """
    enemy = 1 - viewer
    copies = stack_ints(COPIES * MOST_CARDS)
    total = _list_copies(r, s, enemy, copies)
    for slot in range(held(s, enemy)):
        s.hand[enemy, slot] = take(s, copies, total)
        total -= 1
    left = s.left[enemy]
    s.left[enemy] = 0
    for _ in range(left):
        put_into_deck(s, enemy, take(s, copies, total))
        total -= 1


@kernel
def _list_copies(r, s, player, copies):
    """List every copy of a card that a player may still have; returns how many they are."""
    total, seen = 0, 0
    for number in range(r.pool_size[player] - 1, -1, -1):
        card, left = r.pool[player, number], COPIES
        while (
            seen < MOST_SHOWN and s.shown[player, seen] >= card
        ):  # what was shown is sorted as the pool is
            left -= s.shown[player, seen] == card
            seen += 1
        for _ in range(left):
            copies[total] = card
            total += 1
    return total


@kernel
def take(s, copies, total):
    """Any copy of a list, which the last one takes the place of."""
    number = draw(s, total)
    card = copies[number]
    copies[number] = copies[total - 1]
    return card
