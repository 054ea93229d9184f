"""Paired differences: two agents on the same deals, so that the luck of the deal drops out.

A difference is what the first agent scored on a deal minus what the second did; the deal is the
unit, never the single match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyglass.stats.resampling import resamples
from plyglass.stats.tails import (
    binomial_tail,
    normal_quantile,
    normal_tail,
    student_quantile,
    student_tail,
)


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference, the interval around it, and the p-value of no difference where the
    method has one.

    Where the differences show no spread there is no interval: equal values say nothing about how
    far others may be.
    """

    pairs: int
    mean: float
    low: float | None
    high: float | None
    p_value: float | None


@dataclass(frozen=True)
class McNemar:
    """How often only the first or only the second succeeded on a deal, and the p-value of no
    difference.
    """

    first_only: int
    second_only: int
    p_value: float


def paired_t(differences: Sequence[float], level: float = 0.95) -> PairedDifference:
    """Student's t (1908) on the differences; right for many pairs, or for few whose differences
    are about normal.
    """
    values, mean = _checked(differences, level)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if deviation == 0:
        return PairedDifference(len(values), mean, None, None, None)
    error = deviation / math.sqrt(len(values))
    half = student_quantile((1 + level) / 2, len(values) - 1) * error
    p_value = 2 * student_tail(abs(mean) / error, len(values) - 1)
    return PairedDifference(len(values), mean, mean - half, mean + half, p_value)


def paired_bootstrap(
    differences: Sequence[float], seed: int, times: int = 10_000, level: float = 0.95
) -> PairedDifference:
    """The bootstrap over pairs, bias-corrected and accelerated (Efron, 1987): for skewed
    differences, which t is unfair to.

    The percentiles are moved for the median bias of the resamples and for the skewness of the
    differences. It has no p-value; where one is needed, take the interval's level to it or use t.
    """
    values, mean = _checked(differences, level)
    if np.ptp(values) == 0:
        return PairedDifference(len(values), mean, None, None, None)
    means = np.concatenate(
        [values[rows].mean(axis=1) for rows in resamples(len(values), times, seed)]
    )
    ranks = [_accelerated(means, values, side) for side in ((1 - level) / 2, (1 + level) / 2)]
    low, high = np.quantile(
        means, ranks, method="weibull"
    )  # of 999 resamples the 25th is at 2.5 %; the usual rule lies inwards
    return PairedDifference(len(values), mean, float(low), float(high), None)


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """McNemar's test (1947), exact: deals on which both succeeded or both failed say nothing,
    the others are tosses of a fair coin.
    """
    if min(first_only, second_only) < 0:
        raise ValueError("A number of deals is not negative.")
    p_value = 2 * binomial_tail(max(first_only, second_only), first_only + second_only, 0.5)
    return McNemar(first_only, second_only, min(1.0, p_value))


def _checked(differences: Sequence[float], level: float) -> tuple[NDArray[np.float64], float]:
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ValueError("A paired difference needs at least one pair.")
    if not np.isfinite(values).all():
        raise ValueError(
            "A difference is a finite number; a match without a score has no place in a pair."
        )
    if not 0 < level < 1:
        raise ValueError(f"The level of an interval lies between 0 and 1, not at {level}.")
    return values, math.fsum(values) / len(values)


def _accelerated(means: NDArray[np.float64], values: NDArray[np.float64], side: float) -> float:
    """The percentile of the resampled means to take for this side of the interval."""
    centre = values.mean()
    below = float(
        (means < centre).mean() + (means == centre).mean() / 2
    )  # ties count half: scores are few and often equal
    bias = normal_quantile(min(max(below, 0.5 / len(means)), 1 - 0.5 / len(means)))
    spread = ((values - centre) ** 2).sum()
    acceleration = float(((values - centre) ** 3).sum() / (6 * spread**1.5))
    moved = bias + normal_quantile(side)
    return 1 - normal_tail(bias + moved / (1 - acceleration * moved))
