"""The value of a position: the cost so far, and what the remaining submarines may still cost."""

from plyglass.core import kernel
from plyglass.games.navy.sea import afloat
from plyglass.games.navy.state import NOWHERE

DAMAGED = 0.6  # the share of a threat that a submarine is once the sonar has hit it
HALF_TIME = 10.0  # steps after which a submarine has done half of its harm given endless time


@kernel
def threat(r, s, player):
    """Minus the cost so far and the cost to come.

    Every submarine threatens every cargo ship, for as long as there is time.
    """
    left = 1.0 * (r.steps - s.step)
    danger = 0.0
    for i in range(r.most):
        if s.submarine[i] != NOWHERE:
            danger += 1.0 if s.submarine_health[i] > 1 else DAMAGED
    return -1.0 * s.cost - r.harm * danger * afloat(r, s) * left / (left + HALF_TIME)
