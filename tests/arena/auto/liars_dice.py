"""Liar's Dice for two players with three dice each, as a user would write it.

A bid names a number of dice and a face. The next player bids more dice, or as many of a higher
face, or doubts. If the last bid is true, the doubter loses. Otherwise, the bidder loses. Ones are
not wild.
"""

import numpy as np

import plyglass as pg

DICE, FACES = 3, 6
BIDS = 2 * DICE * FACES  # bid b says: b // FACES + 1 dice show the face b % FACES
DOUBT = BIDS
UNKNOWN = -1

State = pg.state_dtype(
    ("dice", np.int8, (2, FACES)),  # how many dice of each player show each face
    ("bid", np.int8),  # the last bid, or -1
    ("player", np.int8),
    ("loser", np.int8),  # -1 while the game goes on
    ("bids", np.int64),  # all bids so far, one bit each
)


@pg.kernel
def start(r, setup, s):
    for player in range(2):
        for _ in range(DICE):
            s.dice[player, pg.draw(s, FACES)] += 1
    s.bid = -1
    s.loser = -1


@pg.kernel
def to_move(r, s):
    return s.player if s.loser < 0 else -1


@pg.kernel
def legal(r, s, out):
    count = 0
    for bid in range(s.bid + 1, BIDS):
        out[count] = bid
        count += 1
    if s.bid >= 0:
        out[count] = DOUBT
        count += 1
    return count


@pg.kernel
def apply(r, s, action):
    if action == DOUBT:
        face = s.bid % FACES
        there = s.dice[0, face] + s.dice[1, face]
        s.loser = s.player if there >= s.bid // FACES + 1 else 1 - s.player
    else:
        s.bid = action
        s.bids |= 1 << action
        s.player = 1 - s.player


@pg.kernel
def score(r, s, player):
    if s.loser < 0:
        return 0.0
    return -1.0 if s.loser == player else 1.0


@pg.kernel
def hide(r, s, viewer):
    if s.loser < 0:
        for face in range(FACES):
            s.dice[1 - viewer, face] = UNKNOWN


@pg.kernel
def imagine(r, s, viewer):
    if s.dice[1 - viewer, 0] == UNKNOWN:
        for face in range(FACES):
            s.dice[1 - viewer, face] = 0
        for _ in range(DICE):
            s.dice[1 - viewer, pg.draw(s, FACES)] += 1


class LiarsDice(pg.Game):
    """Two players bid on six hidden dice, and one doubts."""

    name = "liars-dice"
    state = State
    rules = (start, to_move, legal, apply, score, hide, imagine)

    def __init__(self):
        super().__init__(players=2, most_actions=BIDS + 1, most_steps=BIDS + 1, scores=(-1.0, 1.0))
