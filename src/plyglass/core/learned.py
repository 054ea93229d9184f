"""A learned judgement: a weighted sum of features and of some hidden units, each a pressed sum itself; pressed between a loss and a win.

The weights stand in one array: of the features and one alone, then for every hidden unit those of the features, one alone, and its own.
"""

import math

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights, hidden):
    """What `count` features are worth, from -1 to 1, by weights with so many hidden units."""
    total = _sum(values, count, weights, 0)
    at = count + 1
    for _ in range(hidden):
        total += weights[at + count + 1] * math.tanh(_sum(values, count, weights, at))
        at += count + 2
    return math.tanh(total)


@kernel
def _sum(values, count, weights, at):
    total = weights[at + count]
    for i in range(count):
        total += weights[at + i] * values[i]
    return total
