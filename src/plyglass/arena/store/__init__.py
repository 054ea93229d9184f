"""Stores of results: append-only, one row per match number; a repeated or late result is ignored.

`SqliteStore` is for one machine and needs nothing else installed. `ParquetStore` is for clusters
and archives. Both stores notice damage, set the damaged file aside and report its matches as
missing. So a resumed run plays only the missing matches again. A store plays nothing, knows no
agents and computes no tables.
"""

from __future__ import annotations

from pathlib import Path

from plyglass.arena.store.parquet import ParquetStore
from plyglass.arena.store.protocol import Damage, DamagedStore, Store, StoreError
from plyglass.arena.store.ranges import Ranges
from plyglass.arena.store.sqlite import SqliteStore

__all__ = [
    "Damage",
    "DamagedStore",
    "ParquetStore",
    "Ranges",
    "SqliteStore",
    "Store",
    "StoreError",
    "open_store",
]

DATABASES = (".sqlite", ".sqlite3", ".db")


def open_store(path: str | Path, run_id: str, settings: str) -> Store:
    """Open the store at a path: a SQLite database, by its suffix, or a folder of Parquet shards."""
    if Path(path).suffix in DATABASES:
        return SqliteStore(path, run_id, settings)
    return ParquetStore(path, run_id, settings)
