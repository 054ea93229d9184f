"""The SQLite file of a store: how it is created, examined and repaired."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

from plyglass.arena.store import write_steps
from plyglass.arena.store.columns import Seal
from plyglass.arena.store.files import set_aside, sync_directory
from plyglass.arena.store.protocol import StoreError
from plyglass.arena.store.salvage import PAGE, UNREADABLE, log_of, salvaged

SCHEMA = (
    "CREATE TABLE matches (number INTEGER PRIMARY KEY, status TEXT, offender INTEGER, scores "
    "TEXT, steps INTEGER, digest TEXT, "
    "seconds REAL, measures TEXT, seat_seconds TEXT, code TEXT, seal BLOB) WITHOUT ROWID",
    "CREATE TABLE run (id TEXT PRIMARY KEY, settings TEXT, seal BLOB) WITHOUT ROWID",
)
# The first bytes of a file: the format, the page size, two bytes that announce a log, the number
# of reserved bytes (0), and three constants.
HEADER = b"SQLite format 3\0" + PAGE.to_bytes(2, "big") + bytes([2, 2, 0, 64, 32, 32])
BATCH = 1000


def create(database: sqlite3.Connection, run_id: str, settings: str) -> None:
    """Create the tables, if the database has no tables."""
    if _schema_of(database):
        return
    database.execute(f"PRAGMA page_size={PAGE}")
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("BEGIN IMMEDIATE")
    if not _schema_of(database):  # otherwise another process was quicker
        for table in SCHEMA:
            database.execute(table)
        database.execute(
            "INSERT INTO run VALUES (?,?,?)", (run_id, settings, Seal("run")((run_id, settings)))
        )
    database.execute("COMMIT")


def _schema_of(database: sqlite3.Connection) -> list[str]:
    return [text for (text,) in database.execute("SELECT sql FROM sqlite_master ORDER BY name")]


def refuse_programs(database: sqlite3.Connection, path: Path) -> None:
    """Refuse a file with views or triggers: they are programs, which could run for ever."""
    with suppress(*UNREADABLE):
        programs = database.execute(
            "SELECT name FROM sqlite_master WHERE type IN ('view', 'trigger') "
            "OR sql LIKE 'CREATE VIRTUAL%'"
        ).fetchall()
        if programs:
            raise StoreError(
                f"{path} is not a store of results: it has views, triggers or virtual tables. Give "
                "another name, or move the file away."
            )


def flaw_of(database: sqlite3.Connection, header: bytes = HEADER) -> str | None:
    """Return the fault of the file as a whole, or None; the seals of rows are not verified here."""
    if not header:
        return None  # a new file
    if header != HEADER:
        return "it does not start like a database"
    try:
        (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            return f"SQLite finds it malformed: {' '.join(str(verdict).split())}"
        schema = _schema_of(database)
        if schema and (schema != list(SCHEMA) or owner_of(database) is None):
            return "its tables are not those of a store"
    except UNREADABLE as error:
        if is_environmental(error):
            raise
        return f"SQLite cannot read it: {error}"
    return None


def header_of(path: Path) -> bytes:
    """Return the first bytes of a file. This process must not have the file open.

    On POSIX, closing a file drops all locks that this process has on the file, including SQLite's
    locks. Another program that opens the database next would then take the log for a leftover and
    delete it.
    """
    if not path.exists():
        return b""
    with path.open("rb") as file:
        return file.read(len(HEADER))


def is_foreign(database: sqlite3.Connection, path: Path, header: bytes, seal: Seal) -> bool:
    """Return whether a faulty file was never a store, which means that it was named by mistake."""
    resembles = 4 * sum(
        one == other for one, other in zip(header, HEADER, strict=False)
    ) >= 3 * len(header)
    tables: set[str] = set()
    with suppress(*UNREADABLE):
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if resembles and (not tables or tables & {"matches", "run"}):
        return False
    return next(salvaged(path, seal), None) is None


def owner_of(database: sqlite3.Connection) -> tuple[str, str] | None:
    """Return the run id and settings of the file, or None if they cannot be read."""
    try:
        found = database.execute("SELECT id, settings, seal FROM run").fetchall()
    except UNREADABLE as error:
        if is_environmental(error):
            raise
        return None
    if len(found) != 1 or Seal("run")(found[0][:2]) != found[0][2]:
        return None
    return found[0][0], found[0][1]


def is_environmental(error: Exception) -> bool:
    """Return whether an error has an outside cause, such as the disk or another process."""
    environmental = (
        sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_AUTH,
    )  # fmt: skip
    return (
        isinstance(error, sqlite3.ProgrammingError)
        or getattr(error, "sqlite_errorcode", -1) & 0xFF in environmental
    )


def repair(path: Path, run_id: str, settings: str, seal: Seal) -> Path:
    """Replace a damaged database, which must not be open, with a new database of its sound rows.

    Return the new name of the damaged database.
    """
    unfinished, finished = path.with_name(path.name + ".repairing"), _repaired(path)
    for name in (unfinished, log_of(unfinished)):
        name.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as database:
        create(database, run_id, settings)
        rows = ((*row, mark) for row, mark in salvaged(path, seal))
        database.execute("BEGIN")
        while batch := list(islice(rows, BATCH)):
            database.executemany(
                "INSERT OR IGNORE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?)", batch
            )
            write_steps.reached("mid-salvage")
        database.execute("COMMIT")
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    unfinished.replace(finished)
    return finish_repair(path)


def finish_repair(path: Path) -> Path:
    """If there is a repaired database, give it the name of the database that it replaces.

    This step also finishes an interrupted repair.
    """
    aside = path
    if _repaired(path).exists():
        for name in (log_of(path), path):  # SQLite would apply an old log to the new database
            if name.exists():
                aside = set_aside(name)
        write_steps.reached("mid-repair")
        path.with_name(path.name + "-shm").unlink(missing_ok=True)
        _repaired(path).replace(path)
        sync_directory(path.parent)
    return aside


def _repaired(path: Path) -> Path:
    return path.with_name(path.name + ".repaired")
