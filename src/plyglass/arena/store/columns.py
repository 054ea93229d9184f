"""A row as the values of a table, and the seal by which a flipped bit in any of them is noticed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple, cast

from plyglass.arena.tournament.match_row import MatchRow, Status

_text = json.JSONEncoder(
    separators=(",", ":")
).encode  # made once: `json.dumps` with options makes a new one for every call
_value = json.JSONDecoder().raw_decode
_name = lru_cache(maxsize=1024)(_text)


class Columns(NamedTuple):
    """A row as plain values: what the columns of a table hold. `scores`, `measures` and
    `seat_seconds` are JSON.
    """

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
    """The values of a row. Scores, measures and times become floats, so that a table reads the
    same from every kind of store.
    """
    measures = f"{{{','.join([f'{_name(name)}:{_number(value)}' for name, value in sorted(row.measures.items())])}}}"
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
    """A number as JSON writes it, several times as fast as its encoder: a driver writes
    thousands of rows a second.
    """
    text = repr(float(value))
    return _text(float(value)) if "n" in text else text  # nan and inf have other names there


def row_of(columns: Columns) -> MatchRow:
    """The row with these values."""
    number, status, offender, scores, steps, digest, seconds, measures, seat_seconds, code = columns
    (points, measured, times), _ = _value(
        f"[{scores},{measures},{seat_seconds}]"
    )  # one call is quicker than three
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
    """Seals rows of one run: a row of another run, or one of which a bit has changed, has
    another seal.
    """

    def __init__(self, run_id: str) -> None:
        self._start = hashlib.blake2b(run_id.encode(), digest_size=8)

    def __call__(self, values: tuple[Any, ...]) -> bytes:
        """The seal of a plain tuple. `ascii` tells 1, 1.0, "1" and b"1" apart, and reads the
        same on every version of Python.
        """
        seal = self._start.copy()
        seal.update(ascii(values).encode())
        return seal.digest()
