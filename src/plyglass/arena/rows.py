"""One row per match: what a store keeps and a table is made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["played", "illegal", "crashed", "hung", "quarantined"]


@dataclass(frozen=True)
class Row:
    """The result of a match.

    Attributes:
        number: the match's place in the schedule.
        status: "played", or what went wrong: an agent played illegally, crashed or hung, or the match killed its worker each time.
        offender: the seat that is to blame, or -1.
        scores: by seat; of a match that was not played to the end, none.
        steps: how many actions were played.
        digest: a hash of the actions, by which a replay is recognised.
        seconds: the CPU time it took; the only part that is not determined by settings and number.
        measures: whatever was measured, by name.
    """

    number: int
    status: Status
    offender: int
    scores: tuple[float, ...]
    steps: int
    digest: str
    seconds: float = field(default=0.0, compare=False)
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def canonical(self) -> str:
        """The row without its time, as text that is the same for equal rows."""
        values: list[Any] = [self.number, self.status, self.offender, self.scores, self.steps, self.digest, sorted(self.measures.items())]
        return json.dumps(values, separators=(",", ":"))


def digest_of_actions(actions: Iterable[int]) -> str:
    """16 bytes that tell one course of a match from another."""
    seal = hashlib.blake2b(digest_size=16)
    for action in actions:
        seal.update(int(action).to_bytes(4, "little"))
    return seal.hexdigest()


def digest_of_rows(rows: Iterable[Row]) -> str:
    """One digest over rows in the order of their numbers, times left out: equal for equal tables."""
    table = TableDigest()
    for row in sorted(rows, key=lambda row: row.number):
        table.add(row)
    return table.text


class TableDigest:
    """The digest of a table whose rows come one by one, in the order of their numbers."""

    def __init__(self) -> None:
        self._seal = hashlib.blake2b(digest_size=16)

    def add(self, row: Row) -> None:
        self._seal.update(row.canonical.encode())

    @property
    def text(self) -> str:
        return self._seal.hexdigest()
