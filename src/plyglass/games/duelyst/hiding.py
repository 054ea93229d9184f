"""What a player is shown, and a world that could be behind it."""

from plyglass.core import draw, kernel
from plyglass.games.duelyst.board import DECK, HAND, MOST_SHOWN, UNKNOWN
from plyglass.games.duelyst.hands import held, put_into_deck

COPIES = 3  # of a card in a deck


@kernel
def hide(r, s, viewer):
    """Erase which cards the enemy has in hand and in his deck; how many they are stays, but not in which places of the hand."""
    enemy = 1 - viewer
    count = held(s, enemy)
    for slot in range(HAND):
        s.hand[enemy, slot] = UNKNOWN if slot < count else 0
    for place in range(s.left[enemy]):
        s.deck[enemy, place] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    """Give the enemy any cards that a deck of his faction may have, up to three of each with those that he has shown."""
    enemy = 1 - viewer
    left = s.left[enemy]
    for place in range(DECK):
        s.deck[enemy, place] = 0
    s.left[enemy] = 0
    for slot in range(held(s, enemy)):
        s.hand[enemy, slot] = 0
        s.hand[enemy, slot] = _any_card(r, s, enemy)
    for _ in range(left):
        put_into_deck(s, enemy, _any_card(r, s, enemy))


@kernel
def _any_card(r, s, player):
    card = r.pool[player, draw(s, r.pool_size[player])]
    while _copies(s, player, card) >= COPIES:
        card = r.pool[player, draw(s, r.pool_size[player])]
    return card


@kernel
def _copies(s, player, card):
    """How many of a card a player has shown, or has by now."""
    count, place = 0, 0
    while place < MOST_SHOWN and s.shown[player, place] != 0:
        count += s.shown[player, place] == card
        place += 1
    for place in range(s.left[player]):
        count += s.deck[player, place] == card
    for slot in range(HAND):
        count += s.hand[player, slot] == card
    return count
