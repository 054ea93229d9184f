"""The cards, as data: a card is a number, a set of cards the bits of an integer.

Soldiers come first, then the Removals. A stand-in is no card of the deck: it is the average of what
its owner may still play, on the field of a position that a search imagines. Values are in
hundredths, because averages have fractions.
"""

import numpy as np

from plyglass.core import kernel, state_dtype
from plyglass.core.bits import lowest_one

FIGHT, HEAL, ATTACK = range(3)
ATTRIBUTES = ("Fight", "Heal", "Attack")
POINT = 100  # what one health point is in the state

SOLDIERS = (
    (1, 1, 1), (1, 1, 2), (1, 0, 3), (2, 2, 2), (3, 2, 2), (0, 4, 4), (3, 3, 3), (1, 1, 5),
    (4, 4, 0), (4, 4, 4), (6, 0, 0), (3, 3, 0),
    (4, 0, 3), (3, 3, 2), (1, 3, 3), (2, 4, 2), (4, 0, 4), (4, 1, 1), (0, 0, 7), (2, 4, 1),
    (6, 6, 6), (4, 1, 0), (5, 1, 0),
)  # fmt: skip
REMOVAL = len(SOLDIERS)  # the first of the Removals
MOST_REMOVALS = 2
REMOVAL_VALUES = (5, 0, 0)  # what a Removal counts for in averages and totals
CARDS = REMOVAL + MOST_REMOVALS
REMOVALS = (1 << CARDS) - (1 << REMOVAL)  # as a set
STAND_IN = CARDS  # the first stand-in; one for each attribute, then the second copies, and so on
MOST_STAND_INS = 36
FEATURES_EACH = 20  # numbers that describe one side
FEATURES = 2 * FEATURES_EACH + 1

State = state_dtype(
    ("deck", np.int64, (2,)),  # cards left to draw; their order is luck
    ("hand", np.int64, (2,)),
    ("field", np.int64, (2,)),
    ("fresh", np.int64),  # cards of the player to move that can act in this turn
    ("health", np.int32, (2,)),  # in hundredths; at 0 or below a player has lost
    (
        "stand_in",
        np.int16,
        (2, 3),
    ),  # what a player's stand-ins are worth in their own attribute; 0 where there never was one
    ("average", np.int16, (2, 3)),  # and in the others
    ("turn", np.int16),  # of both players together, from 0
    ("phase", np.int8),  # DRAWING, PLACING or ACTING
    ("player", np.int8),
)
DRAWING, PLACING, ACTING = range(3)

Constants = np.dtype(
    [
        ("soldiers", np.int64),  # how many of the table are in a deck
        ("removals", np.int64),
        ("hand", np.int64),
        ("health", np.int64),
        ("turns", np.int64),
        (
            "weighted",
            np.int64,
        ),  # whether doubling a card in hand counts it twice in the number of cards, too
        (
            "plain",
            np.int64,
        ),  # whether a stand-in has the plain averages in its other attributes, or nothing
        ("balance", np.float64),
        ("value", np.int64, (CARDS, 3)),  # of soldiers and Removals, in hundredths
        ("total", np.int64, (CARDS,)),  # the three values together
        (
            "weights",
            np.float64,
            (FEATURES + 1,),
        ),  # of the features, and one alone, for the evaluator that is learned
    ]
)
Setup = np.dtype(
    [("hand", np.int64, (2,))]
)  # the hands to begin with, as sets; an empty one is dealt


@kernel
def value_of(r, s, owner, card, attribute):
    """What a card on the field of `owner` is worth in an attribute."""
    if card < CARDS:
        return r.value[card, attribute]
    return np.int64(
        s.stand_in[owner, attribute]
        if (card - STAND_IN) % 3 == attribute
        else s.average[owner, attribute]
    )


@kernel
def total_of(r, s, owner, card):
    """The three values of a card together."""
    if card < CARDS:
        return r.total[card]
    return (
        value_of(r, s, owner, card, FIGHT)
        + value_of(r, s, owner, card, HEAL)
        + value_of(r, s, owner, card, ATTACK)
    )


@kernel
def imbalance(r, cards):
    """The highest total among cards in hand less the lowest."""
    if cards == 0:
        return 0
    low, high = 1 << 40, 0
    while cards:
        total = r.total[lowest_one(cards)]
        cards &= cards - 1
        low, high = min(low, total), max(high, total)
    return high - low


def values_of(card: int) -> tuple[int, int, int]:
    """Fight, Heal and Attack of a card of the deck, in points."""
    return REMOVAL_VALUES if card >= REMOVAL else SOLDIERS[card]


def members(cards: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(int(cards).bit_length()) if cards >> card & 1]


def card_name(card: int) -> str:
    """`4/1/0`: Fight, Heal and Attack of a soldier."""
    if card >= STAND_IN:
        return f"average {ATTRIBUTES[(card - STAND_IN) % 3]}"
    return "Removal" if card >= REMOVAL else "/".join(str(value) for value in values_of(card))
