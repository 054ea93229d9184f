"""Learned evaluators: a weighted sum of features, squashed between a loss and a win."""

import json
import math
from pathlib import Path

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights):
    """The value of a position from `count` features, between -1 and 1.

    It is the hyperbolic tangent of the weighted sum; the last weight is a constant term.
    """
    total = weights[count]
    for i in range(count):
        total += weights[i] * values[i]
    return math.tanh(total)


def read_weights(path: str, own: Path, features: int) -> list[float]:
    """Read one weight per feature, and a constant term.

    They come from `path`, a file that `plyglass learn` wrote, or, if `path` is empty, from the
    game's `own` file. If the game has no file yet, all weights are 0.
    """
    file = Path(path) if path else own
    if not path and not file.exists():
        return [0.0] * (features + 1)
    found: list[float] = json.loads(file.read_text())["weights"]
    if len(found) != features + 1:
        raise ValueError(
            f"{file} has {len(found)} weights, but this game has {features} features and needs "
            f"{features + 1}; learn them again with `plyglass learn`."
        )
    return found
