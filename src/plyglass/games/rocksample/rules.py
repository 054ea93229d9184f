"""RockSample: find good rocks with a noisy sensor, sample them, and leave to the east."""

import numpy as np

from plyglass.core import chance, draw, kernel, kind_of, pack, state_dtype, target_of

MOST_SIZE, MOST_ROCKS = 16, 16
FARTHEST = 2 * (MOST_SIZE - 1) ** 2  # the squared distance between opposite corners
MOVE, SAMPLE, CHECK = 0, 1, 2  # kinds of actions; the target is a direction, nothing, or a rock
NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3
BAD, GOOD, UNKNOWN = 0, 1, -1
NOWHERE = -1
PRIZE = 10  # reward for leaving and for a good rock; a bad rock costs the same amount

State = state_dtype(
    ("odds", np.float64, (MOST_ROCKS, 2)),  # probability of bad and good, given all readings
    ("readings", np.int16, (MOST_ROCKS, 2)),  # how often the sensor said bad and good
    ("reward", np.int32),
    ("steps", np.int32),
    ("value", np.int8, (MOST_ROCKS,)),  # BAD, GOOD or UNKNOWN
    ("collected", np.int8, (MOST_ROCKS,)),
    ("x", np.int8),  # the place of the rover: x from the west, y from the south
    ("y", np.int8),
)
Constants = np.dtype(
    [
        # The probabilities of a right and of a wrong reading, by squared distance.
        ("sensor", np.float64, (FARTHEST + 1, 2)),
        ("size", np.int64),
        ("rocks", np.int64),
        ("steps", np.int64),
        ("x", np.int64, (MOST_ROCKS,)),
        ("y", np.int64, (MOST_ROCKS,)),
    ]
)


@kernel
def start(r, setup, s):
    s.y = r.size // 2
    for rock in range(r.rocks):
        s.value[rock] = draw(s, 2)
        s.odds[rock, BAD] = 0.5
        s.odds[rock, GOOD] = 0.5


@kernel
def to_move(r, s):
    return -1 if s.x == r.size or s.steps == r.steps else 0


@kernel
def legal(r, s, out):
    count = 0
    for direction in range(4):
        if allows(r, s, direction):
            out[count] = pack(MOVE, 0, direction)
            count += 1
    if rock_here(r, s) != NOWHERE:
        out[count] = pack(SAMPLE, 0, 0)
        count += 1
    for rock in range(r.rocks):
        if not s.collected[rock]:
            out[count] = pack(CHECK, 0, rock)
            count += 1
    return count


@kernel
def apply(r, s, action):
    s.steps += 1
    if kind_of(action) == MOVE:
        _move(r, s, target_of(action))
    elif kind_of(action) == SAMPLE:
        _collect(s, rock_here(r, s))
    else:
        _check(r, s, target_of(action))


@kernel
def score(r, s, player):
    return 1.0 * s.reward


@kernel
def hide(r, s, viewer):
    # The reward has revealed whether a collected rock was good.
    for rock in range(r.rocks):
        if not s.collected[rock]:
            s.value[rock] = UNKNOWN


@kernel
def imagine(r, s, viewer):
    for rock in range(r.rocks):
        if not s.collected[rock]:
            s.value[rock] = chance(s, s.odds[rock])


@kernel
def perturb(r, s, viewer):
    # Drawing one rock again by its probability does not change the distribution of worlds.
    rock = draw(s, r.rocks)
    if not s.collected[rock]:
        s.value[rock] = chance(s, s.odds[rock])
    return 1


@kernel
def allows(r, s, direction):
    """Return whether the rover may drive in a direction; it may leave the grid only to the east."""
    if direction == NORTH:
        return s.y + 1 < r.size
    if direction == SOUTH:
        return s.y > 0
    return direction == EAST or s.x > 0


@kernel
def _move(r, s, direction):
    if direction == NORTH:
        s.y += 1
    elif direction == EAST:
        s.x += 1
    elif direction == SOUTH:
        s.y -= 1
    else:
        s.x -= 1
    if s.x == r.size:
        s.reward += PRIZE


@kernel
def rock_here(r, s):
    """Return the uncollected rock under the rover, or NOWHERE."""
    for rock in range(r.rocks):
        if r.x[rock] == s.x and r.y[rock] == s.y and not s.collected[rock]:
            return rock
    return NOWHERE


@kernel
def _collect(s, rock):
    s.collected[rock] = 1
    s.reward += PRIZE if s.value[rock] == GOOD else -PRIZE


@kernel
def _check(r, s, rock):
    """Read the sensor and update the rock's probabilities by Bayes' rule."""
    across, along = s.x - r.x[rock], s.y - r.y[rock]
    distance = across * across + along * along
    reading = s.value[rock] ^ chance(s, r.sensor[distance])
    s.readings[rock, reading] += 1
    bad = s.odds[rock, BAD] * r.sensor[distance, BAD ^ reading]
    good = s.odds[rock, GOOD] * r.sensor[distance, GOOD ^ reading]
    s.odds[rock, BAD] = bad / (bad + good)
    s.odds[rock, GOOD] = good / (bad + good)
