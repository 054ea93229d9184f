"""Read a store as data, without writing, repairing or locking it, or running code that it names.

A report opens stores for reading only, including stores from strangers and stores on read-only
disks. Damaged or edited stores are refused. A store is repaired only when its run is resumed.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from plyglass.arena.store.columns import Columns, Seal, row_of
from plyglass.arena.store.database import (
    SCHEMA,
    flaw_of,
    is_environmental,
    owner_of,
    refuse_programs,
)
from plyglass.arena.store.files import naming
from plyglass.arena.store.manifest import Manifest, read_manifest
from plyglass.arena.store.protocol import DamagedStore, StoreError
from plyglass.arena.store.salvage import UNREADABLE, log_of
from plyglass.arena.store.shards import in_order, read_shard, run_of_shard
from plyglass.arena.tournament.match_row import MatchRow

REPAIR = "Whoever resumes the tournament plays it again."
LONGEST = 50_000_000  # the most bytes of one value in a SQLite file


@dataclass(frozen=True)
class Contents:
    """The contents of a store: the run, its settings as text, and all rows by number."""

    run_id: str
    settings: str
    rows: tuple[MatchRow, ...]


def read_store(path: str | Path) -> Contents:
    """Read a whole store, a SQLite file or a folder of Parquet shards, without writing to it."""
    place = Path(path)
    return _read_shards(place) if place.is_dir() else _read_database(place)


def _read_database(place: Path) -> Contents:
    try:
        with _opened(place) as database:
            refuse_programs(database, place)
            flaw = flaw_of(database)
            if flaw or not _has_tables(database):
                raise DamagedStore(f"{place} is not a store of results: {flaw or 'it is empty'}.")
            owner = owner_of(database)
            assert owner is not None  # `flaw_of` has checked this
            return Contents(*owner, tuple(_rows(database, place, Seal(owner[0]))))
    except UNREADABLE as error:
        if is_environmental(error):
            raise StoreError(f"{place} cannot be read: {error}.") from error
        raise DamagedStore(f"{place} is not a store of results: {error}.") from None


def _has_tables(database: sqlite3.Connection) -> bool:
    found = database.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
    return [text for (text,) in found] == list(SCHEMA)


def _rows(database: sqlite3.Connection, place: Path, seal: Seal) -> Iterator[MatchRow]:
    for number, record in enumerate(database.execute("SELECT * FROM matches ORDER BY number")):
        values = record[:-1]
        if seal(values) != record[-1]:
            raise DamagedStore(
                f"{place}: row {number + 1} does not have its seal, so it was edited or damaged. "
                f"{REPAIR}"
            )
        try:
            yield row_of(Columns(*values))
        except (ValueError, TypeError, RecursionError):
            raise DamagedStore(f"{place}: row {number + 1} is not the row of a match.") from None


@contextmanager
def _opened(place: Path) -> Iterator[sqlite3.Connection]:
    """Open the database for reading, without a lock if SQLite cannot write beside the file."""
    with naming(place):
        place.open("rb").close()
    address = f"{place.resolve().as_uri()}?mode=ro"
    if os.access(place.parent, os.W_OK):
        with closing(sqlite3.connect(address, uri=True)) as database:
            yield _hardened(database)
    elif not log_of(place).exists():
        with closing(sqlite3.connect(f"{address}&immutable=1", uri=True)) as database:
            yield _hardened(database)
    else:  # SQLite reads a log only if it can write an index beside the log
        with tempfile.TemporaryDirectory(prefix="plyglass-") as folder:
            copy = Path(folder) / place.name
            shutil.copyfile(place, copy)
            shutil.copyfile(log_of(place), log_of(copy))
            with closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as database:
                yield _hardened(database)


def _hardened(database: sqlite3.Connection) -> sqlite3.Connection:
    """Limit the size of values, forbid functions in the schema, and return the database."""
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
    database.execute("PRAGMA trusted_schema=OFF")
    return database


def _read_shards(place: Path) -> Contents:
    manifest = _manifest(place)
    rows: list[MatchRow] = []
    for together in in_order(manifest.shards):
        for shard in together:
            run = run_of_shard(place / shard.name, shard.digest)
            if run != (manifest.run_id, manifest.settings):
                raise DamagedStore(f"{place / shard.name} belongs to another run. {REPAIR}")
            rows += read_shard(place / shard.name, shard.digest)
    rows.sort(key=lambda row: row.number)
    return Contents(manifest.run_id, manifest.settings, tuple(rows))


def _manifest(place: Path) -> Manifest:
    try:
        with naming(place):
            return read_manifest(place)
    except ValueError as error:
        raise DamagedStore(f"{place} is not a store of results: {error}. {REPAIR}") from error
