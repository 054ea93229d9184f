"""Reliability bins, which show whether events predicted with probability p occur at rate p."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.stats.intervals import wilson


@dataclass(frozen=True)
class Bin:
    """A bin of similar predictions: their mean and number, and the share of them that came true."""

    predicted: float
    count: int
    rate: float
    low: float
    high: float


def reliability_bins(
    predicted: Sequence[float], outcomes: Sequence[bool], bins: int = 10
) -> list[Bin]:
    """Return the non-empty bins of equal width between 0 and 1 (Murphy and Winkler 1977)."""
    values, happened = np.asarray(predicted, dtype=np.float64), np.asarray(outcomes, dtype=np.bool_)
    if values.shape != happened.shape or values.ndim != 1 or not values.size:
        raise ValueError(
            f"Every prediction needs an outcome, but there are {values.size} predictions and "
            f"{happened.size} outcomes."
        )
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("A probability lies between 0 and 1.")
    if bins < 1:
        raise ValueError(f"Predictions cannot be put into {bins} bins.")
    place = np.minimum((values * bins).astype(np.int64), bins - 1)
    found = []
    for each in np.unique(place):
        members = place == each
        true, count = int(happened[members].sum()), int(members.sum())
        found.append(Bin(float(values[members].mean()), count, true / count, *wilson(true, count)))
    return found
