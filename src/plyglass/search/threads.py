"""Threads for searches that can use them: as many as there are cores, but one for each player of a
tournament.

Matches of a tournament are played side by side, and equal time is to be equal work: a player whose
search has threads would take time from all the others.
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
    """Whatever is searched meanwhile is searched by the thread that asks for it."""
    global _alone
    before, _alone = _alone, True
    try:
        yield
    finally:
        _alone = before


def for_each(function: Callable[..., None], *arguments: Sequence[Any]) -> None:
    """Call the function with the first of all arguments, with the second, and so on, in threads
    where that helps.
    """
    if len(arguments[0]) == 1 or _alone or not JIT:
        for each in zip(*arguments, strict=True):
            function(*each)
    else:
        list(_pool().map(function, *arguments))


@functools.cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="plyglass-search")
