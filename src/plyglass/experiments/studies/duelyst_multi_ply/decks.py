"""The random deck of McKenney 2023b: any cards of the enemy's faction, any number of each card.

This deck has no limit of three copies of a card, and ignores the cards that were already played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.beliefs.fresh import LiveFresh
from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.games.duelyst import Duelyst
from plyglass.games.duelyst.cards.catalog import cards, pool_of


@dataclass(frozen=True)
class AnyCards:
    """A belief that draws each card of the enemy's hand and deck from all cards of the faction.

    Attributes:
        neutral: whether the belief also draws neutral cards. The paper does not say.
    """

    name: ClassVar[str] = "any-cards"
    cheats: ClassVar[bool] = False
    neutral: bool = False

    def begin(self, game: Game, seat: int, seed: int) -> LiveAnyCards:
        return LiveAnyCards(game, seat, seed, self.neutral)


class LiveAnyCards(LiveFresh):
    """An `AnyCards` belief of one seat in one match."""

    def __init__(self, game: Game, seat: int, seed: int, neutral: bool) -> None:
        super().__init__(game, seat, seed)
        self._draw = np.random.default_rng([seed, seat])
        if not isinstance(game, Duelyst):
            raise TypeError(f"{AnyCards.name} deals cards of Duelyst, not of {game.name}.")
        faction = game.decks[1 - seat].faction
        pool, known = pool_of(faction), cards()
        self._cards = [card for card in pool if neutral or known[card].faction == faction]

    def sample(self, worlds: Bytes) -> None:
        """Fill every row with a world, and draw the enemy's hand and deck anew in each world."""
        super().sample(worlds)
        enemy = 1 - self.seat
        for world in worlds.view(self.game.state).reshape(-1):
            hand, deck = world["hand"][enemy], world["deck"][enemy]
            held = np.flatnonzero(hand)
            hand[held] = self._draw.choice(self._cards, len(held))
            left = int(world["left"][enemy])
            deck[:left] = np.sort(self._draw.choice(self._cards, left))[::-1]
