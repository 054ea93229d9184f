"""Who has a store open. A repair renames files, and SQLite loses data when that happens to a
database that is in use.

Locks are those of the operating system, so they end with the process, however it dies. Where there
is no `flock` (Windows) nothing is locked; there the system itself refuses to rename a file that is
open.
"""

from __future__ import annotations

import sys
from pathlib import Path

from plyglass.arena.store.files import naming

if sys.platform != "win32":
    import fcntl


class Lock:
    """A lock file, held until it is closed: by many who share it, or by one alone."""

    def __init__(self, path: Path) -> None:
        with naming(path):
            self._file = path.open("ab")

    def share(self) -> None:
        """Hold it with others; waits for one who holds it alone."""
        if sys.platform != "win32":
            fcntl.flock(self._file, fcntl.LOCK_SH)

    def alone(self) -> bool:
        """Hold it alone, if nobody else holds it; otherwise nothing may be held any more."""
        if sys.platform != "win32":
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True

    def close(self) -> None:
        self._file.close()
