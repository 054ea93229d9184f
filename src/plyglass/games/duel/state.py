"""The cards of Duel, as data; and creatures, each one number.

A creature on the board is its card, its health and whether it is ready to attack, in 8 bits. Two
alike creatures are the same number, so a row of creatures sorts into one order, and an action that
names a creature means any of its like.
"""

from typing import NamedTuple

from plyglass.core import kernel

SUMMON, BOLT, DRAW, HEAL = range(4)  # what a card does when it is played


class Card(NamedTuple):
    """A card: `power` is a creature's attack, or the damage, cards or health that a spell gives."""

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
NOBODY = 0  # in place of a creature: an empty place on the board, or the hero as a target
READY = 1


@kernel
def creature(card, health, ready):
    """The creature of this card, with this health."""
    return (card + 1) << 5 | health << 1 | ready


@kernel
def card_of(creature):
    return (creature >> 5) - 1


@kernel
def health_of(creature):
    return (creature >> 1) & 15
