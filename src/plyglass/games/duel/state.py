"""The state of Duel, its cards as data, and its creatures as numbers.

A creature on the board is a number of 8 bits, which hold its card, its health and whether it is
ready to attack. Equal creatures have equal numbers. So the creatures of a side can be sorted, and
an action that names a creature means any creature equal to it.
"""

from typing import NamedTuple

import numpy as np

from plyglass.core import kernel, state_dtype

SUMMON, BOLT, DRAW, HEAL = range(4)  # effects of cards


class Card(NamedTuple):
    """A card; `power` is a creature's attack, or a spell's damage, number of draws, or healing."""

    name: str
    effect: int
    cost: int
    power: int
    health: int = 0


CARDS = (
    Card("squire", SUMMON, 1, 1, 2),
    Card("spark", BOLT, 1, 2),
    Card("wolf", SUMMON, 2, 3, 1),
    Card("balm", HEAL, 1, 3),
    Card("insight", DRAW, 2, 2),
    Card("ogre", SUMMON, 4, 4, 4),
)
KINDS, MOST_BOARD = len(CARDS), 4
# Kinds of actions. The source is a card (PLAY) or a creature (ATTACK), the target a creature or
# NOBODY.
END, PLAY, ATTACK = range(3)
NOBODY = 0  # stands for an empty place on the board, or for the hero as a target
READY = 1

State = state_dtype(
    # Number of cards left to draw, by kind; chance decides which is drawn. In a view, the enemy's
    # deck includes their hand.
    ("deck", np.int8, (2, KINDS)),
    ("hand", np.int8, (2, KINDS)),  # cards held, by kind
    ("held", np.int8, (2,)),  # the number of cards in each hand, which everybody sees
    # Creatures, the largest number first, then NOBODY. Only creatures of the player to move can be
    # ready.
    ("board", np.int16, (2, MOST_BOARD)),
    ("hero", np.int8, (2,)),  # health of the heroes; the game is over when one has none
    ("crystals", np.int8, (2,)),  # mana that each player gets in a turn
    ("mana", np.int8),  # mana that the player to move has left
    ("player", np.int8),
)

Constants = np.dtype(
    [
        ("kinds", np.int64),
        ("copies", np.int64),
        ("health", np.int64),
        ("hand", np.int64),
        ("mana", np.int64),
        ("board", np.int64),
        ("open_hands", np.int64),
        ("effect", np.int64, (KINDS,)),
        ("cost", np.int64, (KINDS,)),
        ("power", np.int64, (KINDS,)),
        ("toughness", np.int64, (KINDS,)),  # health of a new creature
    ]
)


@kernel
def creature(card, health, ready):
    """Return the number that stands for a creature with this card, health and readiness."""
    return (card + 1) << 5 | health << 1 | ready


@kernel
def card_of(creature):
    return (creature >> 5) - 1


@kernel
def health_of(creature):
    return (creature >> 1) & 15
