"""Games for two players whose rules go wrong after some steps, each in its own way."""

import math

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

STEPS = 12
State = state_dtype(("board", np.int8, (4,)), ("steps", np.int32), ("sum", np.int32))
PRICES = (1, 2, 3)


@kernel
def start(r, setup, s):
    s.sum = draw(s, 3)


@kernel
def to_move(r, s):
    return -1 if s.steps == STEPS else s.steps % 2


@kernel
def legal(r, s, out):
    for action in range(3):
        out[action] = action
    return 3


@kernel
def apply(r, s, action):
    s.steps += 1
    s.sum += action


@kernel
def score(r, s, player):
    return 1.0 if s.sum % 2 == player else 0.0


class Fair(Game):
    """The game that all others spoil."""

    name = "fair"
    state = State
    rules = (start, to_move, legal, apply, score)

    def __init__(self) -> None:
        super().__init__(players=2, most_actions=3, most_steps=STEPS, scores=(0.0, 1.0))


def writes_outside():
    @kernel
    def apply(r, s, action):
        s.steps += 1
        s.board[s.steps * 4000] = action

    return apply


def writes_many():
    @kernel
    def legal(r, s, out):
        for action in range(3 + 30000 * s.steps):
            out[action] = action % 3
        return 3

    return legal


def never_ends():
    @kernel
    def legal(r, s, out):
        for action in range(3):
            out[action] = action
        while s.steps == STEPS - 2:
            out[0] = 0
        return 3

    return legal


def raises():
    @kernel
    def apply(r, s, action):
        s.steps += 1
        s.sum += PRICES[s.steps]

    return apply


def is_nan():
    @kernel
    def score(r, s, player):
        return math.nan if s.steps == STEPS else 0.0

    return score


def out_of_range():
    @kernel
    def score(r, s, player):
        return 1.0 * s.steps

    return score


def never_ends_compiled():
    @kernel
    def legal(r, s, out):
        size = 1
        while s.steps == STEPS - 2 and size <= 1 << 62:  # with 64 bits, it becomes 0
            size <<= 2
            out[0] = size & 1
        for action in range(3):
            out[action] = action
        return 3

    return legal


class WritesOutside(Fair):
    """Writes far outside of its state."""

    name = "writes-outside"
    rules = (start, to_move, legal, writes_outside(), score)


class WritesMany(Fair):
    """Writes more actions than it declares."""

    name = "writes-many"
    rules = (start, to_move, writes_many(), apply, score)


class NeverEnds(Fair):
    """Has a rule that never ends."""

    name = "never-ends"
    rules = (start, to_move, never_ends(), apply, score)


class NeverEndsCompiled(Fair):
    """Has a rule that ends in Python, but never as machine code."""

    name = "never-ends-compiled"
    rules = (start, to_move, never_ends_compiled(), apply, score)


class Raises(Fair):
    """Has a rule that raises an error, which compiled code cannot tell."""

    name = "raises"
    rules = (start, to_move, legal, raises(), score)


class IsNan(Fair):
    """Has scores that are no numbers."""

    name = "is-nan"
    rules = (start, to_move, legal, apply, is_nan())


class OutOfRange(Fair):
    """Has scores that it does not declare."""

    name = "out-of-range"
    rules = (start, to_move, legal, apply, out_of_range())
