"""The Ray runner, on one machine or many.

`RAY_ADDRESS` names a cluster; without it, Ray starts on this machine. Ray does not retry: a lost
chunk goes back to the driver, which counts tries for every runner. The driver also writes the
results, so the store is outside the cluster and survives it.
"""

from __future__ import annotations

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
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_chunk, play_match, row_of, text_of, warm

WINDOW = 3  # chunks for each worker
PATIENCE = 1.0  # seconds between two looks at pending chunks


class Cluster:
    """Plays each chunk as a task of Ray."""

    def __init__(self, workers: int, match_seconds: float, address: str | None = None) -> None:
        self.workers = workers
        self._match_seconds = match_seconds
        self._address = address or os.environ.get("RAY_ADDRESS")

    def events(
        self, canonical: str, next_chunk: Callable[[], Chunk | None]
    ) -> Iterator[Played | Lost]:
        ray = self._started()
        _warm_nodes(ray, canonical)
        notes = ray.remote(num_cpus=0)(Notes).remote()
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

    def _started(self) -> Any:
        try:
            import ray
        except ImportError:
            raise RuntimeError("The Ray runner needs Ray: pip install 'plyglass[ray]'.") from None
        if not ray.is_initialized():
            local: dict[str, Any] = (
                {} if self._address else {"num_cpus": self.workers, "include_dashboard": False}
            )
            if local:
                _guardian_of_this_process()
            ray.init(
                address=self._address or "local",
                logging_level=logging.ERROR,
                log_to_driver=False,
                **local,
            )
        return ray


@functools.cache
def _guardian_of_this_process() -> Any:
    """Return one guardian for all clusters of this process, kept until the process ends."""
    return start_guardian()


class Notes:
    """An actor that notes whose turn it is in matches played alone, and which take too long."""

    def __init__(self) -> None:
        self._seats: dict[int, int] = {}
        self._hung: set[int] = set()

    def turn(self, number: int, seat: int) -> None:
        self._seats[number] = seat

    def hung(self, number: int) -> None:
        self._hung.add(number)

    def of(self, number: int) -> tuple[int, bool]:
        """Return (seat to move, whether it hung); a note is read once."""
        told = self._seats.pop(number, -1), number in self._hung
        self._hung.discard(number)
        return told


def play_on_cluster(
    canonical: str, numbers: Chunk, match_seconds: float, notes: Any
) -> tuple[list[str], float]:
    """Return a chunk's rows as text and its seconds; a worker that takes too long ends itself."""
    warm(canonical)
    began = time.perf_counter()
    watchdog = threading.Timer(match_seconds * len(numbers), _end, (numbers, notes))
    watchdog.daemon = True
    watchdog.start()
    try:
        texts = (
            play_chunk(canonical, numbers)
            if len(numbers) > 1
            else [_play_alone(canonical, numbers[0], notes)]
        )
    finally:
        watchdog.cancel()
    return texts, time.perf_counter() - began


def _play_alone(canonical: str, number: int, notes: Any) -> str:
    import ray

    def note(seat: int) -> None:
        ray.get(notes.turn.remote(number, seat))

    return text_of(play_match(Settings.from_canonical(canonical), number, note))


def _end(numbers: Chunk, notes: Any) -> None:
    import ray

    if len(numbers) == 1:
        ray.get(notes.hung.remote(numbers[0]))
    os._exit(1)


def _warm_nodes(ray: Any, canonical: str) -> None:
    """Fill the compile cache of every node once, before its workers start."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    task = ray.remote(num_cpus=1)(warm)
    nodes = [
        node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")
    ]
    ray.get(
        [
            task.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)
            ).remote(canonical)
            for node in nodes
        ]
    )


def _answer(ray: Any, reference: Any, chunk: Chunk, notes: Any) -> Played | Lost:
    try:
        texts, seconds = ray.get(reference)
    except ray.exceptions.RayError as error:
        if isinstance(getattr(error, "cause", None), MeasureFailed):
            raise error.cause from None
        if len(chunk) > 1:
            return Lost(chunk, None, -1, False)
        seat, hung = ray.get(notes.of.remote(chunk[0]))
        return Lost(chunk, chunk[0], seat, hung)
    return Played(tuple(row_of(text) for text in texts), seconds)
