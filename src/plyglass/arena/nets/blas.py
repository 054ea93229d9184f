"""One thread for the matrix products of a fit.

The matrices of a small net are too small for several threads. The threads would mostly wait for
each other, and a fit would take many times as much CPU time.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads")


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Make NumPy multiply matrices in one thread, if NumPy uses OpenBLAS; else change nothing."""
    library = _openblas()
    if library is None:
        yield
        return
    ask, limit = library
    before = ask()
    limit(1)
    try:
        yield
    finally:
        limit(before)


@functools.cache
def _openblas() -> tuple[Any, Any] | None:
    """The functions that get and set the number of threads in NumPy's own OpenBLAS."""
    for path in Path(np.__file__).parent.with_name("numpy.libs").glob("libscipy_openblas*"):
        library = ctypes.CDLL(str(path))
        for name in _NAMES:
            with contextlib.suppress(AttributeError):
                return getattr(library, name.format("get")), getattr(library, name.format("set"))
    return None
