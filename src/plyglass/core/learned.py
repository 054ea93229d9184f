"""A learned judgement: a weighted sum of features, pressed between a loss and a win."""

import math

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights):
    """What `count` features are worth, from -1 to 1; the weight behind theirs is added as it is."""
    total = weights[count]
    for i in range(count):
        total += weights[i] * values[i]
    return math.tanh(total)
