"""What a store is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self

from plyglass.arena.store.ranges import Ranges
from plyglass.arena.tournament.match_row import MatchRow


class StoreError(RuntimeError):
    """A store that cannot be used as asked; the sentence names the file."""


class DamagedStore(StoreError):
    """Something that was read is not what had been written; `check()` sets it aside."""


@dataclass(frozen=True)
class Damage:
    """Something that was found damaged.

    Attributes:
        file: the file.
        done: what was wrong with it and what was done about it.
        numbers: the matches known to be lost by it, which have to be played again. A file that
            cannot be read does not tell them; `Store.numbers().missing(...)` always does.
    """

    file: Path
    done: str
    numbers: Ranges = field(default_factory=Ranges)


class Store(Protocol):
    """The results of one run. A store is created for a run id and refuses any other."""

    @property
    def settings(self) -> str:
        """The settings of the run, as they were given when the store was created."""

    def add(self, rows: Iterable[MatchRow]) -> int:
        """Store rows whose number is not stored yet; they are safe from a killed process on return.
        Returns how many were new.

        A row whose number is stored is left out, whatever it says: the first result of a match is
        the one that counts.
        """

    def numbers(self) -> Ranges:
        """The numbers of the stored matches. Exact after `check()`."""

    def rows(self) -> Iterator[MatchRow]:
        """All rows in the order of their numbers. Raises `DamagedStore` rather than return a row
        that is not what had been added.
        """

    def check(self) -> list[Damage]:
        """Verify every row, set aside what is damaged, and return all that was found since the
        store was opened.
        """

    def close(self) -> None:
        """Let go of all files."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: Any) -> None: ...
