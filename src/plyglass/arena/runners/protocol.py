"""Messages between the driver of a tournament and its runners, and the simplest runner."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import Told, noted_match, watching

Chunk = tuple[int, ...]
HANG_ADVICE = (
    "`hang_seconds` in the settings gives it longer. With --runner processes the run continues."
)


@dataclass(frozen=True)
class Played:
    """Rows of matches that were played, and the seconds that the worker took."""

    rows: tuple[MatchRow, ...]
    seconds: float
    told: tuple[Told, ...] = ()

    @staticmethod
    def of(matches: Sequence[Told], seconds: float) -> Played:
        """Return the event with the rows of these matches."""
        told = tuple(each for each in matches if each.why)
        return Played(tuple(each.row for each in matches), seconds, told)


@dataclass(frozen=True)
class Lost:
    """A chunk that died with its worker.

    Attributes:
        numbers: the matches of the chunk.
        running: the match that was in progress, or None if that is not known.
        seat: the seat to move in the running match, or -1 if that is not known.
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

        `next_chunk` is called whenever a worker is free. It returns None if no chunk is available
        now, but a later call may return a chunk that was lost. The iterator ends when no chunk is
        left and every chunk is answered. Closing the iterator stops the runner.
        """
        ...


class Serial:
    """Plays matches one after the other in this process; a crash of an agent also ends the process.

    If a user's own code takes part, a watchdog ends this process when a match hangs.
    """

    workers = 1

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        settings = Settings.from_canonical(canonical)
        with watching(settings, HANG_ADVICE) as note:
            while (chunk := next_chunk()) is not None:
                began = time.perf_counter()
                told = [noted_match(settings, number, note) for number in chunk]
                if note:
                    note.write(-1)
                yield Played.of(told, time.perf_counter() - began)
