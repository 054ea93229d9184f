"""A grove with the rule `after`, which says which actions have a chance part."""

import numpy as np

from plyglass.core import kernel
from tests.planners.grove import MOST_POSITIONS, Grove, apply

SURE, UNTOLD = 0, 2


@kernel
def after(r, s, action):
    if r.lucky[s.steps]:
        return UNTOLD
    apply(r, s, action)
    return SURE


class ForeseenGrove(Grove):
    """A grove with the rule `after`, in which every position has a random worth."""

    name = "foreseen-grove"
    rules = (*Grove.rules, after)

    def __init__(self, seed: int, **how) -> None:
        super().__init__(np.random.default_rng(seed).uniform(-1, 1, MOST_POSITIONS), **how)
