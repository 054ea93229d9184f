"""Positions that were looked at before: a table in which a later one takes the place of an earlier
one.

A value is remembered with the depth that it was found with, under a 64-bit hash of all it depends
on.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import mix, scramble
from plyglass.core.memory import read_word
from plyglass.core.verbs import RNG, fingerprint
from plyglass.search.exhaustive.frames import DICTATED, FORESEEN


@kernel
def recall(table, look, there, keys, known):
    """Whether the values of this position are known from before."""
    if len(keys) == 0:
        return False
    there.key = position_key(table, look, there)
    at = np.int64(there.key & np.uint64(len(keys) - 1))
    if keys[at] != there.key:
        return False
    for i in range(look.width):
        look.values[i] = known[at, i]
    look.cut = np.int64(known[at, look.width])
    return True


@kernel
def position_key(table, look, there):
    """What a value depends on: the position, how far is looked, and the future where that is
    known.
    """
    hashed = fingerprint(table, there.state) ^ look.salt
    if look.luck == FORESEEN:
        hashed = hashed ^ scramble(read_word(there.state, RNG))
    return mix(mix(hashed, there.depth), there.position if look.luck == DICTATED else 0)


@kernel
def remember(look, here, keys, known):
    """Keep the values of a position, in place of another if need be."""
    at = np.int64(here.key & np.uint64(len(keys) - 1))
    keys[at] = here.key
    for i in range(look.width):
        known[at, i] = look.values[i]
    known[at, look.width] = look.cut
