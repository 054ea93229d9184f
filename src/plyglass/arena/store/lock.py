"""A lock on an open store: a repair renames files, and SQLite loses data if a renamed file is open.

The operating system owns the lock, so the lock ends with the process in any case. Windows has no
`flock` and needs none: it refuses to rename an open file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from plyglass.arena.store.files import naming

if sys.platform != "win32":
    import fcntl


class Lock:
    """A lock file, which is either shared by several processes or held by one alone."""

    def __init__(self, path: Path) -> None:
        with naming(path):
            self._file = path.open("ab")

    def share(self) -> None:
        """Share the lock; wait while another process holds it alone."""
        if sys.platform != "win32":
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def alone(self) -> bool:
        """Try to hold the lock alone; return whether it worked.

        If it did not work, the shared lock may be lost too.
        """
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def close(self) -> None:
        self._file.close()
