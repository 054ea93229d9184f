"""A note on what a worker is doing, which others can read even after the worker's death.

The note is a small file that the worker maps into its memory. Writing a note takes less than a
microsecond, and still works if a player closes the file.
"""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LAYOUT = struct.Struct("<qqqq")  # match, seat to move, beats, process


@dataclass(frozen=True)
class Noted:
    """The contents of a note.

    Attributes:
        number: the match in progress, or -1 between matches.
        seat: the seat to move, or -1 if nobody has decided yet.
        beats: the number of times that the note was written.
        process: the worker's process.
    """

    number: int
    seat: int
    beats: int
    process: int


class Note:
    """The note of this process, in an open file."""

    def __init__(self, file: IO[bytes]) -> None:
        file.write(bytes(LAYOUT.size))
        file.flush()
        self._map = mmap.mmap(file.fileno(), LAYOUT.size)
        self._beats = 0

    @staticmethod
    def at(path: str | Path) -> Note:
        """Return a note in a new file."""
        with Path(path).open("w+b") as file:
            return Note(file)

    def write(self, number: int, seat: int = -1) -> None:
        """Write which match is in progress and whose turn it is."""
        self._beats += 1
        LAYOUT.pack_into(self._map, 0, number, seat, self._beats, os.getpid())

    def turns_of(self, number: int) -> Callable[[int], None]:
        """Return a function for match `number`, which notes the seat that decides next."""
        return lambda seat: self.write(number, seat)

    def close(self) -> None:
        self._map.close()


def read_note(path: Path) -> Noted | None:
    """Return the contents of a note, or None if its worker has written nothing yet."""
    try:
        noted = Noted(*LAYOUT.unpack(path.read_bytes()))
    except (OSError, struct.error):
        return None
    return noted if noted.beats else None
