"""This module computes the generalized log-likelihood ratio of two strengths from outcome counts.

Outcomes are equally spaced scores. A game has three outcomes: loss, draw and win. A pair of games
with the same deal and swapped seats has five summed scores: 0, 1/2, 1, 3/2 and 2. Pairs are the
better unit, because the two games of a deal depend on each other. Counting single games would
misestimate the variance.

The method assumes nothing about the shares of outcomes. Each hypothesis fixes a strength. The
likelihood of a hypothesis is the highest likelihood of any distribution with this strength (Van den
Bergh, "MLE for multinomial"). Fishtest's LLRcalc uses the same method, and our tests compare this
module with values that fishtest has published.

The public functions take arrays of counts with the outcomes on the last axis. One call computes all
prefixes of a run. Private functions have the outcomes on the first axis, because NumPy sums long
rows ten times faster than short ones.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plyglass.stats.elo import NORMALIZED_ELO, rate_of_elo

Floats = NDArray[np.float64]

UNSEEN = 1e-3  # count of an outcome not seen yet, because no outcome is impossible (as in fishtest)
MOST_STEPS = 200


def logistic_ratio(counts: ArrayLike, elo0: float, elo1: float) -> Floats:
    """Return log(likelihood at elo1 / likelihood at elo0), with strengths in logistic Elo."""
    seen, scores, shape = _outcomes(counts)
    weights0, weights1 = (_tilt(seen, scores - rate_of_elo(elo)) for elo in (elo0, elo1))
    return _ratio(seen, weights0, weights1).reshape(shape)


def normalized_ratio(counts: ArrayLike, elo0: float, elo1: float) -> Floats:
    """Return log(likelihood at elo1 / likelihood at elo0), with strengths in normalized Elo."""
    seen, scores, shape = _outcomes(counts)
    games = 2 if len(scores) == 5 else 1
    weights0, weights1 = (
        _tilt_to_effect(seen, scores, elo / NORMALIZED_ELO * math.sqrt(games))
        for elo in (elo0, elo1)
    )
    return _ratio(seen, weights0, weights1).reshape(shape)


def _outcomes(counts: ArrayLike) -> tuple[Floats, Floats, tuple[int, ...]]:
    """Return the counts with zeros replaced, the score rates of outcomes, and the result's shape.

    A zero is replaced by `UNSEEN`. The counts have the shape (outcomes, prefixes), and the score
    rates have the shape (outcomes, 1).
    """
    given = np.asarray(counts, dtype=np.float64)
    if given.ndim == 0 or given.shape[-1] not in (3, 5):
        raise ValueError(
            "Counts are of 3 outcomes (loss, draw, win) or of 5 (pair scores 0, 1/2, 1, 3/2, 2)."
        )
    if not (given >= 0).all():
        raise ValueError("A count cannot be negative.")
    seen = np.ascontiguousarray(given.reshape(-1, given.shape[-1]).T)
    return (
        np.where(seen == 0, UNSEEN, seen),
        np.linspace(0, 1, len(seen))[:, None],
        given.shape[:-1],
    )


def _ratio(seen: Floats, weights0: Floats, weights1: Floats) -> Floats:
    ratio: Floats = (seen * np.log(weights0 / weights1)).sum(axis=0)
    return ratio


def _tilt(seen: Floats, values: Floats) -> Floats:
    """Return divisors for the outcome shares that give the values a mean of 0.

    Among all such distributions, the result has the highest likelihood. A divisor is 1 + x * value,
    where x solves the secular equation sum(share * value / (1 + x * value)) = 0 (Van den Bergh,
    proposition 1.1).
    """
    return 1 + _secular_root(seen / seen.sum(axis=0), values) * values


def _secular_root(shares: Floats, values: Floats) -> Floats:
    """Return the root x of the secular equation, by Newton's method.

    The left side of the equation falls from +inf to -inf between its two poles. A Newton step that
    leaves the bracket is replaced by bisection.
    """
    poles = [
        np.broadcast_to(-1 / edge, shares.shape[1:])
        for edge in (values.max(axis=0), values.min(axis=0))
    ]
    low, high = poles
    x = np.zeros(shares.shape[1:])
    for _ in range(MOST_STEPS):
        terms = values / (1 + x * values)
        pulls = shares * terms
        height = pulls.sum(axis=0)
        rising = height > 0
        low, high = np.where(rising, x, low), np.where(rising, high, x)
        step = height / (pulls * terms).sum(axis=0)
        # each step squares the error
        precision = 1e-10 * np.minimum(x - poles[0], poles[1] - x)
        precision = precision + 1e-15 * (poles[1] - poles[0])
        settled = np.abs(step) <= precision
        # a last step may round to the edge of the bracket
        inside = settled | ((x + step > low) & (x + step < high))
        x = np.where(inside, x + step, (low + high) / 2)
        if settled.all():
            break
    return x


def _tilt_to_effect(seen: Floats, scores: Floats, effect: float) -> Floats:
    """Return the divisors for a given effect, which is (mean - 1/2) / deviation.

    Each step linearizes around the last answer, until the answer no longer changes (Van den Bergh,
    "Normalized Elo", section 4.1).
    """
    answer = np.empty_like(seen)
    left = np.arange(seen.shape[1])  # prefixes whose answers still change; the rest are done
    tilted: Floats = np.full(seen.shape, 1 / len(scores))
    for _ in range(MOST_STEPS):
        mean = (tilted * scores).sum(axis=0)
        deviation = np.sqrt((tilted * (scores - mean) ** 2).sum(axis=0))
        values = scores - 0.5 - effect * deviation * (1 + ((scores - mean) / deviation) ** 2) / 2
        weights = _tilt(seen[:, left], values)
        answer[:, left] = weights
        following = seen[:, left] / seen[:, left].sum(axis=0) / weights
        moving = (np.abs(following - tilted) > 1e-12).any(axis=0)
        left, tilted = left[moving], following[:, moving]
        if not left.size:
            break
    return answer
