"""Tracks: a player's knowledge about the enemy's cards, and the resulting probabilities.

Tracks contain these numbers:

- the probability of each deck, given the cards played; the unknown deck comes first, and the known
  decks follow;
- the probability of each deck, given the cards played and the cards held back;
- the number of copies of each card that have come out of the deck and been seen;
- for every card in hand, in the order of arrival: which card it is, if the player has seen it; the
  probability that it has not been replaced since; and the most mana left at the end of a turn while
  the card was in hand.
"""

from plyglass.core import kernel
from plyglass.core.memory import stack_reals
from plyglass.games.duelyst.cards.vocabulary import MINION, SPELL
from plyglass.games.duelyst.state import HAND, MOST_CARDS, MOST_DECKS

BEGUN = 0
PLAYED = BEGUN + 1
LIKELY = PLAYED + MOST_DECKS
SPENT = LIKELY + MOST_DECKS
CARD = SPENT + MOST_CARDS
SURE = CARD + HAND
MANA = SURE + HAND
COUNT = MANA + HAND  # the index of the number of cards in hand
NUMBERS = COUNT + 1

UNKNOWN_DECK = 0  # the number of the unknown deck, which has the usual shape
CHANGED = 0.05  # the share of cards that a player changes in a known deck
FEWEST_OTHERS = 0.5  # at least this many cards left in a deck are not copies of seen cards
# The probability that a playable card is held back, relative to a card that is too expensive.
HELD_MINION, HELD_SPELL, HELD_ARTIFACT = 0.05, 0.8, 0.5


@kernel
def held_back(r, card, mana):
    """Return the likelihood that a card is not played in a turn with this much mana left."""
    if mana == 0 or r.mana[card] > mana:
        return 1.0
    if r.type[card] == MINION:
        return HELD_MINION
    return HELD_SPELL if r.type[card] == SPELL else HELD_ARTIFACT


@kernel
def unseen_share(r, s, player, tracks):
    """Return the share of a player's deck that has not been seen."""
    seen = 0.0
    for number in range(r.pool_size[player]):
        seen += tracks[SPENT + r.pool[player, number]]
    unseen = tracks[COUNT] + s.left[player]
    return unseen / max(1.0, unseen + seen)


@kernel
def copies_left(r, spent, unseen, odds):
    """Write the probabilities that zero, one, two or three copies of a card are left in the deck.

    `spent` copies of the card were seen, and the share `unseen` of the deck was not seen.
    `r.copies` gives the odds that a deck has one, two or three copies of a card. Every card of a
    deck is equally likely to have been seen.
    """
    ways, total = 1.0, 0.0
    for left in range(4):
        copies, odds[left] = spent + left, 0.0
        if 1 <= copies <= 3:
            odds[left] = r.copies[copies - 1] * ways
            total += odds[left]
        ways = ways * unseen * (copies + 1) / (left + 1)
    if total == 0.0:
        odds[0], total = 1.0, 1.0
    for left in range(4):
        odds[left] /= total


@kernel
def next_card_odds(r, s, player, tracks, deck, odds):
    """Write, for each card of a player's pool, the probability that it is the next unseen card.

    The probabilities assume that the player has the given deck.
    """
    _unknown_odds(r, s, player, tracks, odds)
    if deck == UNKNOWN_DECK:
        return
    total = 0.0
    for number in range(r.pool_size[player]):
        total += _left_of(r, player, tracks, deck, r.pool[player, number])
    if total > 0.0:
        for number in range(r.pool_size[player]):
            left = _left_of(r, player, tracks, deck, r.pool[player, number])
            odds[number] = CHANGED * odds[number] + (1.0 - CHANGED) * left / total


@kernel
def _left_of(r, player, tracks, deck, card):
    """Return how many copies of a card in a known deck have not been seen."""
    return max(0.0, r.known_deck[player, deck, card] - tracks[SPENT + card])


@kernel
def _unknown_odds(r, s, player, tracks, odds):
    """Write the probabilities of the next unseen card for an unknown deck.

    The card may be a further copy of a seen card, or another card.
    """
    unseen, left = unseen_share(r, s, player, tracks), stack_reals(4)
    more, others = 0.0, 0.0
    for number in range(r.pool_size[player]):
        card = r.pool[player, number]
        odds[number] = 0.0
        if tracks[SPENT + card] > 0.0:
            copies_left(r, int(tracks[SPENT + card]), unseen, left)
            odds[number] = left[1] + 2.0 * left[2]
            more += odds[number]
        else:
            others += r.card_odds[player, number]
    rest = max(FEWEST_OTHERS, tracks[COUNT] + s.left[player] - more)
    for number in range(r.pool_size[player]):
        if tracks[SPENT + r.pool[player, number]] == 0.0:
            odds[number] = rest * r.card_odds[player, number] / others
    _normalize(odds, r.pool_size[player])


@kernel
def _normalize(odds, count):
    total = 0.0
    for number in range(count):
        total += odds[number]
    for number in range(count):
        odds[number] /= total
