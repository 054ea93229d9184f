"""Seeds, derived from a root and a path of numbers.

A seed does not depend on how many were derived before. So neither the order of the work nor the
number of workers matters.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """The last step of every path, so streams for different purposes never meet."""

    LUCK = 0
    PLANNER = 1
    BELIEF = 2
    SETUP = 3
    TEST = 4


def derive(root: int, *path: int) -> int:
    """A 64-bit seed for `path` below `root`, by NumPy's SeedSequence."""
    return int(np.random.SeedSequence(root, spawn_key=path).generate_state(1, np.uint64)[0])
