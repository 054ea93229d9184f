"""Decks that nobody has seen before, by faction and number: `songhai#7`. The same number is the
same deck everywhere.

Every deck has a shape of its own around the usual one, and likes some cards better than others, so
that a belief in usual decks is not right about them by construction.
"""

import json
import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

from plyglass.games.duelyst.cards import cards, pool_of
from plyglass.games.duelyst.deck_shape import USUAL, Shape, card_odds

SIZE, COPIES = 39, 3
LIKING = 0.7  # the standard deviation of the logarithm of how much a card is liked
SPREAD = 25.0  # how near shapes are to the usual one: shares vary as those of so many draws


def built(faction: str, number: int) -> dict[str, Any]:
    """A deck as deck files have it: the general, and how many there are of each card."""
    luck = random.Random(f"{faction}#{number}")
    pool, shape = pool_of(faction), _shape(luck)
    odds = card_odds(faction, shape, [math.exp(luck.gauss(0.0, LIKING)) for _ in pool])
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
    path.write_text(json.dumps(built(faction, number), indent=1) + "\n", encoding="utf-8")
    return path


def _shape(luck: random.Random) -> Shape:
    """A shape around the usual one; the neutral cards are minions, so the faction has at least
    the spells and artifacts.
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
    """Shares around these: of the Dirichlet distribution."""
    parts = [luck.gammavariate(SPREAD * share / sum(shares), 1.0) for share in shares]
    return [part / sum(parts) for part in parts]
