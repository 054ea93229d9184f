"""What a player knows of the enemy's cards, as numbers, and what follows from it: which deck he
has, and which cards are left of it.

- how likely each deck is by what was played: first a deck that nobody knows, then the known ones;
- the same by what was held back too;
- how many of each card have come out of the deck and have been seen;
- for every card in hand, those that came last being last: which it is, if that was seen; how sure
  that still is; and the most mana that was left at the end of a turn while it was there.
"""

from plyglass.core import kernel
from plyglass.core.memory import stack_reals
from plyglass.games.duelyst.board import HAND, MOST_CARDS, MOST_DECKS
from plyglass.games.duelyst.words import MINION, SPELL

BEGUN = 0
PLAYED = BEGUN + 1
LIKELY = PLAYED + MOST_DECKS
SPENT = LIKELY + MOST_DECKS
CARD = SPENT + MOST_CARDS
SURE = CARD + HAND
MANA = SURE + HAND
COUNT = MANA + HAND  # how many cards there are in hand
NUMBERS = COUNT + 1

UNKNOWN_DECK = 0  # among decks: one of the usual shape
CHANGED = 0.05  # the share of cards that a player changes in a known deck
FEWEST_OTHERS = 0.5  # cards that are not copies of one that was seen, however few there are left
HELD_MINION, HELD_SPELL, HELD_ARTIFACT = (
    0.05,
    0.8,
    0.5,
)  # how likely a card is held back that could be paid for, beside one that cannot


@kernel
def held_back(r, card, mana):
    """How likely a card is to be still in hand after a turn that left so much mana."""
    if mana == 0 or r.mana[card] > mana:
        return 1.0
    if r.type[card] == MINION:
        return HELD_MINION
    return HELD_SPELL if r.type[card] == SPELL else HELD_ARTIFACT


@kernel
def unseen_share(r, s, player, tracks):
    """How much of a player's deck nobody has seen yet."""
    seen = 0.0
    for number in range(r.pool_size[player]):
        seen += tracks[SPENT + r.pool[player, number]]
    unseen = tracks[COUNT] + s.left[player]
    return unseen / max(1.0, unseen + seen)


@kernel
def copies_left(r, spent, unseen, odds):
    """Write how likely none, one, two or three copies of a card are left when so many were seen,
    and this share of the deck was not.

    Decks have one, two or three of a card as `r.copies` says, and every card of a deck is as likely
    as any other to have been seen.
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
    """Write how likely each card of a player's pool, by its place there, is to be any one that
    nobody has seen, if he has this deck.
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
    """How many copies of a card of a known deck have not been seen."""
    return max(0.0, r.known_deck[player, deck, card] - tracks[SPENT + card])


@kernel
def _unknown_odds(r, s, player, tracks, odds):
    """Write the odds of a deck of the usual shape: more copies of what was seen, and other cards
    for the rest.
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
