"""Stores of results: append-only, with one row per match number.

If a result arrives twice, only the first counts. `SqliteStore` is for one machine, and needs no
further packages. `ParquetStore` is for clusters and archives. Both stores notice damage, set the
damaged file aside, and report its matches as missing. So a resumed run plays only the missing
matches again. A store plays nothing, knows no agents and computes no tables.
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
    """Open the store at a path: the suffix says whether it is a SQLite file or a Parquet folder."""
    if Path(path).suffix in DATABASES:
        return SqliteStore(path, run_id, settings)
    return ParquetStore(path, run_id, settings)
