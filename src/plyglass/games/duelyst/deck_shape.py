"""What decks are usually made of: copies, types, mana, and how many cards are of the faction;
and how likely that makes each card.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from plyglass.games.duelyst.cards import Card, cards, pool_of

DEAREST = 7  # mana; whatever costs more counts as this
ROUNDS = 50  # of fitting; shares are then right to many digits


class Shape(NamedTuple):
    """Shares of a deck.

    Attributes:
        faction: of cards that are not neutral.
        types: of minions, spells and artifacts.
        curve: of cards that cost 0, 1, ... mana.
        copies: of all different cards, those of which there is one, are two, and are three.
    """

    faction: float
    types: tuple[float, float, float]
    curve: tuple[float, ...]
    copies: tuple[float, float, float]


# Those of the six decks that players begin with, in round numbers.
USUAL = Shape(
    faction=0.67,
    types=(0.55, 0.38, 0.07),
    curve=(0.04, 0.12, 0.27, 0.18, 0.16, 0.11, 0.07, 0.05),
    copies=(0.2, 0.2, 0.6),
)
TYPES = ("minion", "spell", "artifact")


def card_odds(faction: str, shape: Shape = USUAL, appeal: Sequence[float] = ()) -> list[float]:
    """How likely each card of a pool is to be chosen for a deck of this shape; among cards of one
    sort by their appeal, or alike.

    Shares of types, mana and faction hold all at once: odds are scaled to each of them in turn
    until they do (Deming and Stephan, 1940).
    """
    pool = [cards()[number] for number in pool_of(faction)]
    odds = list(appeal) or [1.0] * len(pool)
    sorts: tuple[tuple[Callable[[Card], int], Sequence[float]], ...] = (
        (lambda card: TYPES.index(card.type), shape.types),
        (lambda card: min(card.mana, DEAREST), shape.curve),
        (lambda card: int(card.faction == faction), (1 - shape.faction, shape.faction)),
    )
    for _ in range(ROUNDS):
        for sort_of, shares in sorts:
            odds = _scaled(odds, [sort_of(card) for card in pool], shares)
    return odds


def _scaled(odds: Sequence[float], sorts: Sequence[int], shares: Sequence[float]) -> list[float]:
    """Odds by which every sort has its share; what no card of the pool could have goes to the
    others.
    """
    sums = [
        sum(each for each, sort in zip(odds, sorts, strict=True) if sort == number)
        for number in range(len(shares))
    ]
    possible = sum(share for share, total in zip(shares, sums, strict=True) if total > 0)
    return [
        each * shares[sort] / (sums[sort] * possible)
        for each, sort in zip(odds, sorts, strict=True)
    ]
