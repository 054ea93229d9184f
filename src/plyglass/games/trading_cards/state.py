"""The state of the trading card game, its constants, and the values of cards in play.

Values and health are in hundredths of a point, because averages have fractions.
"""

import numpy as np

from plyglass.core import kernel, state_dtype
from plyglass.core.bits import lowest_one
from plyglass.games.trading_cards.cards import ATTACK, CARDS, FIGHT, HEAL, STAND_IN

POINT = 100  # one point of health or value, in the units of the state
FEATURES_EACH = 20  # number of features of one side
FEATURES = 2 * FEATURES_EACH + 1

# Kinds of actions. The source is the mover's card, and the target an opposing card. IMAGINE places
# the stand-in for the attribute that its source names.
END, DRAW, PLACE, REMOVE, HEALS, ATTACKS, BATTLE, IMAGINE = range(8)
DRAWING, PLACING, ACTING = range(3)  # phases of a turn

State = state_dtype(
    ("deck", np.int64, (2,)),  # cards left to draw, as a set; chance decides which is drawn
    ("hand", np.int64, (2,)),
    ("field", np.int64, (2,)),
    ("fresh", np.int64),  # cards of the player to move that can act in this turn
    ("health", np.int32, (2,)),  # at 0 or below a player has lost
    ("stand_in", np.int16, (2, 3)),  # the value of a stand-in in its own attribute, by attribute
    ("average", np.int16, (2, 3)),  # the value of a stand-in in an attribute that is not its own
    ("turn", np.int16),  # number of turns that have ended, both players counted together
    ("phase", np.int8),
    ("player", np.int8),
)

Constants = np.dtype(
    [
        ("soldiers", np.int64),  # number of soldiers in a deck
        ("removals", np.int64),
        ("hand", np.int64),
        ("health", np.int64),
        ("turns", np.int64),
        ("weighted", np.int64),  # whether an average's divisor counts cards in hand twice
        ("plain", np.int64),  # whether a stand-in's other attributes are averages or 0
        ("balance", np.float64),
        ("value", np.int64, (CARDS, 3)),  # Fight, Heal and Attack of soldiers and Removals
        ("total", np.int64, (CARDS,)),  # the sum of a card's three values
        ("weights", np.float64, (FEATURES + 1,)),  # for the evaluator "learned"
    ]
)
Setup = np.dtype([("hand", np.int64, (2,))])  # the first hands; an empty one is random


@kernel
def value_of(r, s, owner, card, attribute):
    """Return the value, in one attribute, of a card on `owner`'s field."""
    if card < CARDS:
        return r.value[card, attribute]
    return np.int64(
        s.stand_in[owner, attribute]
        if (card - STAND_IN) % 3 == attribute
        else s.average[owner, attribute]
    )


@kernel
def total_of(r, s, owner, card):
    """Return the sum of a card's three values."""
    if card < CARDS:
        return r.total[card]
    return (
        value_of(r, s, owner, card, FIGHT)
        + value_of(r, s, owner, card, HEAL)
        + value_of(r, s, owner, card, ATTACK)
    )


@kernel
def imbalance(r, cards):
    """Return the highest total among these cards minus the lowest."""
    if cards == 0:
        return 0
    low, high = 1 << 40, 0
    while cards:
        total = r.total[lowest_one(cards)]
        cards &= cards - 1
        low, high = min(low, total), max(high, total)
    return high - low
