"""Match rows as Parquet files (shards), each with the digest of its bytes in its name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from plyglass.arena.store.files import naming, write_whole
from plyglass.arena.store.manifest import Entry
from plyglass.arena.store.protocol import DamagedStore, StoreError
from plyglass.arena.store.ranges import Ranges
from plyglass.arena.tournament.match_row import MatchRow

PATTERN = "shard-*.parquet"
RUN = b"plyglass.run_id"
SETTINGS = b"plyglass.settings"


def pyarrow() -> Any:
    """Return the library PyArrow, which is loaded only when it is needed."""
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        raise StoreError(
            "A Parquet store needs pyarrow and DuckDB: pip install 'plyglass[archive]'."
        ) from error
    return pyarrow


def schema(run_id: str, settings: str) -> Any:
    """Return the columns, with the run and its settings as metadata."""
    pa = pyarrow()
    columns = {
        "number": pa.int64(),
        "status": pa.string(),
        "offender": pa.int32(),
        "scores": pa.list_(pa.float64()),
        "steps": pa.int64(),
        "digest": pa.string(),
        "seconds": pa.float64(),
        "measures": pa.map_(pa.string(), pa.float64()),
        "seat_seconds": pa.list_(pa.float64()),
        "code": pa.string(),
    }
    return pa.schema(columns, metadata={RUN: run_id.encode(), SETTINGS: settings.encode()})


def write_shard(directory: Path, rows: Sequence[MatchRow], run_id: str, settings: str) -> Entry:
    """Write rows, in the order of their numbers, as a new file."""
    data = _encoded(rows, run_id, settings)
    digest = _digest(data)
    name = f"shard-{rows[0].number}-{digest}.parquet"
    write_whole(directory / name, data, halfway="mid-write", before_rename="mid-rename")
    return Entry(name, digest, len(rows), Ranges.of(row.number for row in rows))


def _encoded(rows: Sequence[MatchRow], run_id: str, settings: str) -> bytes:
    pa = pyarrow()
    columns = {
        "number": [int(row.number) for row in rows],
        "status": [str(row.status) for row in rows],
        "offender": [int(row.offender) for row in rows],
        "scores": [[float(score) for score in row.scores] for row in rows],
        "steps": [int(row.steps) for row in rows],
        "digest": [str(row.digest) for row in rows],
        "seconds": [float(row.seconds) for row in rows],
        "measures": [
            [(name, float(value)) for name, value in sorted(row.measures.items())] for row in rows
        ],
        "seat_seconds": [[float(seconds) for seconds in row.seat_seconds] for row in rows],
        "code": [str(row.code) for row in rows],
    }
    sink = pa.BufferOutputStream()
    table = pa.table(columns, schema=schema(run_id, settings))
    pa.parquet.write_table(table, sink, compression="zstd", write_page_checksum=True)
    return bytes(sink.getvalue())


def read_shard(path: Path, digest: str) -> Iterator[MatchRow]:
    """Yield the rows of a file, after comparing the file's bytes with its digest."""
    table = _table(path, digest)
    for batch in table.to_batches(max_chunksize=10_000):
        for (
            number,
            status,
            offender,
            scores,
            steps,
            seal,
            seconds,
            measures,
            seat_seconds,
            code,
        ) in zip(*(each.to_pylist() for each in batch.columns), strict=True):
            yield MatchRow(
                number,
                status,
                offender,
                tuple(scores),
                steps,
                seal,
                seconds,
                dict(measures),
                tuple(seat_seconds),
                code,
            )


def _table(path: Path, digest: str) -> Any:
    pa = pyarrow()
    with naming(path):
        data = path.read_bytes()
    if _digest(data) != digest:
        raise DamagedStore(
            f"{path} is damaged: its bytes do not match its digest; check() sets it aside."
        )
    try:
        table = pa.parquet.read_table(pa.BufferReader(data), page_checksum_verification=True)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        raise DamagedStore(f"{path} is damaged: {error}; check() sets it aside.") from error
    if not table.schema.equals(schema("", ""), check_metadata=False):
        raise DamagedStore(f"{path} is no shard of results: it has other columns.")
    return table


def run_of_shard(path: Path, digest: str) -> tuple[str, str]:
    """Return the run id and settings for which a sound file was written."""
    found = _table(path, digest).schema.metadata or {}
    return found.get(RUN, b"").decode(errors="replace"), found.get(SETTINGS, b"").decode(
        errors="replace"
    )


def digest_in_name(path: Path) -> str:
    return path.stem.rpartition("-")[2]


def is_sound(path: Path, digest: str) -> bool:
    """Return whether the file exists and its bytes have this digest."""
    try:
        with path.open("rb") as file:
            return (
                hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
                == digest
            )
    except FileNotFoundError:
        return False


def in_order(shards: Iterable[Entry]) -> Iterator[list[Entry]]:
    """Yield groups of shards by number; shards with overlapping numbers share a group.

    So a reader keeps only the shards of one group in memory at a time.
    """
    together: list[Entry] = []
    end = 0
    for shard in sorted(shards, key=lambda each: each.numbers.spans[0][0]):
        if together and shard.numbers.spans[0][0] > end:
            yield together
            together = []
        end = max(end, shard.numbers.spans[-1][1]) if together else shard.numbers.spans[-1][1]
        together.append(shard)
    if together:
        yield together


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
