"""Grove: a game for tests that is one small tree, with a given value for every position.

`movers` says who acts at each step, and `width` says how many actions there are, as one number for
all steps or as a number for each step. At the steps in `lucky`, chance draws one of `outcomes`
positions after an action. The value of a position is its value to the first player. In a larger
tree, values repeat. With `merges`, the order of actions does not matter, so several orders of
actions lead to the same position.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

MOST_STEPS, MOST_POSITIONS = 8, 4096

State = state_dtype(("position", np.int32), ("steps", np.int8))
Constants = np.dtype(
    [
        ("steps", np.int64),
        ("width", np.int64),
        ("outcomes", np.int64),
        ("merges", np.int64),
        ("movers", np.int64, (MOST_STEPS,)),
        ("widths", np.int64, (MOST_STEPS,)),
        ("lucky", np.int64, (MOST_STEPS,)),
        ("worth", np.float64, (MOST_POSITIONS,)),
    ]
)


@kernel
def start(r, setup, s):
    s.position = 0


@kernel
def to_move(r, s):
    return -1 if s.steps == r.steps else r.movers[s.steps]


@kernel
def legal(r, s, out):
    for action in range(r.widths[s.steps]):
        out[action] = action
    return r.widths[s.steps]


@kernel
def apply(r, s, action):
    drawn = 0
    if r.lucky[s.steps]:
        drawn = draw(s, r.outcomes)
    s.steps += 1
    if r.merges:
        s.position += action
    else:
        s.position = (s.position * r.width + action) * r.outcomes + drawn + 1


@kernel
def score(r, s, player):
    at = s.steps * 64 + s.position if r.merges else s.position
    worth = r.worth[at % MOST_POSITIONS]
    return worth if player == 0 else -worth


class Grove(Game):
    """A tree with a worth for every position."""

    name = "grove"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score)

    def __init__(
        self, worth, movers=(0, 1, 0), width=3, lucky=(), outcomes=1, merges=False
    ) -> None:
        steps = len(movers)
        widths = [width] * steps if isinstance(width, int) else list(width)
        values = np.zeros(MOST_POSITIONS)
        values[: len(worth)] = worth
        super().__init__(
            players=2,
            most_actions=max(widths),
            most_steps=steps,
            scores=(-1.0, 1.0),
            constants={
                "steps": steps,
                "width": max(widths),
                "outcomes": outcomes,
                "merges": merges,
                "movers": [*movers, *[0] * (MOST_STEPS - steps)],
                "widths": [*widths, *[0] * (MOST_STEPS - steps)],
                "lucky": [int(step in lucky) for step in range(MOST_STEPS)],
                "worth": values,
            },
        )


def after(position, action, *, width, outcomes, drawn=0):
    """The position that an action leads to."""
    return (position * width + action) * outcomes + drawn + 1


def random_grove(seed, **how):
    """A grove in which every position has a random worth, so no two are alike."""
    return Grove(np.random.default_rng(seed).uniform(-1, 1, MOST_POSITIONS), **how)
