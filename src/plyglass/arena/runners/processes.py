"""A pool of worker processes on this machine, made with the library pebble.

A dead worker loses only its own chunk.
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from plyglass.arena.match.sandbox import die_with_parent
from plyglass.arena.runners.protocol import Chunk, Lost, Played
from plyglass.arena.tournament.work import play_chunk, read_note, row_of, warm

WINDOW = 2  # chunks for each worker: one in progress, one waiting
GLANCE = 1.0  # seconds without an answer until the pool itself is checked
WORKER_BYTES = 4 << 30  # address space; an agent that needs more gets a MemoryError


class Processes:
    """Worker processes, which are spawned and therefore inherit no state."""

    def __init__(self, workers: int, match_seconds: float) -> None:
        self.workers = workers
        self._match_seconds = match_seconds

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        try:
            from pebble import ProcessPool
        except ImportError:
            raise RuntimeError(
                "The process runner needs pebble: pip install 'plyglass[arena]'."
            ) from None
        warm(canonical)
        pending: dict[Any, tuple[Chunk, Path]] = {}
        orphaned: deque[Chunk] = deque()
        with tempfile.TemporaryDirectory() as folder:
            while True:
                pool: Any = ProcessPool(
                    self.workers,
                    initializer=prepare_worker,
                    initargs=(canonical,),
                    context=multiprocessing.get_context("spawn"),
                )
                try:
                    yield from self._answers(
                        pool,
                        canonical,
                        lambda: orphaned.popleft() if orphaned else next_chunk(),
                        Path(folder),
                        pending,
                    )
                # A worker died before it began a chunk: start again with what was pending.
                except BrokenProcessPool:
                    orphaned.extend(chunk for chunk, _ in pending.values())
                    pending.clear()
                else:
                    return
                finally:
                    pool.stop()
                    pool.join(timeout=10)

    def _answers(
        self,
        pool: Any,
        canonical: str,
        next_chunk: Callable[[], Chunk | None],
        folder: Path,
        pending: dict[Any, tuple[Chunk, Path]],
    ) -> Iterator[Played | Lost]:
        while True:
            while len(pending) < WINDOW * self.workers and (chunk := next_chunk()) is not None:
                note = folder / f"{chunk[0]}-{len(chunk)}"
                # The time of a chunk is that of its matches, and starts when a worker begins it.
                seconds = self._match_seconds * len(chunk)
                pending[_scheduled(pool, (canonical, chunk, str(note)), seconds)] = chunk, note
            if not pending:
                return
            done, _ = concurrent.futures.wait(pending, GLANCE, concurrent.futures.FIRST_COMPLETED)
            # A pool that breaks forgets chunks that no worker has yet.
            if not done and not pool.active:
                raise BrokenProcessPool("the pool forgot its tasks")
            for future in done:
                answer = _answer(future, *pending[future])
                del pending[future]
                yield answer


def _scheduled(pool: Any, arguments: tuple[Any, ...], seconds: float) -> Any:
    try:
        return pool.schedule(timed_chunk, args=arguments, timeout=seconds)
    except RuntimeError as error:  # the pool broke since the last answer
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_exception(BrokenProcessPool(str(error)))
        return future


def _answer(future: Any, chunk: Chunk, note: Path) -> Played | Lost:
    from pebble import ProcessExpired

    try:
        texts, seconds = future.result()
    except BrokenProcessPool:
        raise
    except (ProcessExpired, TimeoutError, concurrent.futures.CancelledError) as error:
        number, seat = read_note(note)
        return Lost(chunk, number, seat, isinstance(error, TimeoutError))
    finally:
        note.unlink(missing_ok=True)
    return Played(tuple(row_of(text) for text in texts), seconds)


def timed_chunk(canonical: str, numbers: Chunk, note: str) -> tuple[list[str], float]:
    """Return the rows of a chunk as text, and the seconds that it took."""
    began = time.perf_counter()
    return play_chunk(canonical, numbers, note), time.perf_counter() - began


def prepare_worker(canonical: str) -> None:
    """Prepare a worker before its first match is timed.

    A worker ends when its driver is killed, and has a limit of memory. Only the driver handles
    Ctrl-C.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        import resource

        die_with_parent()
        if os.getppid() == 1:
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_AS, (WORKER_BYTES, WORKER_BYTES))
    warm(canonical)
