"""The Kolmogorov-Smirnov test, which asks whether two samples come from the same distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class KolmogorovSmirnov:
    """The largest distance between two empirical distribution functions, and its p-value."""

    distance: float
    p_value: float


def kolmogorov_smirnov(first: Sequence[float], second: Sequence[float]) -> KolmogorovSmirnov:
    """Return the result of the two-sample test (Smirnov 1939).

    The p-value is exact if no two values are equal. Otherwise, the p-value may be too large, but
    never too small. The test treats all values as independent, although values from the same deal
    are not.
    """
    one, other = np.sort(np.asarray(first, np.float64)), np.sort(np.asarray(second, np.float64))
    if not len(one) or not len(other):
        raise ValueError("A comparison of two samples needs at least one value in each.")
    places = np.concatenate([one, other])
    below_one = np.searchsorted(one, places, side="right")
    below_other = np.searchsorted(other, places, side="right")
    # an integer, the distance in units of 1 / (n m), so nothing is rounded
    distance = int(np.abs(below_one * len(other) - below_other * len(one)).max())
    return KolmogorovSmirnov(
        distance / (len(one) * len(other)), min(1.0, _chance_of(distance, len(one), len(other)))
    )


def _chance_of(distance: int, n: int, m: int) -> float:
    """Return the probability that two samples from one distribution reach this distance.

    Both samples are merged and read in order (Hodges 1958). After k values, `inside[i]` is the
    probability that i of them come from the first sample, and that the distance is not reached yet.
    """
    taken: NDArray[np.int64] = np.arange(n + 1)
    inside = np.zeros(n + 1)
    inside[0], outside = 1.0, 0.0
    for k in range(n + m):
        to_first = inside * (n - taken) / (n + m - k)
        inside = inside - to_first
        inside[1:] += to_first[:-1]
        far = np.abs(taken * m - (k + 1 - taken) * n) >= distance
        outside += float(inside[far].sum())
        inside[far] = 0.0
    return outside
