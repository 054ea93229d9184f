"""This module adjusts the p-values of several tests together.

Even if no differences exist, one of twenty tests at a level of 5 % finds a difference on average.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted by Holm's method (1979) to bound the family-wise error rate.

    The tests may depend on each other in any way, so they may use the same matches.
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(
            "A p-value lies between 0 and 1; leave out comparisons that have no p-value."
        )
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]
