"""Matches that a server keeps, in a SQLite file or in a PostgreSQL database shared by replicas.

An update states the number of earlier changes that it builds on. If the match has changed since
then, the update is refused. So nobody overwrites a change that they have not seen.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

from plyglass.serve.protocol import Refused

TABLE = """CREATE TABLE IF NOT EXISTS plyglass_matches (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, changes INTEGER NOT NULL, state TEXT NOT NULL)"""
READ = "SELECT changes, state, owner FROM plyglass_matches WHERE id = ?"
ADD = "INSERT INTO plyglass_matches (id, owner, changes, state) VALUES (?, ?, 0, ?)"
CHANGE = """UPDATE plyglass_matches SET changes = changes + 1, state = ?
    WHERE id = ? AND owner = ? AND changes = ?"""
ALONE = "SELECT pg_advisory_xact_lock(8008)"  # two replicas cannot make a table at the same time
POSTGRES = ("postgresql://", "postgres://")
SQLITE = "sqlite:"
log = logging.getLogger("plyglass.serve")


class Store:
    """Matches by their id and by the name of the caller who began the match."""

    def __init__(
        self,
        connect: Callable[[], Any],
        mark: str,
        lost: tuple[type[Exception], ...],
        alone: str = "",
    ) -> None:
        self._connect, self._mark, self._lost = connect, mark, lost
        self._lock, self._connection = threading.Lock(), connect()
        for sql in filter(None, (alone, TABLE)):
            self._connection.execute(sql)
        self._connection.commit()

    async def read(self, owner: str, match: str) -> tuple[int, dict[str, Any]]:
        """The number of changes of a match, and its state."""
        whose, changes, state = await self.find(match)
        if whose != owner:
            raise _unknown()
        return changes, state

    async def find(self, match: str) -> tuple[str, int, dict[str, Any]]:
        """The name of the caller who began a match, the number of its changes, and its state."""
        found = await asyncio.to_thread(self._run, READ, (match,))
        if not isinstance(found, tuple):
            raise _unknown()
        return str(found[2]), int(found[0]), json.loads(found[1])

    async def add(self, owner: str, match: dict[str, Any]) -> None:
        """Keep a new match."""
        await asyncio.to_thread(self._run, ADD, (match["id"], owner, json.dumps(match)))

    async def change(self, owner: str, match: dict[str, Any], changes: int) -> None:
        """Replace the state of a match, unless another request changed it since it was read."""
        text = json.dumps(match)
        if not await asyncio.to_thread(self._run, CHANGE, (text, match["id"], owner, changes)):
            raise Refused(
                "other-ply", "The match was continued elsewhere; ask for its position.", "match"
            )

    def _run(self, sql: str, values: tuple[Any, ...]) -> Any:
        """Run one statement; return the row it found, or the number of rows it changed.

        A lost connection is opened again. A statement that changes something is not repeated,
        because the database may have carried it out. While the database cannot be reached, every
        request is refused.
        """
        with self._lock:
            try:
                return self._ran(sql, values)
            except self._lost:
                self._connection.close()
            try:
                self._connection = self._connect()
                if sql == READ:
                    return self._ran(sql, values)
            except self._lost:
                log.warning("the database cannot be reached")
        raise Refused("busy", "The database was not reached; ask again.", retry_after_ms=500)

    def _ran(self, sql: str, values: tuple[Any, ...]) -> Any:
        cursor = self._connection.execute(sql.replace("?", self._mark), values)
        found = cursor.fetchone() if sql == READ else cursor.rowcount
        self._connection.commit()
        return found

    def close(self) -> None:
        self._connection.close()


def _unknown() -> Refused:
    return Refused("unknown-match", "There is no match of this name.", "match")


def store_at(place: str) -> Store:
    """The store at `sqlite:FILE` or `postgresql://...`."""
    if place.startswith(SQLITE):
        path = place.removeprefix(SQLITE)
        return Store(lambda: _sqlite(path), "?", ())
    if place.startswith(POSTGRES):
        try:
            import psycopg
        except ImportError:
            raise ValueError(
                "A PostgreSQL store needs psycopg; install plyglass[postgres]."
            ) from None
        lost = (psycopg.OperationalError, psycopg.InterfaceError)
        return Store(lambda: psycopg.connect(place, connect_timeout=5), "%s", lost, ALONE)
    raise ValueError(
        f"A store is written {SQLITE}matches.db or {POSTGRES[0]}..., not {place[:50]!r}."
    )


def _sqlite(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=10)
    connection.execute("PRAGMA journal_mode=WAL")
    return connection
