"""Seeds, derived from a root seed and a path of numbers.

A seed does not depend on how many seeds were derived before. So results depend neither on the order
of the work nor on the number of workers.

There are two kinds of root. A root of at most 64 bits is public: whoever guesses it can compute all
its seeds. A longer root is secret. The seeds of a secret root come from a keyed hash. So a player
that gets one of these seeds learns nothing about the root or the other seeds.
"""

from __future__ import annotations

import hashlib
import secrets
from enum import IntEnum

import numpy as np

PUBLIC_BITS, SECRET_BITS = 64, 256


class Purpose(IntEnum):
    """The purpose of a seed: the last number of every path, which keeps the streams apart."""

    LUCK = 0
    PLANNER = 1
    BELIEF = 2
    SETUP = 3
    TEST = 4


def derive(root: int, *path: int) -> int:
    """A 64-bit seed for `path` below `root`.

    The seed comes from NumPy's SeedSequence for a public root, and from BLAKE2b for a secret one.
    """
    if is_secret(root):
        return _hashed(root, path, PUBLIC_BITS)
    return int(np.random.SeedSequence(root, spawn_key=path).generate_state(1, np.uint64)[0])


def derive_secret(root: int, *path: int) -> int:
    """A secret root that is derived from the secret root `root` and from `path`."""
    return _with_top_bit(_hashed(root, path, SECRET_BITS))


def new_secret() -> int:
    """A secret root that nobody can guess."""
    return _with_top_bit(secrets.randbits(SECRET_BITS))


def is_secret(root: int) -> bool:
    """Whether a root is too long to be guessed."""
    return root >> PUBLIC_BITS > 0


def _hashed(root: int, path: tuple[int, ...], bits: int) -> int:
    key = root.to_bytes(SECRET_BITS // 8, "little")
    written = b"".join(step.to_bytes(16, "little") for step in path)
    return int.from_bytes(
        hashlib.blake2b(written, digest_size=bits // 8, key=key).digest(), "little"
    )


def _with_top_bit(number: int) -> int:
    """The number with its top bit set, so the root has its full length."""
    return number | 1 << (SECRET_BITS - 1)
