"""This module draws bootstrap resamples that are the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 21  # indices drawn at once: 16 MB


def resamples(count: int, times: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Yield `times` resamples in blocks; each resample is a row of `count` indices.

    The indices are drawn with replacement. NumPy may change the methods of its Generator, but not
    the raw stream of a bit generator. So this function converts the raw stream to indices itself,
    and an interval can be reproduced years later.
    """
    if not 0 < count < 1 << 32:
        raise ValueError(f"Cannot resample {count} observations; give between 1 and 2^32 - 1.")
    words = np.random.PCG64(np.random.SeedSequence(seed))
    rows = max(1, BLOCK // count)
    for done in range(0, times, rows):
        shape = (min(rows, times - done), count)
        high_bits = words.random_raw(shape[0] * shape[1]) >> np.uint64(32)
        yield ((high_bits * np.uint64(count)) >> np.uint64(32)).astype(np.int64).reshape(shape)
