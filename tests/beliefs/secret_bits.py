"""Secret bits: a game for one player, who asks for twelve hidden bits one by one.

A belief in this game runs out of worlds quickly, and the game's rule `perturb` finds similar
worlds.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

BITS = 12
State = state_dtype(("secret", np.int16), ("asked", np.int16))


@kernel
def start(r, setup, s):
    s.secret = draw(s, 1 << BITS)


@kernel
def to_move(r, s):
    return -1 if s.asked == (1 << BITS) - 1 else 0


@kernel
def legal(r, s, out):
    count = 0
    for bit in range(BITS):
        if not (s.asked >> bit) & 1:
            out[count] = bit
            count += 1
    return count


@kernel
def apply(r, s, action):
    s.asked |= 1 << action


@kernel
def score(r, s, player):
    return 0.0


@kernel
def hide(r, s, viewer):
    s.secret &= s.asked


@kernel
def imagine(r, s, viewer):
    """Imagine a secret with at most one more bit, which is a poor prior."""
    s.secret |= (1 << draw(s, BITS)) & ~s.asked


@kernel
def perturb(r, s, viewer):
    """Flip one bit; the result agrees with what was told if the bit was never asked for."""
    bit = draw(s, BITS)
    s.secret ^= 1 << bit
    return 1 - ((s.asked >> bit) & 1)


class SecretBits(Game):
    """A hidden number that is told bit by bit."""

    name = "secret-bits"
    state = State
    rules = (start, to_move, legal, apply, score, hide, imagine)
    exact_imagine = False

    def __init__(self, perturbs: bool) -> None:
        if perturbs:
            self.rules = (*self.rules, perturb)
        super().__init__(players=1, most_actions=BITS, most_steps=BITS, scores=(0.0, 1.0))
