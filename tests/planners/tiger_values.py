"""The solved values of endless Tiger, by the lead of reports for the left door."""

import numpy as np

from plyglass.arena.match.match import first_position

RIGHT, DISCOUNT, FARTHEST = 0.85, 0.95, 12


def solved(sweeps=1000):
    """Value iteration for differences from -FARTHEST to FARTHEST.

    Returns (value of each difference, values of the actions).
    """
    left = 1 / (1 + ((1 - RIGHT) / RIGHT) ** np.arange(-FARTHEST, FARTHEST + 1.0))
    hear_left = left * RIGHT + (1 - left) * (1 - RIGHT)
    value = np.zeros(2 * FARTHEST + 1)
    for _ in range(sweeps):
        up, down = np.append(value[1:], value[-1]), np.append(value[0], value[:-1])
        listen = -1 + DISCOUNT * (hear_left * up + (1 - hear_left) * down)
        open_left = -100 * left + 10 * (1 - left) + DISCOUNT * value[FARTHEST]
        open_right = 10 * left - 100 * (1 - left) + DISCOUNT * value[FARTHEST]
        actions = np.stack([listen, open_left, open_right])
        value = actions.max(axis=0)
    return value, actions


def losses(match):
    """The discounted loss against optimal play, along the beliefs of a match of Tiger."""
    value, actions = solved()
    world, total = first_position(match.game, match.seed), 0.0
    for time, action in enumerate(match.actions):
        left, right = world.record["heard"]
        place = int(np.clip(left - right, -FARTHEST, FARTHEST)) + FARTHEST
        total += DISCOUNT**time * (value[place] - actions[action, place])
        world.apply(action)
    return total
