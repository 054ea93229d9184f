"""Cups: a game for tests, in which information has a price.

A ball is under one of two cups. The player peeks, which costs 1, or waits, which is free. Then a
guess wins or loses 10. In one variant, a bystander moves in between and does nothing. The view
after the bystander's move no longer shows what the player saw.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

WAIT, PEEK, LEFT, RIGHT = range(4)
GUESSER, BYSTANDER = 0, 1
NOTHING = -1

# ball: the cup with the ball; seen: where it was seen just now, or NOTHING
State = state_dtype(("reward", np.int32), ("steps", np.int8), ("ball", np.int8), ("seen", np.int8))
Constants = np.dtype([("guess", np.int64)])


@kernel
def start(r, setup, s):
    s.seen = NOTHING
    s.ball = draw(s, 2)


@kernel
def to_move(r, s):
    return -1 if s.steps > r.guess else BYSTANDER if 0 < s.steps < r.guess else GUESSER


@kernel
def legal(r, s, out):
    if s.steps == r.guess:
        out[0], out[1] = LEFT, RIGHT
        return 2
    out[0], out[1] = WAIT, PEEK
    return 2 if s.steps == 0 else 1


@kernel
def apply(r, s, action):
    s.seen = s.ball if action == PEEK else NOTHING
    if action == PEEK:
        s.reward -= 1
    elif action != WAIT:
        s.reward += 10 if action - LEFT == s.ball else -10
    s.steps += 1


@kernel
def score(r, s, player):
    return 1.0 * s.reward if player == GUESSER else -1.0 * s.reward


@kernel
def hide(r, s, viewer):
    s.ball = NOTHING
    if viewer == BYSTANDER:
        s.seen = NOTHING


@kernel
def imagine(r, s, viewer):
    s.ball = s.seen if s.seen != NOTHING else draw(s, 2)


class Cups(Game):
    """Peek or wait, then guess."""

    name = "cups"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score, hide, imagine)
    exact_imagine = False

    def __init__(self, bystander: bool = False) -> None:
        guess = 1 + bystander
        super().__init__(
            players=1 + bystander,
            most_actions=2,
            most_steps=guess + 1,
            scores=(-11.0, 11.0),
            constants={"guess": guess},
        )
