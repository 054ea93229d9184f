"""This module computes how much of the gap between two agents a third agent closes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.stats.resampling import resamples

FEWEST = 20  # with fewer units, resamples are too similar, so the interval would be too narrow


@dataclass(frozen=True)
class Share:
    """The share of the gap between two results that a third result closes, with its interval.

    There is no interval if there are few units, or if resamples disagree on the gap's sign.
    """

    units: int
    share: float
    low: float | None
    high: float | None


def share_of_gap(
    a: Sequence[float],
    b: Sequence[float],
    c: Sequence[float],
    seed: int,
    times: int = 10_000,
    level: float = 0.95,
) -> Share:
    """Return (a - b) / (a - c) for the means of a, b and c: 0 if b equals a, and 1 if b equals c.

    Each of a, b and c has one value per unit, for the same units. The interval is the percentile
    interval of the bootstrap over units (Efron 1979).
    """
    values = np.array([a, b, c], np.float64)
    gain, gap = values[0] - values[1], values[0] - values[2]
    if not gap.size or gap.mean() == 0:
        raise ValueError("There is no gap, because a and c have the same mean.")
    gains, gaps = (
        np.concatenate([each[rows].mean(axis=1) for rows in resamples(gap.size, times, seed)])
        for each in (gain, gap)
    )
    share = float(gain.mean() / gap.mean())
    if gap.size < FEWEST or gaps.min() <= 0 <= gaps.max():
        return Share(gap.size, share, None, None)
    low, high = np.quantile(gains / gaps, ((1 - level) / 2, (1 + level) / 2), method="weibull")
    return Share(gap.size, share, float(low), float(high))
