"""Separate the output of players from the output of a command."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Within the block, redirect the output of Python and native code to standard error.

    So a program that reads a command's standard output reads only JSON.
    """
    with contextlib.redirect_stdout(sys.stderr):
        try:
            if sys.__stdout__ is not None:
                sys.__stdout__.flush()
            own = os.dup(1)
            os.dup2(2, 1)
        except (OSError, ValueError):  # the process has no standard output
            yield
            return
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.dup2(own, 1)
                os.close(own)
