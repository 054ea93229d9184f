"""Intervals from values that come in pairs or other clusters: the games of one deal share its
luck, so the deal is what is independent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyglass.stats.intervals import mean_interval, wilson

Pairs = Iterable[Sequence[float]]


@dataclass
class Tally:
    """The points of many pairs, of which only sums are kept, so that it can go on for ever.

    Attributes:
        pairs, games: how many there were; a pair may have any number of games.
        points: of all games together.
        squares, cross, sizes: over the pairs, the sums of points x points, points x games and games
            x games.
    """

    pairs: int = 0
    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    cross: float = 0.0
    sizes: int = 0

    def add(self, points: float, games: int, times: int = 1) -> None:
        """One more pair, or several alike: what its games brought together, and how many they
        were.
        """
        self.pairs += times
        self.games += times * games
        self.points += times * points
        self.squares += times * points * points
        self.cross += times * points * games
        self.sizes += times * games * games

    @property
    def rate(self) -> float:
        return self.points / self.games

    def interval(self) -> tuple[float, float, float]:
        """(rate, low, high) of points: Wilson's 95 % interval for as many games as the pairs are
        worth.
        """
        worth = self.worth()
        low, high = wilson(self.rate * worth, worth)
        return self.rate, low, high

    def worth(self) -> int:
        """How many independent games would know the rate as well: at least one a pair, at most one
        a game.

        The variance that single games would have, by the variance that pairs show: the design
        effect of cluster samples (Kish, 1965).
        """
        rate = self.rate
        if self.pairs < 2 or rate in (0.0, 1.0):
            return self.pairs
        spread = self.squares - 2 * rate * self.cross + rate * rate * self.sizes
        if spread <= 0.0:
            return self.games
        variance = spread / self.games**2 * self.pairs / (self.pairs - 1)
        return min(self.games, max(self.pairs, int(rate * (1 - rate) / variance)))


def interval_of_rate(pairs: Pairs) -> tuple[float, float, float]:
    """(rate, low, high) of points, each pair given as the points of its games."""
    tally = Tally()
    for pair in pairs:
        tally.add(math.fsum(pair), len(pair))
    return tally.interval()


def interval_of_means(pairs: Pairs) -> tuple[float, float | None, float | None]:
    """(mean, low, high) of scores by Student's t on the means of the pairs."""
    return mean_interval([math.fsum(pair) / len(pair) for pair in pairs])
