"""A learned judgement: a weighted sum of features, pressed between a loss and a win."""

import json
import math
from pathlib import Path

from plyglass.core.compile import kernel


@kernel
def judgement(values, count, weights):
    """What `count` features are worth, from -1 to 1; the weight behind theirs is added as it is."""
    total = weights[count]
    for i in range(count):
        total += weights[i] * values[i]
    return math.tanh(total)


def read_weights(path: str, own: Path, features: int) -> list[float]:
    """Weights of so many features, and one alone, from a file as `plyglass learn` writes it, or
    from the game's `own` if none is named.

    Without either, which is how learning begins, they are zeros.
    """
    file = Path(path) if path else own
    if not path and not file.exists():
        return [0.0] * (features + 1)
    found: list[float] = json.loads(file.read_text())["weights"]
    if len(found) != features + 1:
        raise ValueError(
            f"{file} has {len(found)} weights; this game has {features} features and needs one "
            "weight more than that."
        )
    return found
