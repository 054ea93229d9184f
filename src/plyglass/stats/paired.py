"""Paired differences: two agents play the same deals, so differences between deals cancel out.

A difference is the first agent's score on a deal minus the second agent's score. The unit of the
statistics is the deal, never the single match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyglass.stats.tails import student_quantile, student_tail


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference with its interval, and the p-value of the hypothesis of no difference.

    If all differences are equal, there is neither an interval nor a p-value.
    """

    pairs: int
    mean: float
    low: float | None
    high: float | None
    p_value: float | None


def paired_t(differences: Sequence[float], level: float = 0.95) -> PairedDifference:
    """Run Student's t-test (1908) on the differences.

    The test needs many pairs, or differences that are nearly normally distributed.
    """
    values, mean = _checked(differences, level)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if deviation == 0:
        return PairedDifference(len(values), mean, None, None, None)
    error = deviation / math.sqrt(len(values))
    half = student_quantile((1 + level) / 2, len(values) - 1) * error
    p_value = 2 * student_tail(abs(mean) / error, len(values) - 1)
    return PairedDifference(len(values), mean, mean - half, mean + half, p_value)


def _checked(differences: Sequence[float], level: float) -> tuple[NDArray[np.float64], float]:
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError("A paired difference needs at least one pair.")
    if not np.isfinite(values).all():
        raise ValueError(
            "A difference is a finite number; leave out pairs with a match that has no score."
        )
    if not 0 < level < 1:
        raise ValueError(f"The level of an interval lies between 0 and 1, not at {level}.")
    return values, math.fsum(values) / len(values)
