"""The cards of the trading card game, as data.

A card is a number, and a set of cards is an integer with one bit per card. Soldiers have the lowest
numbers, then come Removals, then stand-ins. A stand-in is not a card of the deck. A stand-in is the
average of the cards in its owner's hand and deck, and lies only on the field of an imagined
position.
"""

FIGHT, HEAL, ATTACK = range(3)
ATTRIBUTES = ("Fight", "Heal", "Attack")

SOLDIERS = (
    (1, 1, 1), (1, 1, 2), (1, 0, 3), (2, 2, 2), (3, 2, 2), (0, 4, 4), (3, 3, 3), (1, 1, 5),
    (4, 4, 0), (4, 4, 4), (6, 0, 0), (3, 3, 0), (4, 0, 3), (3, 3, 2), (1, 3, 3), (2, 4, 2),
    (4, 0, 4), (4, 1, 1), (0, 0, 7), (2, 4, 1), (6, 6, 6), (4, 1, 0), (5, 1, 0),
)  # fmt: skip
REMOVAL = len(SOLDIERS)  # the number of the first Removal
MOST_REMOVALS = 2
REMOVAL_VALUES = (5, 0, 0)  # the values of a Removal in averages and totals
CARDS = REMOVAL + MOST_REMOVALS
REMOVALS = (1 << CARDS) - (1 << REMOVAL)  # the set of all Removals
# The number of the first stand-in. The first three stand-ins are one per attribute, then three more
# follow, and so on.
STAND_IN = CARDS
MOST_STAND_INS = 36


def values_of(card: int) -> tuple[int, int, int]:
    """Return Fight, Heal and Attack of a card of the deck, in points."""
    return REMOVAL_VALUES if card >= REMOVAL else SOLDIERS[card]


def members(cards: int) -> list[int]:
    """Return the cards of a set."""
    return [card for card in range(int(cards).bit_length()) if cards >> card & 1]


def card_name(card: int) -> str:
    """Return the name of a card; the soldier `4/1/0` has Fight 4, Heal 1 and Attack 0."""
    if card >= STAND_IN:
        return f"average {ATTRIBUTES[(card - STAND_IN) % 3]}"
    return "Removal" if card >= REMOVAL else "/".join(str(value) for value in values_of(card))
