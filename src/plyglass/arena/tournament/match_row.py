"""One row per match: what a store keeps and a table is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["played", "illegal", "crashed", "hung", "overran", "quarantined"]

_text = json.JSONEncoder(
    separators=(",", ":")
).encode  # made once: `json.dumps` with options makes a new one for every call


@dataclass(frozen=True)
class MatchRow:
    """The result of a match.

    Attributes:
        number: the match's place in the schedule.
        status: "played", or what went wrong: an agent played illegally, crashed or hung, took
            longer than its budget of time in a match that was played to its end ("overran"), or the
            match killed its worker each time.
        offender: the seat that is to blame, or -1.
        scores: by seat; of a match that was not played to the end, none.
        steps: how many actions were played.
        digest: a hash of the actions, by which a replay is recognised.
        seconds: the CPU time it took; this and `seat_seconds` are all that is not determined by
            settings and number.
        measures: whatever was measured, by name; `name@0` is of the first seat, a plain name of the
            match.
        seat_seconds: how long each seat took to decide, in all; of a match that was not played to
            the end, none.
        code: the code that played it, as `arena.code` tells it; empty where nobody noted it.
    """

    number: int
    status: Status
    offender: int
    scores: tuple[float, ...]
    steps: int
    digest: str
    seconds: float = field(default=0.0, compare=False)
    measures: Mapping[str, float] = field(default_factory=dict)
    seat_seconds: tuple[float, ...] = field(default=(), compare=False)
    code: str = field(default="", compare=False)

    @property
    def finished(self) -> bool:
        """Whether it was played to its end, and so has scores."""
        return self.status in ("played", "overran")

    @property
    def canonical(self) -> str:
        """The row without its times and its code, as text that is the same for equal rows."""
        values: list[Any] = [
            self.number,
            self.status,
            self.offender,
            self.scores,
            self.steps,
            self.digest,
            sorted(self.measures.items()),
        ]
        return _text(values)


def digest_of_actions(actions: Iterable[int]) -> str:
    """16 bytes that tell one course of a match from another."""
    seal = hashlib.blake2b(digest_size=16)
    for action in actions:
        seal.update(int(action).to_bytes(4, "little"))
    return seal.hexdigest()


def digest_of_rows(rows: Iterable[MatchRow]) -> str:
    """One digest over rows in the order of their numbers, times left out: equal for equal
    tables.
    """
    table = TableDigest()
    for row in sorted(rows, key=lambda row: row.number):
        table.add(row)
    return table.text


class TableDigest:
    """The digest of a table whose rows come one by one, in the order of their numbers."""

    def __init__(self) -> None:
        self._seal = hashlib.blake2b(digest_size=16)

    def add(self, row: MatchRow) -> None:
        self._seal.update(row.canonical.encode())

    @property
    def text(self) -> str:
        return self._seal.hexdigest()
