"""Three players in turn take one or two of ten stones; whoever takes the last stone wins."""

import numpy as np

import plyglass as pg

State = pg.state_dtype(("left", np.int8), ("player", np.int8), ("last", np.int8))


@pg.kernel
def start(r, setup, s):
    s.left = 10


@pg.kernel
def to_move(r, s):
    return s.player if s.left > 0 else -1


@pg.kernel
def legal(r, s, out):
    out[0] = 1
    out[1] = 2
    return 2 if s.left > 1 else 1


@pg.kernel
def apply(r, s, action):
    s.left -= action
    s.last = s.player
    s.player = (s.player + 1) % 3


@pg.kernel
def score(r, s, player):
    return 1.0 if s.left == 0 and s.last == player else 0.0


class ThreePlayers(pg.Game):
    """Three players take stones from one pile."""

    name = "three-players"
    state = State
    rules = (start, to_move, legal, apply, score)

    def __init__(self):
        super().__init__(players=3, most_actions=3, most_steps=10, scores=(0.0, 1.0))
