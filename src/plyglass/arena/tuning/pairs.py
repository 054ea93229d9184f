"""Intervals from values that come in pairs: the games of one deal share its luck, so the deal is what is independent."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyglass.stats.intervals import mean_interval, wilson

Pairs = Sequence[Sequence[float]]


def interval_of_rate(pairs: Pairs) -> tuple[float, float, float]:
    """(rate, low, high) of points: Wilson's interval for as many games as the pairs are worth."""
    games = sum(map(len, pairs))
    rate = math.fsum(map(math.fsum, pairs)) / games
    worth = _worth(pairs, rate, games)
    low, high = wilson(rate * worth, worth)
    return rate, low, high


def interval_of_means(pairs: Pairs) -> tuple[float, float | None, float | None]:
    """(mean, low, high) of scores by Student's t on the means of the pairs."""
    return mean_interval([math.fsum(pair) / len(pair) for pair in pairs])


def _worth(pairs: Pairs, rate: float, games: int) -> int:
    """How many independent games would know the rate as well: at least one a pair, at most one a game.

    The variance that single games would have, by the variance that pairs show: the design effect of cluster samples (Kish, 1965).
    """
    spread = math.fsum((math.fsum(pair) - rate * len(pair)) ** 2 for pair in pairs)
    if len(pairs) < 2 or rate in (0.0, 1.0):
        return len(pairs)
    if spread == 0.0:
        return games
    variance = spread / games**2 * len(pairs) / (len(pairs) - 1)
    return min(games, max(len(pairs), int(rate * (1 - rate) / variance)))
