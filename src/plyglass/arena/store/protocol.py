"""The protocol of a store, its errors, and the damage that a store finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from plyglass.arena.store.ranges import Ranges
from plyglass.arena.tournament.match_row import MatchRow


class StoreError(RuntimeError):
    """A store cannot do what was requested; the message names the file."""


class DamagedStore(StoreError):
    """The data of a store differs from what was written; `check()` sets damaged files aside."""


@dataclass(frozen=True)
class Damage:
    """Damage to a file.

    Attributes:
        file: the damaged file.
        done: what was wrong with the file, and what was done about it.
        numbers: the matches that are known to be lost and must be played again. An unreadable file
            does not reveal its matches, but `Store.numbers().missing(...)` always lists them.
    """

    file: Path
    done: str
    numbers: Ranges = field(default_factory=Ranges)


class Store(Protocol):
    """The results of one run; a store is created for a run id, and refuses any other run."""

    @property
    def settings(self) -> str:
        """The settings of the run, as they were given when the store was created."""

    def add(self, rows: Iterable[MatchRow]) -> int:
        """Store rows whose number is not stored yet, and return how many were new.

        After the call, the rows survive a killed process. If the number of a row is already stored,
        the row is ignored, even if it differs from the stored row. The first result of a match
        counts.
        """

    def numbers(self) -> Ranges:
        """Return the numbers of the stored matches, which are exact only after `check()`."""

    def rows(self) -> Iterator[MatchRow]:
        """Yield all rows by number; raise `DamagedStore` if a row was changed."""

    def check(self) -> list[Damage]:
        """Verify every row, set damaged files aside, and return all damage found since opening."""

    def close(self) -> None:
        """Release all files."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: Any) -> None: ...
