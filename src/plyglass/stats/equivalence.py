"""Equivalence tests, which ask whether two agents differ by less than a margin.

A test that finds no difference does not show equivalence.
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
    """The result of comparing a mean difference with a margin.

    Attributes:
        difference: the mean difference with its interval.
        within: the p-value of the hypothesis that the difference is at least the margin. A small
            value means that the agents are equivalent. None if all differences are equal.
        beyond: the p-value of the hypothesis that the difference is at most the margin. A small
            value means that the agents are not equivalent. None if all differences are equal.
    """

    difference: PairedDifference
    within: float | None
    beyond: float | None


def equivalence(differences: Sequence[float], margin: float) -> Equivalence:
    """Test whether the mean of paired differences is within the margin, or beyond the margin.

    The test for "within" consists of two one-sided t-tests (Schuirmann 1987).
    """
    if not margin > 0:
        raise ValueError(f"A margin of {margin:g} allows no equivalence; give one above 0.")
    found = paired_t(differences)
    if found.p_value is None:
        return Equivalence(found, None, None)
    error = float(np.std(differences, ddof=1)) / math.sqrt(found.pairs)
    # the distance from the mean to the nearer bound, in standard errors
    missing = (margin - abs(found.mean)) / error
    freedom = found.pairs - 1
    return Equivalence(
        found, student_tail(missing, freedom), min(1.0, 2 * student_tail(-missing, freedom))
    )
