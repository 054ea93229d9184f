"""A store in one SQLite file with a write-ahead log: for the processes of one machine.

A commit survives a killed process. A power loss may destroy the last commits. Their matches are
then missing, and are played again. SQLite does not notice most flipped bits, so every row carries a
seal. Every kind of damage is repaired in the same way: a new database gets all sound rows, and the
old database is kept under another name.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from plyglass.arena.store import write_steps
from plyglass.arena.store.columns import Columns, Seal, columns_of, row_of
from plyglass.arena.store.database import (
    HEADER,
    create,
    finish_repair,
    flaw_of,
    header_of,
    is_environmental,
    is_foreign,
    owner_of,
    refuse_programs,
    repair,
)
from plyglass.arena.store.files import naming
from plyglass.arena.store.lock import Lock
from plyglass.arena.store.protocol import Damage, DamagedStore, StoreError
from plyglass.arena.store.ranges import Ranges
from plyglass.arena.store.salvage import UNREADABLE, Sealed, salvaged_from_log
from plyglass.arena.tournament.match_row import MatchRow


class SqliteStore:
    """The results of one run in a SQLite file.

    Args:
        path: the file, which is created if it does not exist.
        run_id: the run; a file of another run is refused.
        settings: the settings of the run as text, which are kept so the results can be understood
            later.
        timeout: the seconds to wait while another process writes.
    """

    def __init__(
        self, path: str | Path, run_id: str, settings: str, *, timeout: float = 60.0
    ) -> None:
        self.path = Path(path)
        self._run_id, self._given, self._timeout = run_id, settings, timeout
        self._seal = Seal(run_id)
        self._found: list[Damage] = []
        with naming(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Lock(self.path.with_name(self.path.name + ".lock"))
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        left_over: list[Sealed] = []
        header = HEADER  # if another process has the file open, that process has verified it
        if self._lock.alone():  # no other process has it open: finish an old repair
            finish_repair(self.path)
            header = header_of(self.path)
            left_over = list(salvaged_from_log(self.path, self._seal))
        else:
            self._lock.share()
        self._connect()
        with self._naming():
            refuse_programs(self._database, self.path)
            flaw = flaw_of(self._database, header)
            self._refuse_another_run()
            if flaw and is_foreign(self._database, self.path, header, self._seal):
                raise StoreError(
                    f"{self.path} is not a store of results: {flaw}. Give another name, or move "
                    "the file away."
                )
            if flaw:
                self._repair(flaw)
            create(self._database, self._run_id, self._given)
        self._recover(left_over)
        self._lock.share()

    def _connect(self) -> None:
        with self._naming():
            self._database = sqlite3.connect(self.path, timeout=self._timeout, isolation_level=None)
            with suppress(*UNREADABLE):  # `flaw_of` finds what is wrong with a damaged file
                self._database.execute("PRAGMA trusted_schema=OFF")
                self._database.execute("PRAGMA synchronous=NORMAL")

    def _refuse_another_run(self) -> None:
        owner = owner_of(self._database)
        if owner is not None and owner[0] != self._run_id:
            raise StoreError(
                f"{self.path} holds the results of run {owner[0]}, not of run {self._run_id}; "
                "give each run its own file."
            )

    def _recover(self, left_over: list[Sealed]) -> None:
        """Recover the rows in a log that SQLite has dropped."""
        with self._writing():
            new = self._insert(left_over)
        if new:
            self._found.append(
                Damage(
                    self.path,
                    f"{new} rows were recovered from a log that was damaged or incomplete.",
                )
            )

    @property
    def settings(self) -> str:
        """The settings of the run, as they were given when the store was created."""
        with self._naming():
            owner = owner_of(self._database)
        return owner[1] if owner else self._given

    def add(self, rows: Iterable[MatchRow]) -> int:
        """Store rows whose number is not stored yet, in one transaction.

        Return the number of new rows.
        """
        sealed = [(columns, self._seal(tuple(columns))) for columns in map(columns_of, rows)]
        half = len(sealed) // 2
        write_steps.reached("before-write")
        with self._writing():
            new = self._insert(sealed[:half])
            write_steps.reached("mid-write")
            new += self._insert(sealed[half:])
        write_steps.reached("written-not-acknowledged")
        return new

    def _insert(self, sealed: Iterable[Sealed]) -> int:
        before = self._database.total_changes
        self._database.executemany(
            "INSERT OR IGNORE INTO matches VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            ((*row, mark) for row, mark in sealed),
        )
        return self._database.total_changes - before

    def numbers(self) -> Ranges:
        """Return the numbers of the stored matches; only `check()` finds flipped bits."""
        with self._naming():
            return Ranges.of(self._each_number())

    def _each_number(self) -> Iterator[int]:
        for (number,) in self._database.execute("SELECT number FROM matches ORDER BY number"):
            if type(number) is not int:
                raise DamagedStore(
                    f"{self.path} is damaged: {number!r} is no match number; check() repairs it."
                )
            yield number

    def rows(self) -> Iterator[MatchRow]:
        """Yield all rows in the order of their numbers, each verified."""
        for values, sound in self._verified():
            if not sound:
                raise DamagedStore(
                    f"{self.path}: the row of match {values[0]} is damaged; check() sets it aside."
                )
            yield row_of(Columns(*values))

    def _verified(self) -> Iterator[tuple[tuple[Any, ...], bool]]:
        """Yield (the values, whether the seal is right) for every row."""
        with self._naming():
            for record in self._database.execute("SELECT * FROM matches ORDER BY number"):
                values = record[:-1]
                yield values, self._seal(values) == record[-1]

    def check(self) -> list[Damage]:
        """Verify every row; if a row is damaged, make a new database of the sound rows.

        Return all damage found since opening.
        """
        with self._naming():
            flaw = flaw_of(self._database)
        try:
            unsound = sum(not sound for _, sound in self._verified())
        except DamagedStore as error:
            flaw = flaw or str(error)
        else:
            flaw = flaw or (f"{unsound} rows are damaged" if unsound else None)
        if flaw:
            self._repair(flaw)
        return list(self._found)

    def _repair(self, flaw: str) -> None:
        before, settings = self._readable_numbers(), self.settings
        self._database.close()
        try:
            if not self._lock.alone():
                raise StoreError(
                    f"{self.path} is damaged ({flaw}), but also open elsewhere. Close it there, "
                    "then check it again."
                )
            with naming(self.path), self._naming():
                aside = repair(self.path, self._run_id, settings, self._seal)
        finally:
            self._lock.share()
            self._connect()
        kept = self.numbers()
        lost = Ranges.of(number for number in before if number not in kept)
        done = f"{flaw}; it was set aside as {aside.name}, and {len(kept)} sound rows were kept."
        self._found.append(Damage(self.path, done, lost))

    def _readable_numbers(self) -> Ranges:
        found: list[Any] = []
        with suppress(*UNREADABLE):
            found.extend(
                number for (number,) in self._database.execute("SELECT number FROM matches")
            )
        return Ranges.of(number for number in found if isinstance(number, int))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Open a transaction, which is undone if anything fails."""
        with self._naming():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._database.execute("ROLLBACK")
                raise

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Turn an error of SQLite into a sentence that names the file."""
        try:
            yield
        except sqlite3.ProgrammingError:
            # The store is misused, for example from another thread or after close().
            raise
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if is_environmental(error):
                raise StoreError(f"{self.path} cannot be read or written: {error}.") from error
            raise DamagedStore(f"{self.path} is damaged: {error}; check() repairs it.") from error

    def close(self) -> None:
        """Release the file and its log."""
        if hasattr(self, "_database"):
            self._database.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()
