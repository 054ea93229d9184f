"""A lock on an open store, which keeps repairs from renaming files that are open.

A repair renames files, and SQLite loses data if a renamed file is open. The operating system owns
the lock, so the lock always ends with the process. Windows has no `flock`, and does not need it,
because Windows refuses to rename an open file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from plyglass.arena.store.files import naming

if sys.platform != "win32":
    import fcntl


class Lock:
    """A lock file, which is either shared by several processes or held exclusively by one."""

    def __init__(self, path: Path) -> None:
        with naming(path):
            self._file = path.open("ab")

    def share(self) -> None:
        """Share the lock; wait while another process holds it exclusively."""
        if sys.platform != "win32":
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def alone(self) -> bool:
        """Try to hold the lock exclusively; return whether this worked.

        If it did not work, this process may also have lost its shared lock.
        """
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def close(self) -> None:
        self._file.close()
