"""The value of a position: the cost so far, and what the remaining submarines may still cost."""

from plyglass.core import kernel
from plyglass.games.navy.sea import afloat
from plyglass.games.navy.state import NOWHERE

DAMAGED = 0.6  # threat of a submarine that the sonar has hit, relative to an unharmed one
HALF_TIME = 10.0  # steps in which a submarine does half of the harm that it does in endless time


@kernel
def threat(r, s, player):
    """Return minus the sum of the cost so far and the estimated later cost.

    The estimate counts a threat for every pair of a submarine and a cargo ship. The estimate grows
    with the number of steps left.
    """
    left = 1.0 * (r.steps - s.step)
    danger = 0.0
    for i in range(r.most):
        if s.submarine[i] != NOWHERE:
            danger += 1.0 if s.submarine_health[i] > 1 else DAMAGED
    return -1.0 * s.cost - r.harm * danger * afloat(r, s) * left / (left + HALF_TIME)
