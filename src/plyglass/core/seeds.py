"""Seeds by purpose. A seed is derived from a root and a path of numbers, never from how many were
derived before: order and the number of workers drop out.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """The last step of every path: streams for different purposes never meet."""

    LUCK = 0
    PLANNER = 1
    BELIEF = 2
    SETUP = 3
    TEST = 4


def derive(root: int, *path: int) -> int:
    """A 64-bit seed for `path` below `root`, by NumPy's SeedSequence."""
    return int(np.random.SeedSequence(root, spawn_key=path).generate_state(1, np.uint64)[0])
