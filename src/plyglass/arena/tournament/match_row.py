"""Match rows: what a store keeps of a match, and the data for tables."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Status = Literal["played", "illegal", "crashed", "hung", "overran", "quarantined", "void"]

# Made once: `json.dumps` with options makes a new encoder for every call.
_text = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class MatchRow:
    """The result of a match.

    The tournament's settings and the match's number determine the whole row, except the times and
    the code.

    Attributes:
        number: the match's index in the schedule.
        status: "played", or what went wrong. An agent played illegally ("illegal"), crashed
            ("crashed"), hung ("hung"), or exceeded its time budget in a match that reached its end
            ("overran"). Or the match killed its worker in every try ("quarantined"), or the rules
            failed ("void").
        offender: the seat at fault, or -1.
        scores: the scores by seat; empty if the match was not played to its end.
        steps: the number of actions that were played.
        digest: a hash of the actions; an equal replay has the same hash.
        seconds: the CPU time of the match.
        measures: the measured values by name; `name@0` belongs to the first seat, and a plain name
            to the match.
        seat_seconds: the total seconds of each seat's decisions; empty if the match was not played
            to its end.
        code: the version of the code that played the match (see `arena.code_version`); empty if
            unknown.
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
        """Whether the match was played to its end, and so has scores."""
        return self.status in ("played", "overran")

    @property
    def canonical(self) -> str:
        """The row without times and code, as text. Equal rows give equal texts."""
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
    """Return a digest of 16 bytes over the actions of a match."""
    seal = hashlib.blake2b(digest_size=16)
    for action in actions:
        seal.update(int(action).to_bytes(4, "little"))
    return seal.hexdigest()


def digest_of_rows(rows: Iterable[MatchRow]) -> str:
    """Return one digest over rows, by number and without times; equal rows give equal digests."""
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
