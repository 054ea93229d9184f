"""What a position is worth: the cost so far, and what the submarines that are left may still
cost.
"""

from plyglass.core import kernel
from plyglass.games.navy.sea import afloat
from plyglass.games.navy.state import NOWHERE

DAMAGED = 0.6  # how much of a threat a submarine is that the sonar has hit once
HALF_TIME = (
    10.0  # the steps after which a submarine has done half of the harm that it does without end
)


@kernel
def threat(r, s, player):
    """Minus the cost so far and to come: every submarine is a danger to every cargo ship, for as
    long as there is time.
    """
    left = 1.0 * (r.steps - s.step)
    danger = 0.0
    for i in range(r.most):
        if s.submarine[i] != NOWHERE:
            danger += 1.0 if s.submarine_health[i] > 1 else DAMAGED
    return -1.0 * s.cost - r.harm * danger * afloat(r, s) * left / (left + HALF_TIME)
