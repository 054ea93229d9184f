"""Confidence intervals of a rate and of a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyglass.stats.tails import normal_tail, student_quantile

Z95 = 1.959963984540054

Scale = tuple[float, float]
UNBOUNDED: Scale = (-math.inf, math.inf)


def wilson(successes: float, trials: int, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson interval of a rate (Wilson 1927); a draw counts as half a success."""
    if trials == 0:
        return 0.0, 1.0
    rate, spread = successes / trials, z * z / trials
    centre = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / trials + spread / (4 * trials)) / (1 + spread)
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= trials else min(1.0, centre + half)
    return low, high


def mean_interval(
    values: Sequence[float], z: float = Z95, scale: Scale = UNBOUNDED
) -> tuple[float, float | None, float | None]:
    """Return (mean, low, high) of a sample by Student's t.

    If all values are equal, low and high are None. `scale` is the lowest and the highest possible
    mean. The interval is cut to this scale. The cut interval covers the true mean as often as the
    whole interval does.
    """
    count = len(values)
    mean = math.fsum(values) / count
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / max(1, count - 1))
    if deviation == 0.0:
        return mean, None, None
    half = student_quantile(1 - normal_tail(z), count - 1) * deviation / math.sqrt(count)
    return mean, max(scale[0], mean - half), min(scale[1], mean + half)
