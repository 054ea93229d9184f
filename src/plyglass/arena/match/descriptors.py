"""Protect the open files of a process from a player that closes them.

A user's own player could close the pipe to the driver, the store or standard output. So the match
copies every descriptor to a high number while such a player plays. Afterwards, the match restores
the descriptors that the player closed.
"""

from __future__ import annotations

import contextlib
import os
import sys

FIRST_SPARE = 500  # copies get numbers from here on
FOLDER = "/proc/self/fd" if sys.platform == "linux" else "/dev/fd"


class Descriptors:
    """Copies of the descriptors that were open when this object was made.

    If `kept` is false, there are no copies.
    """

    def __init__(self, kept: bool = True) -> None:
        self._spares: dict[int, tuple[int, tuple[int, int]]] = {}
        for number in _numbers() if kept else ():
            with contextlib.suppress(OSError):  # the descriptor of the listing is closed by now
                self._spares[number] = _copy(number), _identity(number)

    def look(self) -> None:
        """Forget the descriptors that the match itself closed or replaced after copying them."""
        for number, (spare, known) in list(self._spares.items()):
            if not _is(number, known):
                del self._spares[number]
                with contextlib.suppress(OSError):
                    os.close(spare)

    def restore(self) -> str:
        """Restore closed descriptors; return their numbers as text, or an empty text."""
        lost = []
        for number, (spare, known) in self._spares.items():
            if not _is(number, known):
                lost.append(str(number))
                if _is(spare, known):
                    os.dup2(spare, number, inheritable=number <= 2)
        if not lost:
            return ""
        return f"descriptor{'s' if len(lost) > 1 else ''} {', '.join(lost)}"

    def close(self) -> None:
        for spare, known in self._spares.values():
            if _is(spare, known):
                os.close(spare)
        self._spares.clear()


def _copy(number: int) -> int:
    if sys.platform == "win32":
        return os.dup(number)
    import fcntl

    return fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST_SPARE)


def _numbers() -> list[int]:
    """Return the numbers of open descriptors below the copies."""
    try:
        found = [int(name) for name in os.listdir(FOLDER)]  # noqa: PTH208  names are enough
    except OSError:
        found = [0, 1, 2]
    return [number for number in found if number < FIRST_SPARE]


def _identity(number: int) -> tuple[int, int]:
    told = os.fstat(number)
    return told.st_dev, told.st_ino


def _is(number: int, known: tuple[int, int]) -> bool:
    try:
        return _identity(number) == known
    except OSError:
        return False
