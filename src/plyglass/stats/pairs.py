"""Confidence intervals for values that come in pairs or larger clusters.

The games of a deal share its random seed, so the deal is the independent unit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyglass.stats.intervals import UNBOUNDED, Scale, mean_interval, wilson

Pairs = Iterable[Sequence[float]]


@dataclass
class Tally:
    """The points of many pairs, stored only as sums.

    Attributes:
        pairs, games: the numbers of pairs and games; a pair may have any number of games.
        points: the total points of all games.
        squares, cross, sizes: sums over pairs of points x points, points x games, and games x
            games.
    """

    pairs: int = 0
    games: int = 0
    points: float = 0.0
    squares: float = 0.0
    cross: float = 0.0
    sizes: int = 0

    def add(self, points: float, games: int, times: int = 1) -> None:
        """Add a pair, or `times` equal pairs, with these points and this number of games."""
        self.pairs += times
        self.games += times * games
        self.points += times * points
        self.squares += times * points * points
        self.cross += times * points * games
        self.sizes += times * games * games

    @property
    def rate(self) -> float:
        """Return the points per game."""
        return self.points / self.games

    def interval(self) -> tuple[float, float, float]:
        """Return (rate, low, high) by Wilson's 95 % interval for the effective number of games."""
        worth = self.worth()
        low, high = wilson(self.rate * worth, worth)
        return self.rate, low, high

    def worth(self) -> int:
        """Return the number of independent games that would give as much information.

        This effective number lies between the number of pairs and the number of games. The number
        is computed from the design effect of cluster samples (Kish 1965). The design effect is the
        ratio between the variance of pairs and the variance of single games.
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
    """Return (rate, low, high) of the points per game; a pair is a list of its games' points."""
    tally = Tally()
    for pair in pairs:
        tally.add(math.fsum(pair), len(pair))
    return tally.interval()


def interval_of_means(
    pairs: Pairs, scale: Scale = UNBOUNDED
) -> tuple[float, float | None, float | None]:
    """Return (mean, low, high) of scores by Student's t on the pair means, cut to `scale`."""
    return mean_interval([math.fsum(pair) / len(pair) for pair in pairs], scale=scale)
