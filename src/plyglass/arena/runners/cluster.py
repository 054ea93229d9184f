"""The Ray runner, on one machine or many.

The environment variable `RAY_ADDRESS` names a cluster. Without this variable, Ray starts on this
machine. Ray does not retry a lost chunk. The chunk goes back to the driver, which counts tries for
every runner. The driver also writes the results, so the store is outside the cluster and survives a
failed cluster.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from plyglass.arena.runners.guardian import start_guardian
from plyglass.arena.runners.protocol import Chunk, Lost, Played
from plyglass.arena.tournament.measures import MeasureFailed
from plyglass.arena.tournament.note import Note
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import text_of, told_match, told_of, warm, watching

WINDOW = 3  # chunks for each worker
PATIENCE = 1.0  # seconds between two checks of pending chunks
ANSWER_SECONDS = 30.0  # to wait for an answer from the actor with the notes, even if it restarts
LATER = 10.0  # the seconds that a watchdog process waits longer than the worker's own thread

_kept = contextlib.ExitStack()  # what a worker keeps until it ends


class Cluster:
    """Plays each chunk as a task of Ray."""

    def __init__(self, workers: int, match_seconds: float, address: str | None = None) -> None:
        self.workers = workers
        self._match_seconds = match_seconds
        self._address = address

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        ray = start_ray(self.workers, self._address)
        _warm_nodes(ray, canonical)
        # The actor's process may die like any other. Ray then restarts it, and only old notes are
        # lost.
        notes = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Notes).remote()
        play = ray.remote(num_cpus=1, max_retries=0)(play_on_cluster)
        pending: dict[Any, Chunk] = {}
        try:
            while True:
                while len(pending) < WINDOW * self.workers and (chunk := next_chunk()) is not None:
                    pending[play.remote(canonical, chunk, self._match_seconds, notes)] = chunk
                if not pending:
                    return
                done, _ = ray.wait(list(pending), num_returns=1, timeout=PATIENCE)
                for reference in done:
                    yield _answer(ray, reference, pending.pop(reference), notes)
        finally:
            for reference in pending:
                ray.cancel(reference, force=True)


def start_ray(workers: int, address: str | None = None) -> Any:
    """Connect to the cluster at `address` or `RAY_ADDRESS`, or start Ray on this machine."""
    try:
        import ray
    except ImportError:
        raise RuntimeError("The Ray runner needs Ray: pip install 'plyglass[ray]'.") from None
    address = address or os.environ.get("RAY_ADDRESS")
    if not ray.is_initialized():
        local: dict[str, Any] = {} if address else {"num_cpus": workers, "include_dashboard": False}
        if local:
            _guardian_of_this_process()
        _connect(ray, address=address or "local", **local)
    return ray


def _connect(ray: Any, **options: Any) -> None:
    """Start Ray or connect to it, with two tries, because a busy machine can be too slow.

    Ray raises a plain `Exception` if a part of it does not start in time.
    """
    for last_try in (False, True):
        try:
            ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
        except Exception as fault:
            ray.shutdown()
            if last_try:
                said = next(iter(str(fault).splitlines()), type(fault).__name__)
                raise RuntimeError(
                    f"Ray did not start: {said} Finished matches are kept; run the same command "
                    "again to continue."
                ) from fault
        else:
            return


@functools.cache
def _guardian_of_this_process() -> Any:
    """Return one guardian for all clusters of this process, kept until the process ends."""
    return start_guardian()


class Notes:
    """A Ray actor that notes which matches hung and, in chunks of one match, the seat to move."""

    def __init__(self) -> None:
        self._seats: dict[int, int] = {}
        self._hung: dict[int, int] = {}

    def turn(self, number: int, seat: int) -> None:
        self._seats[number] = seat

    def hung(self, number: int, seat: int) -> None:
        self._hung[number] = seat

    def of(self, numbers: Chunk) -> tuple[int | None, int, bool]:
        """Return (match in progress, seat to move, whether the match hung), and forget the note."""
        for number in numbers:
            if number in self._hung:
                return number, self._hung.pop(number), True
        alone = numbers[0] if len(numbers) == 1 else None
        return alone, -1 if alone is None else self._seats.pop(alone, -1), False


class Heart:
    """The last step of this worker, and a thread that ends the worker if no step follows in time.

    The thread runs only while other Python code lets it run. If some code does not release the
    interpreter, a watchdog process ends the worker a little later.
    """

    def __init__(
        self, settings: Settings, numbers: Chunk, match_seconds: float, notes: Any
    ) -> None:
        self._notes, self._alone = notes, len(numbers) == 1
        self._patience, self._note = settings.patience, _note_of_this_process(settings.canonical)
        self._end = time.monotonic() + match_seconds * len(numbers)
        self._last = numbers[0], -1, time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def beat(self, number: int, seat: int) -> None:
        """Note that match `number` made a step, and that `seat` decides next."""
        self._last = number, seat, time.monotonic()
        if self._note is not None:
            self._note.write(number, seat)
        if self._alone:
            _told(self._notes.turn.remote(number, seat))

    def stop(self) -> None:
        self._over.set()
        if self._note is not None:
            self._note.write(-1)

    def _watch(self) -> None:
        while not self._over.wait(min(1.0, self._patience / 10)):
            number, seat, since = self._last
            hangs = time.monotonic() - since >= self._patience
            if hangs or time.monotonic() >= self._end:
                # a chunk's time can end during a match that is no slower than the other matches
                if hangs or self._alone:
                    _told(self._notes.hung.remote(number, seat))
                os._exit(1)


def play_on_cluster(
    canonical: str, numbers: Chunk, match_seconds: float, notes: Any
) -> tuple[list[str], float]:
    """Return a chunk's rows as text, and its seconds; a worker that takes too long ends itself."""
    warm(canonical)
    began, settings = time.perf_counter(), Settings.from_canonical(canonical)
    heart = Heart(settings, numbers, match_seconds, notes)
    texts = []
    try:
        for number in numbers:
            heart.beat(number, -1)
            told = told_match(settings, number, functools.partial(heart.beat, number))
            texts.append(text_of(told.row, told.about, told.why))
    finally:
        heart.stop()
    return texts, time.perf_counter() - began


def _told(reference: Any) -> Any:
    """Return the actor's answer, or None if the actor's process has just died."""
    import ray

    try:
        return ray.get(reference, timeout=ANSWER_SECONDS)
    except (ray.exceptions.RayError, TimeoutError):
        return None


@functools.lru_cache(maxsize=1)
def _note_of_this_process(canonical: str) -> Note | None:
    """Return the note for this worker's watchdog, which runs as long as the worker."""
    settings, advice = Settings.from_canonical(canonical), "The worker is replaced."
    return _kept.enter_context(watching(settings, advice, settings.patience + LATER))


def _warm_nodes(ray: Any, canonical: str) -> None:
    """Fill the compile cache of every node once, before its workers start."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    task = ray.remote(num_cpus=1)(warm)
    nodes = [
        node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
    ]
    for node in nodes:
        strategy = NodeAffinitySchedulingStrategy(node, soft=True)
        try:
            ray.get(task.options(scheduling_strategy=strategy).remote(canonical))
        except ray.exceptions.RayTaskError as error:  # says what is wrong with the settings
            raise error.cause from None
        except ray.exceptions.RayError:  # a worker died; the next one warms up for itself
            continue


def _answer(ray: Any, reference: Any, chunk: Chunk, notes: Any) -> Played | Lost:
    try:
        texts, seconds = ray.get(reference)
    except ray.exceptions.RayError as error:
        if isinstance(getattr(error, "cause", None), MeasureFailed):
            raise error.cause from None
        number, seat, hung = _told(notes.of.remote(chunk)) or (None, -1, False)
        return Lost(chunk, number, seat, hung)
    return Played.of([told_of(text) for text in texts], seconds)
