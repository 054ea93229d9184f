"""A store as a folder of Parquet shards with a manifest, for clusters and archives.

The store has one writer at a time. Every `add` writes a new shard. Shards of about equal size are
merged into a larger shard. For example, a million rows that are added a hundred at a time end up in
a few dozen files. A shard is written once and never changed. Whenever a process dies, the folder
still holds complete shards, and each shard has its digest in its name. The manifest can always be
rebuilt from the shards.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Self

from plyglass.arena.store import write_steps
from plyglass.arena.store.files import TEMPORARY, naming, set_aside
from plyglass.arena.store.lock import Lock
from plyglass.arena.store.manifest import NAME, Entry, Manifest, read_manifest, write_manifest
from plyglass.arena.store.protocol import Damage, StoreError
from plyglass.arena.store.ranges import Ranges
from plyglass.arena.store.shards import (
    PATTERN,
    digest_in_name,
    in_order,
    is_sound,
    pyarrow,
    read_shard,
    run_of_shard,
    schema,
    write_shard,
)
from plyglass.arena.tournament.match_row import MatchRow

MANY = 16
"""This many shards of one size class are merged; size classes are powers of this number."""


class ParquetStore:
    """The results of one run in a directory.

    Args:
        path: the directory, which is created if it does not exist.
        run_id: the run; a directory of another run is refused.
        settings: the settings of the run as text, which are kept so the results can be understood
            later.
        shard_rows: the most rows in a shard.
    """

    def __init__(
        self, path: str | Path, run_id: str, settings: str, *, shard_rows: int = 100_000
    ) -> None:
        pyarrow()
        self.path = Path(path)
        self._run_id, self._shard_rows = run_id, shard_rows
        self._found: list[Damage] = []
        with naming(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
        self._lock = Lock(self.path / ".lock")
        try:
            self._refuse_company()
            self._manifest = self._read(settings)
            self.check()
        except BaseException:
            self.close()
            raise

    def _refuse_company(self) -> None:
        if not self._lock.alone():
            raise StoreError(
                f"{self.path} is open elsewhere. A Parquet store has one writer at a time; close "
                "the other, or give another directory."
            )

    def _read(self, settings: str) -> Manifest:
        """Return the manifest, or an empty one if it is missing or damaged."""
        try:
            with naming(self.path / NAME):
                manifest = read_manifest(self.path)
        except ValueError as error:
            aside = set_aside(self.path / NAME)
            self._found.append(
                Damage(
                    self.path / NAME,
                    f"{error}; it was set aside as {aside.name} and made again from the shards.",
                )
            )
        except StoreError as error:
            if not isinstance(error.__cause__, FileNotFoundError):
                raise
        else:
            self._refuse_another(manifest.run_id)
            return manifest
        return Manifest(self._run_id, settings)

    def _refuse_another(self, run_id: str) -> None:
        if run_id != self._run_id:
            raise StoreError(
                f"{self.path} holds the results of run {run_id}, not of run {self._run_id}; give "
                "each run its own directory."
            )

    @property
    def settings(self) -> str:
        """The settings of the run, as they were given when the store was created."""
        return self._manifest.settings

    def check(self) -> list[Damage]:
        """Verify every file, set damaged files aside, and add the shards of a killed process.

        Returns all damage found.
        """
        with naming(self.path):
            for left in self.path.glob(f"*{TEMPORARY}"):
                left.unlink()
            sound = [shard for shard in self._manifest.shards if self._is_sound(shard)]
            changed = sound != self._manifest.shards or not (self.path / NAME).exists()
            self._manifest.shards = sound
            self._numbers = _numbers_of(sound)
            if self._adopt() or changed:
                write_manifest(self.path, self._manifest)
        return list(self._found)

    def _is_sound(self, shard: Entry) -> bool:
        path = self.path / shard.name
        if is_sound(path, shard.digest):
            return True
        done = "it is not there any more"
        if path.exists():
            done = f"it does not have its digest; it was set aside as {set_aside(path).name}"
        self._found.append(
            Damage(path, f"{done}, and its {shard.rows} matches are missing.", shard.numbers)
        )
        return False

    def _adopt(self) -> bool:
        """Add shards that the manifest does not list; return whether there were any.

        The largest shard comes first, because it may contain the rows of merged shards.
        """
        listed = {shard.name for shard in self._manifest.shards}
        strays = [path for path in self.path.glob(PATTERN) if path.name not in listed]
        for path in sorted(strays, key=lambda path: path.stat().st_size, reverse=True):
            digest = digest_in_name(path)
            if not is_sound(path, digest):
                self._found.append(
                    Damage(
                        path,
                        f"it does not have its digest; it was set aside as {set_aside(path).name}.",
                    )
                )
                continue
            run_id, settings = run_of_shard(path, digest)
            self._refuse_another(run_id)
            if not self._manifest.shards:  # the manifest is new, and the shard has the run's key
                self._manifest.settings = settings
            self._take_in(path, list(read_shard(path, digest)))
        return bool(strays)

    def _take_in(self, path: Path, rows: list[MatchRow]) -> None:
        new = [row for row in rows if row.number not in self._numbers]
        if len(new) == len(rows):
            self._enter(
                Entry(
                    path.name,
                    digest_in_name(path),
                    len(rows),
                    Ranges.of(row.number for row in rows),
                )
            )
            return
        if new:
            self._enter(write_shard(self.path, new, self._run_id, self.settings))
        path.unlink()

    def _enter(self, shard: Entry) -> None:
        self._manifest.shards.append(shard)
        self._numbers |= shard.numbers

    def add(self, rows: Iterable[MatchRow]) -> int:
        """Store rows whose number is not stored yet, and return how many were new.

        At most `shard_rows` rows are in memory at a time.
        """
        source, total = iter(rows), 0
        write_steps.reached("before-write")
        while batch := list(islice(source, self._shard_rows)):
            total += self._add(batch)
        write_steps.reached("written-not-acknowledged")
        return total

    def _add(self, batch: list[MatchRow]) -> int:
        first: dict[int, MatchRow] = {}
        for row in batch:
            if row.number not in self._numbers:
                first.setdefault(row.number, row)
        if first:
            shard = write_shard(
                self.path, [first[number] for number in sorted(first)], self._run_id, self.settings
            )
            write_steps.reached("after-rename")
            self._enter(shard)
            write_manifest(self.path, self._manifest)
            self._merge_where_many()
        return len(first)

    def _merge_where_many(self) -> None:
        orders: dict[int, list[Entry]] = {}
        for shard in self._manifest.shards:
            if shard.rows * 2 <= self._shard_rows:
                orders.setdefault(_order(shard.rows), []).append(shard)
        for shards in orders.values():
            if len(shards) >= MANY:
                self._merge(shards)

    def _merge(self, shards: list[Entry]) -> None:
        """Merge shards into as few new shards as `shard_rows` allows, and remove the old shards."""
        rows = self._rows_of(shards)
        merged = []
        while batch := list(islice(rows, self._shard_rows)):
            merged.append(write_shard(self.path, batch, self._run_id, self.settings))
        kept = [shard for shard in self._manifest.shards if shard not in shards]
        self._manifest.shards = kept + merged
        write_manifest(self.path, self._manifest)
        write_steps.reached("mid-merge")
        for shard in shards:
            with naming(self.path / shard.name):
                (self.path / shard.name).unlink(missing_ok=True)

    def numbers(self) -> Ranges:
        """Return the numbers of the stored matches."""
        return self._numbers

    def rows(self) -> Iterator[MatchRow]:
        """Yield all rows in the order of their numbers; every shard is verified first."""
        return self._rows_of(self._manifest.shards)

    def _rows_of(self, shards: Iterable[Entry]) -> Iterator[MatchRow]:
        for together in in_order(shards):
            tables = [read_shard(self.path / shard.name, shard.digest) for shard in together]
            yield from heapq.merge(*tables, key=lambda row: row.number)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Answer SQL with DuckDB, over the table `matches`.

        DuckDB does not verify the files again. They were last verified by `check()`, or when the
        store was opened.
        """
        try:
            import duckdb
        except ImportError as error:
            raise StoreError("A query needs DuckDB: pip install 'plyglass[archive]'.") from error
        with duckdb.connect() as connection:
            if self._manifest.shards:
                files = [str(self.path / shard.name) for shard in self._manifest.shards]
                connection.read_parquet(files).create_view("matches")
            else:
                empty = schema(self._run_id, self.settings).empty_table()
                connection.register("matches", empty)
            return connection.execute(sql).fetchall()

    def close(self) -> None:
        """Release the directory."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _order(rows: int) -> int:
    """Return the size class of a number of rows: its order of magnitude in base `MANY`."""
    order = 0
    while rows >= MANY:
        rows //= MANY
        order += 1
    return order


def _numbers_of(shards: Iterable[Entry]) -> Ranges:
    numbers = Ranges()
    for shard in shards:
        numbers |= shard.numbers
    return numbers
