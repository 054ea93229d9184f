"""Learned evaluators: a weighted sum of features, squashed between a loss and a win."""

import json
import math
from pathlib import Path

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights):
    """The value of `count` features, from -1 to 1; the last weight is a constant term."""
    total = weights[count]
    for i in range(count):
        total += weights[i] * values[i]
    return math.tanh(total)


def read_weights(path: str, own: Path, features: int) -> list[float]:
    """The weights of this many features and a constant term.

    They come from a file that `plyglass learn` wrote, or from the game's `own` file if `path` is
    empty. If that file does not exist either, as when learning begins, they are zeros.
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
