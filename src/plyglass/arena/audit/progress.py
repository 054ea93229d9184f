"""Show the progress of a long computation on one line of a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""A function of three values: what is counted, the number done, and the total."""

EVERY = 0.2  # seconds between two updates


class ProgressLine:
    """Writes the progress to the terminal, if there is one, and clears the line at the end."""

    def __init__(self) -> None:
        self._next = time.monotonic() + 5 * EVERY  # a quick computation shows nothing
        self._width = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now >= self._next and sys.stderr.isatty():
            self._next = now + EVERY
            self._write(f"{what}: {done:,} of {total:,}")
        elif done >= total and self._width:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text.ljust(self._width)}\r{text}")
        sys.stderr.flush()
        self._width = len(text)
