"""Sets as bits: a 64-bit word is a set of the numbers 0 to 62.

The operators `&`, `|` and `^` combine whole sets of cities, cards or squares. This module adds two
operations that Numba lacks: counting members and finding a member, each in one machine instruction.
"""

from __future__ import annotations

from typing import Any

from plyglass.core.compile import JIT, intrinsic, kernel, stands_for

count_ones = intrinsic("count_ones")  # the number of members of a set
lowest_one = intrinsic("lowest_one")  # the smallest member of a set, or 64 if it has none


@stands_for(count_ones)
def _count_ones(word: Any) -> int:
    return (int(word) & (1 << 64) - 1).bit_count()


@stands_for(lowest_one)
def _lowest_one(word: Any) -> int:
    return (int(word) & -int(word)).bit_length() - 1 if int(word) else 64


if not JIT:
    count_ones, lowest_one = _count_ones, _lowest_one


@kernel
def nth_one(word, n):
    """The `n`-th smallest member of a set, counted from 0, found by halving the word."""
    skipped = 0
    half = 32
    while half >= 8:
        below = count_ones(word & ((1 << half) - 1))
        if n >= below:
            n -= below
            word >>= half
            skipped += half
        half >>= 1
    for _ in range(n):
        word &= word - 1
    return skipped + lowest_one(word)
