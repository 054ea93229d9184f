"""Equivalence: whether two agents differ by no more than a margin. Not to have found a
difference does not say so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyglass.stats.paired import PairedDifference, paired_t
from plyglass.stats.tails import student_tail


@dataclass(frozen=True)
class Equivalence:
    """A mean difference held against a margin.

    Attributes:
        difference: the mean difference with its interval.
        within: the p-value of a difference of the margin or more: small where the agents are
            equivalent.
        beyond: the p-value of a difference of the margin or less: small where they are not.

    Where the differences show no spread, there is neither.
    """

    difference: PairedDifference
    within: float | None
    beyond: float | None


def equivalence(differences: Sequence[float], margin: float) -> Equivalence:
    """Two one-sided t-tests on paired differences (TOST; Schuirmann, 1987), and the test of the
    opposite.
    """
    if not margin > 0:
        raise ValueError(f"Nothing is equal within a margin of {margin:g}; give one above 0.")
    found = paired_t(differences)
    if found.p_value is None:
        return Equivalence(found, None, None)
    error = float(np.std(differences, ddof=1)) / math.sqrt(found.pairs)
    missing = (
        margin - abs(found.mean)
    ) / error  # how far the nearer bound is from the mean, in standard errors
    freedom = found.pairs - 1
    return Equivalence(
        found, student_tail(missing, freedom), min(1.0, 2 * student_tail(-missing, freedom))
    )
