"""Threads for searches that can use them: one per core, but only one in a tournament.

A tournament plays matches in parallel. In a tournament, a search with several threads would take
CPU time from other matches, and equal time limits would no longer be fair.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from plyglass.core.compile import JIT

_alone = False


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Make every search run in the calling thread within this context."""
    global _alone
    before, _alone = _alone, True
    try:
        yield
    finally:
        _alone = before


def for_each(function: Callable[..., None], *arguments: Sequence[Any]) -> None:
    """Call the function with the first items of all arguments, then with the second, and so on.

    The calls run in parallel threads, unless only one thread is allowed.
    """
    if len(arguments[0]) == 1 or _alone or not JIT:
        for each in zip(*arguments, strict=True):
            function(*each)
    else:
        list(_pool().map(function, *arguments))


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="plyglass-search")
