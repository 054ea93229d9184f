"""Where results are kept: append-only, one row per match number, so that a result delivered twice
or late changes nothing.

`SqliteStore` is for one machine and needs nothing installed; `ParquetStore` is for clusters and
archives. Both notice damage, set the damaged file aside and report its matches as missing, so that
a run that is resumed plays only these again. Neither plays anything, knows agents or computes
tables.
"""

from plyglass.arena.store.opening import open_store
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
