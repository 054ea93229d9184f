"""A match row as values of a table, with a seal that reveals a flipped bit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from plyglass.arena.tournament.match_row import MatchRow, Status

# Made once: `json.dumps` with options makes a new encoder for every call.
_text = json.JSONEncoder(separators=(",", ":")).encode
_value = json.JSONDecoder().raw_decode
_name = lru_cache(maxsize=1024)(_text)


class Columns(NamedTuple):
    """The values of a row in a table; `scores`, `measures` and `seat_seconds` are JSON."""

    number: int
    status: str
    offender: int
    scores: str
    steps: int
    digest: str
    seconds: float
    measures: str
    seat_seconds: str
    code: str


def columns_of(row: MatchRow) -> Columns:
    """Return the values of a row.

    Scores, measures and times become floats, so every kind of store gives the same table.
    """
    pairs = [f"{_name(name)}:{_number(value)}" for name, value in sorted(row.measures.items())]
    measures = f"{{{','.join(pairs)}}}"
    return Columns(
        int(row.number),
        str(row.status),
        int(row.offender),
        _numbers(row.scores),
        int(row.steps),
        str(row.digest),
        float(row.seconds),
        measures,
        _numbers(row.seat_seconds),
        str(row.code),
    )


def _numbers(values: Iterable[float]) -> str:
    return f"[{','.join([_number(value) for value in values])}]"


def _number(value: float) -> str:
    """Return a number as JSON, faster than the encoder; a driver writes many rows a second."""
    text = repr(float(value))
    return _text(float(value)) if "n" in text else text  # JSON has other names for nan and inf


def row_of(columns: Columns) -> MatchRow:
    """Return the row with these values."""
    number, status, offender, scores, steps, digest, seconds, measures, seat_seconds, code = columns
    # One call is quicker than three.
    (points, measured, times), _ = _value(f"[{scores},{measures},{seat_seconds}]")
    return MatchRow(
        number,
        cast(Status, status),
        offender,
        tuple(points),
        steps,
        digest,
        seconds,
        measured,
        tuple(times),
        code,
    )


class Seal:
    """Seals the rows of one run.

    A seal no longer matches if one bit of its row has changed, or if its row is put into another
    run.
    """

    def __init__(self, run_id: str) -> None:
        self._start = hashlib.blake2b(run_id.encode(), digest_size=8)

    def __call__(self, values: tuple[Any, ...]) -> bytes:
        """Return the seal of a plain tuple.

        `ascii` distinguishes 1, 1.0, "1" and b"1", and gives the same text on every version of
        Python.
        """
        seal = self._start.copy()
        seal.update(ascii(values).encode())
        return seal.digest()
