"""Read every row that is still readable from a damaged SQLite database.

SQLite gives up on a file at the first contradiction, such as a header that disagrees with the
length. But each row contains its own seal, so a row can be recovered wherever its bytes are. This
module reads the pages of the file and of its write-ahead log directly, in the documented format
(https://www.sqlite.org/fileformat2.html, sections 1.6, 2.1 and 4). This module does not find rows
that are too long for one page. Only SQLite itself finds such rows.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from plyglass.arena.store.columns import Columns, Seal

PAGE = 4096
LOG_HEADER, FRAME_HEADER = 32, 24
LONGEST = (PAGE - 12) * 64 // 255 - 23  # a longer record continues on pages of its own
INTERIOR, LEAF = 2, 10  # kinds of page of a table WITHOUT ROWID; both hold rows
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # serial type -> bytes

UNREADABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors when reading a damaged database; the last one means that the error text is damaged."""

Sealed = tuple[Columns, bytes]


def salvaged(path: Path, seal: Seal) -> Iterator[Sealed]:
    """Yield all sound rows of a database and its log, in any order and possibly several times."""
    yield from _sound(_read_by_sqlite(path), seal)
    yield from _sound(_read_from_pages(path, 0, 0), seal)
    yield from salvaged_from_log(path, seal)


def salvaged_from_log(path: Path, seal: Seal) -> Iterator[Sealed]:
    """Return all sound rows of a write-ahead log.

    SQLite itself drops all rows after the first damage.
    """
    return _sound(_read_from_pages(log_of(path), LOG_HEADER, FRAME_HEADER), seal)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _sound(records: Iterator[list[Any]], seal: Seal) -> Iterator[Sealed]:
    for *values, mark in records:
        if seal(tuple(values)) == mark:
            yield Columns(*values), mark


def _read_by_sqlite(path: Path) -> Iterator[list[Any]]:
    """Yield the records from the first onwards until an error, then from the last backwards."""
    with suppress(*UNREADABLE), closing(sqlite3.connect(path)) as database:
        for direction in ("ASC", "DESC"):
            with suppress(*UNREADABLE):
                for record in database.execute(
                    f"SELECT * FROM matches ORDER BY number {direction}"
                ):
                    if len(record) == len(Columns._fields) + 1:
                        yield list(record)


def _read_from_pages(path: Path, header: int, frame: int) -> Iterator[list[Any]]:
    """Yield the records on all pages of a file.

    The file has `header` bytes before the first page and `frame` bytes before each page.
    """
    with suppress(FileNotFoundError), path.open("rb") as file:
        file.seek(header)
        while len(piece := file.read(frame + PAGE)) > frame:
            yield from _records(piece[frame:])


def _records(page: bytes) -> Iterator[list[Any]]:
    """Yield the records on one page.

    Cells that cannot be decoded are skipped. Damaged bytes may still decode to a record; the caller
    rejects such a record, because its seal does not match.
    """
    if page[0] not in (INTERIOR, LEAF):
        return
    pointers, child = (8, 0) if page[0] == LEAF else (12, 4)
    for cell in range(int.from_bytes(page[3:5], "big")):
        with suppress(IndexError, ValueError, struct.error):
            place = pointers + 2 * cell
            record = _record(page, int.from_bytes(page[place : place + 2], "big") + child)
            if len(record) == len(Columns._fields) + 1:
                yield record


def _record(page: bytes, place: int) -> list[Any]:
    """Return the values of the record whose cell starts at an offset of a page."""
    length, start = _varint(page, place)
    if length > LONGEST:
        return []
    size, at = _varint(page, start)
    kinds: list[int] = []
    while at < start + size:
        kind, at = _varint(page, at)
        kinds.append(kind)
    values: list[Any] = []
    for kind in kinds:
        value, at = _value(page, at, kind)
        values.append(value)
    return _with_real_seconds(values)


def _with_real_seconds(values: list[Any]) -> list[Any]:
    """Turn whole seconds back into a float, because SQLite stores a whole REAL as an integer."""
    seconds = Columns._fields.index("seconds")
    if len(values) > seconds and isinstance(values[seconds], int):
        values[seconds] = float(values[seconds])
    return values


def _value(page: bytes, at: int, kind: int) -> tuple[Any, int]:
    """Return the value of a serial type at an offset, and the next offset."""
    if kind in INTEGERS:
        end = at + INTEGERS[kind]
        return int.from_bytes(page[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack(">d", page[at : at + 8])[0], at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        return None, at
    end = at + (kind - 12) // 2
    return (page[at:end].decode() if kind % 2 else page[at:end]), end


def _varint(page: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length integer at an offset, and the next offset."""
    value = 0
    for byte in page[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | page[at], at + 1
