"""The store that a path means."""

from __future__ import annotations

from pathlib import Path

from plyglass.arena.store.parquet import ParquetStore
from plyglass.arena.store.protocol import Store
from plyglass.arena.store.sqlite import SqliteStore

DATABASES = (".sqlite", ".sqlite3", ".db")


def open_store(path: str | Path, run_id: str, settings: str) -> Store:
    """The store at a path: a SQLite database if the name ends like one, otherwise a directory of
    Parquet shards.
    """
    if Path(path).suffix in DATABASES:
        return SqliteStore(path, run_id, settings)
    return ParquetStore(path, run_id, settings)
