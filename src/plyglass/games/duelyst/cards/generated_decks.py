"""Decks generated from a faction and a number: `songhai#7` is the same deck everywhere.

Each deck has a random shape near the usual shape, and favours some cards at random. So a belief
that assumes the usual shape is not always right about generated decks.
"""

import json
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plyglass.games.duelyst.cards.catalog import EDITIONS, Card, cards, pool_of

SIZE, COPIES = 39, 3
# Published results name decks with smaller numbers. These decks keep the cards of the first
# edition.
ALL_CARDS = 1000
LIKING = 0.7  # the standard deviation of the logarithm of a card's appeal
SPREAD = 25.0  # shares vary as in a sample of this many cards

TYPES = ("minion", "spell", "artifact")
DEAREST = 7  # greatest mana cost; more expensive cards count as if they cost this much
ROUNDS = 50  # rounds of fitting, enough to make the shares exact to many digits


class Shape(NamedTuple):
    """The shape of a deck: the shares of different sorts of cards.

    Attributes:
        faction: the share of cards that are not neutral.
        types: the shares of minions, spells and artifacts.
        curve: the shares of cards that cost 0, 1, 2, ... mana.
        copies: the shares of a deck's different cards that have one, two and three copies.
    """

    faction: float
    types: tuple[float, float, float]
    curve: tuple[float, ...]
    copies: tuple[float, float, float]


# The average shape of the six starter decks, in round numbers.
USUAL = Shape(
    faction=0.67,
    types=(0.55, 0.38, 0.07),
    curve=(0.04, 0.12, 0.27, 0.18, 0.16, 0.11, 0.07, 0.05),
    copies=(0.2, 0.2, 0.6),
)


def generate(faction: str, number: int) -> dict[str, Any]:
    """Return a deck in the format of deck files: the general, and the copies of each card."""
    luck = random.Random(f"{faction}#{number}")
    edition = 1 if number < ALL_CARDS else EDITIONS
    pool, shape = pool_of(faction, edition), _shape(luck)
    odds = card_odds(faction, shape, [math.exp(luck.gauss(0.0, LIKING)) for _ in pool], edition)
    chosen = Counter[int]()
    while (room := SIZE - chosen.total()) > 0:
        (card,) = luck.choices(pool, odds)
        if card not in chosen:
            chosen[card] = min(room, *luck.choices((1, 2, 3), shape.copies))
    generals = [card.id for card in cards() if card.type == "general" and card.faction == faction]
    return {
        "general": luck.choice(generals),
        "cards": {cards()[card].id: chosen[card] for card in sorted(chosen)},
    }


def write(faction: str, number: int, folder: Path) -> Path:
    """Write a deck to a file that the game reads."""
    path = folder / f"{faction}-{number}.json"
    path.write_text(json.dumps(generate(faction, number), indent=1) + "\n", encoding="utf-8")
    return path


def card_odds(
    faction: str,
    shape: Shape = USUAL,
    appeal: Sequence[float] = (),
    edition: int = EDITIONS,
) -> list[float]:
    """Return the odds that each card of a faction's pool is chosen for a deck of this shape.

    The resulting odds match the shares of types, mana and faction all at once. The function scales
    the odds to each kind of share in turn until all shares match (iterative proportional fitting,
    Deming and Stephan 1940). Within these shares, cards are weighted by their appeal, or equally if
    no appeal is given.
    """
    pool = [cards()[number] for number in pool_of(faction, edition)]
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
    """Scale odds so every sort of card has its share.

    If the pool has no card of a sort, the sort's share goes to the other sorts.
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


def _shape(luck: random.Random) -> Shape:
    """Return a random shape near the usual shape.

    All neutral cards are minions, so all spells and artifacts belong to the faction.
    """
    minions, spells, artifacts = _varied(luck, USUAL.types)
    neutral = minions * _varied(luck, (0.6, 0.4))[0]
    one, two, three = _varied(luck, USUAL.copies)
    return Shape(
        1 - neutral,
        (minions, spells, artifacts),
        tuple(_varied(luck, USUAL.curve)),
        (one, two, three),
    )


def _varied(luck: random.Random, shares: tuple[float, ...]) -> list[float]:
    """Draw shares from a Dirichlet distribution whose mean is `shares`."""
    parts = [luck.gammavariate(SPREAD * share / sum(shares), 1.0) for share in shares]
    return [part / sum(parts) for part in parts]
