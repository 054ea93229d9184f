"""Dare: a game for tests, whose value depends on who knows which secret.

Each of two players holds a secret bit. The first player passes, which costs a half, or dares the
second player to name a bit. The second player wins if the bit is the `target`: their own, the first
player's, or 1. With `bets`, both actions of the first player end the game, and the second player's
bit decides who wins. With `forgets`, the second player no longer sees their own bit when they are
dared.
"""

import numpy as np

from plyglass.core import Game, draw, kernel, state_dtype

PASS, DARE = 0, 1
NOTHING = -1
TARGETS = {"theirs": 0, "ours": 1, "one": 2}

# ours, theirs: the secret bits of the first and the second player
State = state_dtype(
    ("reward", np.float32), ("stage", np.int8), ("ours", np.int8), ("theirs", np.int8)
)
Constants = np.dtype([("target", np.int64), ("forgets", np.int64), ("bets", np.int64)])


@kernel
def start(r, setup, s):
    s.ours = draw(s, 2)
    s.theirs = draw(s, 2)


@kernel
def to_move(r, s):
    return -1 if s.stage == 2 else s.stage


@kernel
def legal(r, s, out):
    out[0], out[1] = 0, 1
    return 2


@kernel
def apply(r, s, action):
    s.stage += 1
    if r.bets:
        s.stage, s.reward = 2, 1.0 - 2.0 * s.theirs
    elif s.stage == 2:
        target = s.theirs if r.target == 0 else s.ours if r.target == 1 else 1
        s.reward = -1.0 if action == target else 1.0
    elif action == PASS:
        s.stage, s.reward = 2, -0.5


@kernel
def score(r, s, player):
    return 1.0 * s.reward if player == 0 else -1.0 * s.reward


@kernel
def hide(r, s, viewer):
    if viewer == 0:
        s.theirs = NOTHING
    else:
        s.ours = NOTHING
        if r.forgets and s.stage > 0:
            s.theirs = NOTHING


@kernel
def imagine(r, s, viewer):
    if s.ours == NOTHING:
        s.ours = draw(s, 2)
    if s.theirs == NOTHING:
        s.theirs = draw(s, 2)


class Dare(Game):
    """Pass, or dare somebody who may know more."""

    name = "dare"
    state = State
    constants = Constants
    rules = (start, to_move, legal, apply, score, hide, imagine)
    exact_imagine = False

    def __init__(
        self, target: str = "theirs", *, forgets: bool = False, bets: bool = False
    ) -> None:
        super().__init__(
            players=2,
            most_actions=2,
            most_steps=2,
            scores=(-1.0, 1.0),
            constants={"target": TARGETS[target], "forgets": forgets, "bets": bets},
        )
