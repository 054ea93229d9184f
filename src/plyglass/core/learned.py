"""Learned evaluators: a weighted sum of features, mapped to the range from a loss to a win."""

import math

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights):
    """The value of a position, between -1 and 1, computed from `count` features.

    The value is the hyperbolic tangent of the weighted sum; the last weight is a constant term.
    """
    total = weights[count]
    for i in range(count):
        total += weights[i] * values[i]
    return math.tanh(total)
