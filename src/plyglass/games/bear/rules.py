"""Bear: climb a tree or intimidate a bear of unknown species; then the bear attacks if it can."""

import numpy as np

from plyglass.core import chance, kernel, state_dtype

HIKER, BEAR = 0, 1
CLIMB, INTIMIDATE, ATTACK, LEAVE = 0, 1, 2, 3  # two actions of the hiker, two of the bear
BLACK, GRIZZLY, UNKNOWN = 0, 1, -1
NOTHING = -1
SUCCEEDED = 0
SPECIES = (0.4, 0.6)  # the probabilities of a black bear and of a grizzly
CLIMBING = (0.5, 0.5)  # the probabilities that climbing succeeds and fails
INTIMIDATING = ((0.4, 0.6), (0.3, 0.7))  # that intimidating succeeds and fails, by species

State = state_dtype(
    ("species", np.int8),
    ("tried", np.int8),  # what the hiker did
    ("succeeded", np.int8),  # whether the hiker's attempt succeeded
    ("answer", np.int8),  # what the bear did
)


@kernel
def start(r, setup, s):
    s.tried = NOTHING
    s.answer = NOTHING
    s.species = chance(s, SPECIES)


@kernel
def to_move(r, s):
    if s.answer != NOTHING:
        return -1
    return HIKER if s.tried == NOTHING else BEAR


@kernel
def legal(r, s, out):
    if s.tried == NOTHING:
        out[0] = CLIMB
        out[1] = INTIMIDATE
        return 2
    count = 0
    if _can_attack(s):
        out[0] = ATTACK
        count = 1
    out[count] = LEAVE
    return count + 1


@kernel
def apply(r, s, action):
    if s.tried == NOTHING:
        s.tried = action
        odds = CLIMBING if action == CLIMB else INTIMIDATING[s.species]
        s.succeeded = 1 if chance(s, odds) == SUCCEEDED else 0
    else:
        s.answer = action


@kernel
def score(r, s, player):
    if s.answer == NOTHING:
        return 0.0
    survived = 1.0 if s.answer == LEAVE else -1.0
    return survived if player == HIKER else -survived


@kernel
def hide(r, s, viewer):
    if viewer == HIKER and s.answer == NOTHING:
        s.species = UNKNOWN


@kernel
def imagine(r, s, viewer):
    """Draw the species, given the result if the hiker tried to intimidate the bear."""
    if s.species == UNKNOWN:
        black, grizzly = SPECIES
        if s.tried == INTIMIDATE:
            outcome = 1 - s.succeeded
            black *= INTIMIDATING[BLACK][outcome]
            grizzly *= INTIMIDATING[GRIZZLY][outcome]
        s.species = chance(s, (black, grizzly))


@kernel
def _can_attack(s):
    """Return whether the attempt failed, or a black bear can follow the hiker into the tree."""
    return not s.succeeded or (s.tried == CLIMB and s.species == BLACK)
