"""Sets as bits, compared with Python's own sets."""

import random

import numpy as np
import pytest

from plyglass.core import bits
from plyglass.core.compile import interpreted, kernel

SETS = [
    set(),
    {0},
    {62},
    {0, 62},
    set(range(63)),
    *(set(random.Random(seed).sample(range(63), 1 + seed)) for seed in range(60)),
]


@kernel
def count(word):
    return bits.count_ones(word)


@kernel
def lowest(word):
    return bits.lowest_one(word)


@pytest.mark.parametrize(
    "way", [lambda function: function, interpreted], ids=["compiled", "interpreted"]
)
def test_members_are_counted_and_found_as_python_does(way):
    for members in SETS:
        word = np.int64(sum(1 << member for member in members))
        assert way(count)(word) == len(members)
        assert way(lowest)(word) == min(members, default=64)
        assert [way(bits.nth_one)(int(word), n) for n in range(len(members))] == sorted(members)
