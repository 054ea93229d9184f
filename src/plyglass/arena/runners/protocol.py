"""Messages between the driver of a tournament and its runners, and the simplest runner."""

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
    """Rows of matches that were played, and the seconds that the worker took."""

    rows: tuple[MatchRow, ...]
    seconds: float


@dataclass(frozen=True)
class Lost:
    """A chunk that died with its worker.

    Attributes:
        numbers: the matches of the chunk.
        running: the match that was in progress, if that is known.
        seat: the seat to move in it, or -1 if that is not known.
        hung: whether the chunk was stopped because it took too long.
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
        """Play chunks of the tournament that `canonical` describes.

        `next_chunk` is called whenever a worker is free. `next_chunk` returns None if no chunk is
        available now; a chunk that is lost later may come again. The iterator ends when no chunk is
        left and every chunk is answered. Closing the iterator stops the runner.
        """
        ...


class Serial:
    """Plays matches one after the other in this process; a crashing agent also ends the process."""

    workers = 1

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        settings = Settings.from_canonical(canonical)
        while (chunk := next_chunk()) is not None:
            began = time.perf_counter()
            rows = tuple(play_match(settings, number) for number in chunk)
            yield Played(rows, time.perf_counter() - began)
