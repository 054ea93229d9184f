"""Logistic regression by Newton's method, to predict the probability of success from features.

The same samples always give the same result, to the last digit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
STEPS = 50
ENOUGH = 1e-9  # Newton's method ends when a step is smaller than this


def fit_logistic(
    features: Numbers, successes: Numbers, weights: Numbers, shrinkage: float = 1e-3
) -> tuple[Numbers, float]:
    """Return (weights of the features followed by the intercept, the mean log-loss).

    `successes` are from 0 to 1, and `weights` say how much each sample counts. The fit divides each
    feature by its standard deviation. `shrinkage` keeps the weights of features small if there are
    few samples.
    """
    middle, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1.0
    scaled = np.hstack([(features - middle) / spread, np.ones((len(features), 1))])
    share = weights / weights.sum()
    found = np.zeros(scaled.shape[1])
    for _ in range(STEPS):
        likely = _likely(scaled @ found)
        slope = scaled.T @ (share * (likely - successes)) + shrinkage * found
        bend = (scaled * (share * likely * (1 - likely))[:, None]).T @ scaled + shrinkage * np.eye(
            len(found)
        )
        step = np.linalg.solve(bend, slope)
        found -= step
        if np.abs(step).max() < ENOUGH:
            break
    plain = found[:-1] / spread
    return np.append(plain, found[-1] - plain @ middle), log_loss(
        _likely(scaled @ found), successes, weights
    )


def _likely(sums: Numbers) -> Numbers:
    return np.asarray(1.0 / (1.0 + np.exp(-sums)))


def log_loss(likely: Numbers, successes: Numbers, weights: Numbers) -> float:
    """Return the mean log-loss, the negative logarithm of the probability given to each outcome."""
    sure = np.clip(likely, 1e-12, 1 - 1e-12)
    return float(
        -(weights * (successes * np.log(sure) + (1 - successes) * np.log(1 - sure))).sum()
        / weights.sum()
    )
