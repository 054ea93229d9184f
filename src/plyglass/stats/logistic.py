"""Logistic regression: how likely success is, by a weighted sum of features; by Newton's method,
to the last digit the same every time.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
STEPS = 50
ENOUGH = 1e-9  # a step that changes less than this is the last


def fit_logistic(
    features: Numbers, successes: Numbers, weights: Numbers, shrinkage: float = 1e-3
) -> tuple[Numbers, float]:
    """(weights of the features and one alone behind them, the mean log-loss).

    `successes` are from 0 to 1, `weights` say how much a sample counts. Features are scaled by
    their spread first, and `shrinkage` keeps the weights of scaled features small where samples do
    not say much about them.
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
    """How far probabilities are from what happened: the mean of minus the logarithm of what was
    given to it.
    """
    sure = np.clip(likely, 1e-12, 1 - 1e-12)
    return float(
        -(weights * (successes * np.log(sure) + (1 - successes) * np.log(1 - sure))).sum()
        / weights.sum()
    )
