"""Tiger: one door hides a tiger, the other a treasure; listen until you dare to open one."""

import numpy as np

from plyglass.core import chance, draw, kernel, state_dtype

LISTEN, OPEN_LEFT, OPEN_RIGHT = 0, 1, 2
LEFT, RIGHT = 0, 1
UNKNOWN = -1
NOTHING = -1
LISTENING, EATEN, TREASURE = -1, -100, 10
CLEAR_LEAD = 2  # `prefer` opens a door when the other door leads by this many hearings

State = state_dtype(
    ("reward", np.int32),  # sum of rewards so far
    ("steps", np.int32),  # number of actions so far
    ("heard", np.int32, (2,)),  # hearings at each door since a door was last opened
    ("last", np.int8),  # the door of the last hearing, or NOTHING
    ("tiger", np.int8),  # the tiger's door
)
Constants = np.dtype(
    [
        ("hearing", np.float64, (2,)),  # the probabilities to hear the true and the wrong door
        ("steps", np.int64),
    ]
)


@kernel
def start(r, setup, s):
    s.last = NOTHING
    s.tiger = draw(s, 2)


@kernel
def to_move(r, s):
    return -1 if s.steps == r.steps else 0


@kernel
def legal(r, s, out):
    out[0] = LISTEN
    out[1] = OPEN_LEFT
    out[2] = OPEN_RIGHT
    return 3


@kernel
def apply(r, s, action):
    s.steps += 1
    if action == LISTEN:
        _listen(r, s)
    else:
        _open(s, action - OPEN_LEFT)


@kernel
def score(r, s, player):
    return 1.0 * s.reward


@kernel
def hide(r, s, viewer):
    s.tiger = UNKNOWN


@kernel
def imagine(r, s, viewer):
    # Only the difference counts, because a hearing at the left door cancels one at the right door.
    likelier = LEFT if s.heard[LEFT] > s.heard[RIGHT] else RIGHT
    odds = 1.0
    for _ in range(s.heard[likelier] - s.heard[1 - likelier]):
        odds *= r.hearing[1] / r.hearing[0]
    s.tiger = likelier ^ chance(s, (1.0, odds))


@kernel
def prefer(r, s, out):
    """List one action: listen until one door has two more hearings, then open the other door."""
    lead = s.heard[LEFT] - s.heard[RIGHT]
    out[0] = OPEN_RIGHT if lead >= CLEAR_LEAD else OPEN_LEFT if lead <= -CLEAR_LEAD else LISTEN
    return 1


@kernel
def _listen(r, s):
    s.reward += LISTENING
    s.last = s.tiger ^ chance(s, r.hearing)
    s.heard[s.last] += 1


@kernel
def _open(s, door):
    """Collect the reward behind a door, place the tiger again, and forget earlier hearings."""
    s.reward += EATEN if door == s.tiger else TREASURE
    s.last = NOTHING
    s.heard[LEFT] = 0
    s.heard[RIGHT] = 0
    s.tiger = draw(s, 2)
