"""Means over worlds: of every action, with weights, and how much worlds differ."""

from __future__ import annotations

import math
from collections.abc import Mapping


class WeightedMeans:
    """The mean value of each action over the worlds that it was tried in."""

    def __init__(self, actions: int) -> None:
        self._weights, self._sums, self._squares = [0.0] * actions, [0.0] * actions, [0.0] * actions
        self.count = 0

    def add(self, values: Mapping[int, float], weight: float) -> None:
        """Count one world, in which these actions were worth this much."""
        self.count += 1
        for action, value in values.items():
            self._weights[action] += weight
            self._sums[action] += weight * value
            self._squares[action] += weight * value * value

    @property
    def values(self) -> tuple[float | None, ...]:
        """The mean of each action; None where it was never tried."""
        return tuple(
            total / weight if weight else None
            for total, weight in zip(self._sums, self._weights, strict=True)
        )

    @property
    def spread(self) -> tuple[float | None, ...]:
        """The standard deviation over worlds of each action; None where it was never tried."""
        pairs = zip(self._squares, self._weights, self.values, strict=True)
        return tuple(
            None if mean is None else math.sqrt(max(0.0, square / weight - mean * mean))
            for square, weight, mean in pairs
        )
