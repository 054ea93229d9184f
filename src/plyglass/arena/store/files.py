"""Files that are whole or not there, and damaged files put aside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plyglass.arena.store import write_steps
from plyglass.arena.store.protocol import StoreError

TEMPORARY = ".tmp"


def write_whole(path: Path, data: bytes, halfway: str, before_rename: str) -> None:
    """Write a file so that after a crash or power loss it is either whole or not there. The last
    two name the crash points.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    with naming(path):
        try:
            with temporary.open("wb") as file:
                file.write(data[: len(data) // 2])
                file.flush()
                write_steps.reached(halfway)
                file.write(data[len(data) // 2 :])
                file.flush()
                os.fsync(file.fileno())
            write_steps.reached(before_rename)
            temporary.replace(path)
            sync_directory(path.parent)
        except OSError:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise


def sync_directory(directory: Path) -> None:
    """Make new names in a directory survive power loss, where the system can."""
    with suppress(
        OSError
    ):  # Windows cannot open a directory, and some network file systems cannot sync one
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    """Give a damaged file a name under which nothing looks for it; returns the name."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with naming(path):
        path.replace(aside)
    sync_directory(path.parent)
    return aside


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn what the system refuses (disk full, read-only, no such directory) into a sentence
    that names the file.
    """
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be read or written: {error.strerror or error}.") from error
