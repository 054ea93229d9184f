"""What the driver of a tournament and its runners say to each other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match

Chunk = tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """Rows of matches that were played, and the seconds that the worker took for them."""

    rows: tuple[MatchRow, ...]
    seconds: float


@dataclass(frozen=True)
class Lost:
    """A chunk that died with its worker.

    Attributes:
        numbers: the matches of the chunk whose rows did not arrive.
        running: the one that was in progress, if that is known.
        seat: the seat that was to move in it, or -1 if that is not known.
        hung: whether it was stopped for taking too long.
    """

    numbers: Chunk
    running: int | None
    seat: int
    hung: bool


class Runner(Protocol):
    """Plays chunks of matches."""

    workers: int

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        """Play chunks of the settings that `canonical` stands for.

        `next_chunk` is asked whenever a worker is free, and says None when there is nothing for
        now: a chunk that is lost later may come again. It ends when there is nothing and all is
        answered. Closing the iterator stops it.
        """
        ...


# Matches one after the other, in this process.


class Serial:
    """No workers, no overhead, no protection from an agent that takes the process down."""

    workers = 1

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        settings = Settings.from_canonical(canonical)
        while (chunk := next_chunk()) is not None:
            began = time.perf_counter()
            rows = tuple(play_match(settings, number) for number in chunk)
            yield Played(rows, time.perf_counter() - began)
