"""Matches one after the other, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from plyglass.arena.runners.protocol import Chunk, Lost, Played
from plyglass.arena.settings import Settings
from plyglass.arena.work import play_match


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
