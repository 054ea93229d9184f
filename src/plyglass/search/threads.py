"""Threads for searches that can use them: as many as there are cores, but one in tournaments.

A tournament plays matches in parallel, and equal time must mean equal work there. A search with
threads would take time from all other players.
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
    """Within this context, every search runs in the calling thread."""
    global _alone
    before, _alone = _alone, True
    try:
        yield
    finally:
        _alone = before


def for_each(function: Callable[..., None], *arguments: Sequence[Any]) -> None:
    """Call the function with the first item of each argument, then with the second, and so on.

    The calls run in parallel threads where that helps.
    """
    if len(arguments[0]) == 1 or _alone or not JIT:
        for each in zip(*arguments, strict=True):
            function(*each)
    else:
        list(_pool().map(function, *arguments))


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="plyglass-search")
