"""Families of tests: twenty comparisons at 5 % find one difference where there is none, unless
they are adjusted together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values (Holm, 1979): below alpha, the chance of any false finding in the family is
    at most alpha.

    Nothing is asked of how the tests depend on each other, so they may share matches.
    """
    ordered, order = _sorted(p_values)
    steps = ordered * np.arange(len(ordered), 0, -1)
    return _restored(np.maximum.accumulate(steps), order)


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values (Benjamini and Hochberg, 1995): below q, the expected share of false ones
    among the findings is at most q.

    The tests must be independent or positively dependent, as one-sided comparisons with one common
    opponent are; else use Holm.
    """
    ordered, order = _sorted(p_values)
    steps = ordered * len(ordered) / np.arange(1, len(ordered) + 1)
    return _restored(np.minimum.accumulate(steps[::-1])[::-1], order)


def _sorted(p_values: Sequence[float]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(
            "A p-value lies between 0 and 1; a comparison without one does not belong to the "
            "family."
        )
    order = np.argsort(values, kind="stable")
    return values[order], order


def _restored(adjusted: NDArray[np.float64], order: NDArray[np.int64]) -> list[float]:
    result = np.empty_like(adjusted)
    result[order] = np.minimum(adjusted, 1.0)
    return [float(value) for value in result]
