"""Errors in compiled rules: Numba does not report such errors to the caller.

A rule that is compiled to a C function cannot raise an error to its caller. Numba gives the error
to `sys.unraisablehook` and returns garbage. Within `noticed`, these errors are counted instead of
printed, so the caller can discard the garbage.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MARK = "numba.core"  # occurs in the hook's message about a C function of Numba


@dataclass
class Failures:
    """The number of errors that rules raised, and a description of the first error."""

    count: int = 0
    first: str = ""

    def clear(self) -> None:
        self.count, self.first = 0, ""


_lock = threading.Lock()
_open: list[Failures] = []
_former = sys.unraisablehook


@contextmanager
def noticed() -> Iterator[Failures]:
    """Count the errors that compiled rules raise within the block, in all threads."""
    global _former
    found = Failures()
    with _lock:
        if not _open:
            _former, sys.unraisablehook = sys.unraisablehook, _note
        _open.append(found)
    try:
        yield found
    finally:
        with _lock:
            # remove by identity, because another block may have equal counts
            _open[:] = [each for each in _open if each is not found]
            if not _open and sys.unraisablehook is _note:
                sys.unraisablehook = _former


def _note(told: sys.UnraisableHookArgs) -> None:
    if not (isinstance(told.object, str) and MARK in told.object):
        _former(told)
        return
    for found in _open:
        found.count += 1
        if found.count == 1:
            found.first = f"{told.exc_type.__name__}: {told.exc_value}"
