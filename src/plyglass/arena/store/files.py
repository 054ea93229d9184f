"""Write files completely or not at all, and set damaged files aside."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plyglass.arena.store import write_steps
from plyglass.arena.store.protocol import StoreError

TEMPORARY = ".tmp"


def write_whole(path: Path, data: bytes, halfway: str, before_rename: str) -> None:
    """Write a file that is either complete or missing after a crash or power loss.

    `halfway` and `before_rename` name the steps of the write (see `write_steps`).
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
    """Make new names in a directory survive power loss, if the system supports this."""
    # Windows cannot open a directory, and some network file systems cannot sync one.
    with suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def set_aside(path: Path) -> Path:
    """Rename a damaged file, so no program reads it any longer; return the new name."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    with naming(path):
        path.replace(aside)
    sync_directory(path.parent)
    return aside


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn an error of the system, such as a full disk, into a sentence that names the file."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be read or written: {error.strerror or error}.") from error
