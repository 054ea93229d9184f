"""A row as the values of a table, and the seal by which a flipped bit in any of them is noticed."""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple, cast

from plyglass.arena.rows import Row, Status

_text = json.JSONEncoder(separators=(",", ":")).encode  # made once: `json.dumps` with options makes a new one for every call


class Columns(NamedTuple):
    """A row as plain values: what the columns of a table hold. `scores` and `measures` are JSON."""

    number: int
    status: str
    offender: int
    scores: str
    steps: int
    digest: str
    seconds: float
    measures: str


def columns_of(row: Row) -> Columns:
    """The values of a row. Scores and measures become floats, so that a table reads the same from every kind of store."""
    scores = _text([float(score) for score in row.scores])
    measures = _text({name: float(value) for name, value in sorted(row.measures.items())})
    return Columns(
        int(row.number), str(row.status), int(row.offender), scores, int(row.steps), str(row.digest), float(row.seconds), measures
    )


def row_of(columns: Columns) -> Row:
    """The row with these values."""
    number, status, offender, scores, steps, digest, seconds, measures = columns
    return Row(number, cast(Status, status), offender, tuple(json.loads(scores)), steps, digest, seconds, json.loads(measures))


class Seal:
    """Seals rows of one run: a row of another run, or one of which a bit has changed, has another seal."""

    def __init__(self, run_id: str) -> None:
        self._start = hashlib.blake2b(run_id.encode(), digest_size=8)

    def __call__(self, values: tuple[Any, ...]) -> bytes:
        """The seal of a plain tuple. `ascii` tells 1, 1.0, "1" and b"1" apart, and reads the same on every version of Python."""
        seal = self._start.copy()
        seal.update(ascii(values).encode())
        return seal.digest()
