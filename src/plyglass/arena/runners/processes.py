"""A pool of worker processes on this machine, made with the library pebble.

A dead worker loses only its own chunk.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

from plyglass.arena.match.sandbox import die_with_parent
from plyglass.arena.runners.guardian import guarded_children, is_child
from plyglass.arena.runners.protocol import Chunk, Lost, Played
from plyglass.arena.tournament.note import Note, read_note
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_chunk, told_of, warm

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
        watch = Watch(Settings.from_canonical(canonical).patience)
        pending: dict[Any, tuple[Chunk, Path]] = {}
        orphaned: deque[Chunk] = deque()
        with tempfile.TemporaryDirectory() as folder, guarded_children():
            while True:
                with _deaf_to_interrupts():
                    pool: Any = ProcessPool(
                        self.workers,
                        initializer=prepare_worker,
                        initargs=(canonical, os.getpid()),
                        context=multiprocessing.get_context("spawn"),
                    )
                try:
                    yield from self._answers(
                        pool,
                        canonical,
                        lambda: orphaned.popleft() if orphaned else next_chunk(),
                        Path(folder),
                        pending,
                        watch,
                    )
                # A worker died before it began a chunk, so start again with the pending chunks.
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
        watch: Watch,
    ) -> Iterator[Played | Lost]:
        while True:
            while len(pending) < WINDOW * self.workers and (chunk := next_chunk()) is not None:
                note = folder / f"{chunk[0]}-{len(chunk)}"
                # A chunk's time limit is the sum of its matches' limits, and starts when a worker
                # begins it.
                seconds = self._match_seconds * len(chunk)
                pending[_scheduled(pool, (canonical, chunk, str(note)), seconds)] = chunk, note
            if not pending:
                return
            done, _ = concurrent.futures.wait(pending, GLANCE, concurrent.futures.FIRST_COMPLETED)
            # A pool that breaks forgets chunks that no worker has yet.
            if not done and not pool.active:
                raise BrokenProcessPool("the pool forgot its tasks")
            watch.end_hung(note for future, (_, note) in pending.items() if future not in done)
            for future in done:
                answer = _answer(future, *pending[future], watch)
                del pending[future]
                yield answer


class Watch:
    """Ends workers whose match has made no step for `patience` seconds."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._beats: dict[Path, tuple[int, float]] = {}  # last count of steps, and its time
        self._hung: set[Path] = set()

    def end_hung(self, notes: Iterable[Path]) -> None:
        """Read the notes of all chunks in progress, and kill the workers whose match hangs."""
        now = time.monotonic()
        for path in notes:
            noted = read_note(path)
            if noted is None or noted.number < 0:
                continue
            beats, since = self._beats.get(path, (-1, now))
            if noted.beats != beats:
                self._beats[path] = noted.beats, now
            elif now - since >= self._patience and is_child(noted.process):
                self._hung.add(path)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(noted.process, signal.SIGKILL)

    def forget(self, path: Path) -> bool:
        """Forget a chunk; return whether it was ended because a match hung."""
        self._beats.pop(path, None)
        hung = path in self._hung
        self._hung.discard(path)
        return hung


def _scheduled(pool: Any, arguments: tuple[Any, ...], seconds: float) -> Any:
    try:
        with _deaf_to_interrupts():  # the first chunk starts threads, which start workers
            return pool.schedule(timed_chunk, args=arguments, timeout=seconds)
    except RuntimeError as error:  # the pool broke since the last answer
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_exception(BrokenProcessPool(str(error)))
        return future


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Hide Ctrl-C from threads and processes that start within the block.

    Threads and processes inherit the set of blocked signals. Without this block, a worker that is
    just starting would print a traceback at Ctrl-C, because it cannot ignore the signal yet.
    """
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    former = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


def _answer(future: Any, chunk: Chunk, note: Path, watch: Watch) -> Played | Lost:
    from pebble import ProcessExpired

    hung = watch.forget(note)
    try:
        texts, seconds = future.result()
    except BrokenProcessPool:
        raise
    except (ProcessExpired, TimeoutError, concurrent.futures.CancelledError) as error:
        noted = read_note(note)
        if noted is None or noted.number < 0:
            return Lost(chunk, None, -1, False)
        late = isinstance(error, TimeoutError)
        # A chunk's time can end during a match that is no slower than the other matches.
        seat = noted.seat if hung or len(chunk) == 1 else -1
        return Lost(chunk, noted.number, seat, hung or late)
    finally:
        note.unlink(missing_ok=True)
    return Played.of([told_of(text) for text in texts], seconds)


def timed_chunk(canonical: str, numbers: Chunk, note: str) -> tuple[list[str], float]:
    """Return the rows of a chunk as text, and the seconds that it took."""
    began = time.perf_counter()
    noted = Note.at(note)
    try:
        return play_chunk(canonical, numbers, noted), time.perf_counter() - began
    finally:
        noted.close()


def prepare_worker(canonical: str, driver: int) -> None:
    """Prepare a worker before its first match is timed."""
    isolate_worker(driver)
    warm(canonical)


def isolate_worker(driver: int) -> None:
    """Keep a worker from outliving a killed driver and from using all memory.

    Only the driver handles Ctrl-C. A worker's standard output goes to standard error, because a
    player's output must not mix with the driver's output.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)
    if sys.platform == "linux":
        import resource

        die_with_parent()
        if os.getppid() != driver:
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_AS, (WORKER_BYTES, WORKER_BYTES))
