"""Families of tests: p-values adjusted together, which keeps many comparisons honest.

Of twenty comparisons at 5 %, one on average finds a difference where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values (Holm 1979): below alpha, any false finding has probability at most alpha.

    The tests may depend on each other in any way, so they may share matches.
    """
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError(
            "A p-value lies between 0 and 1; a comparison without one does not belong to the "
            "family."
        )
    order = np.argsort(values, kind="stable")
    steps = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(value) for value in adjusted]
