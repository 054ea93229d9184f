"""Ray: the same chunks on one machine or a thousand. Start it with an address, or let it start itself on this machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

from plyglass.arena.runners.processes import timed_chunk
from plyglass.arena.runners.protocol import Chunk, Lost, Played
from plyglass.arena.work import row_of, warm

WINDOW = 3  # chunks on their way for each worker


class Cluster:
    """Tasks on Ray, one for each chunk.

    A lost task is not retried by Ray but handed back, so that tries are counted in one place whoever runs the matches.
    """

    def __init__(self, workers: int, match_seconds: float, address: str | None = None) -> None:
        self.workers = workers
        self._match_seconds = match_seconds
        self._address = address or os.environ.get("RAY_ADDRESS")

    def events(self, canonical: str, next_chunk: Callable[[], Chunk | None]) -> Iterator[Played | Lost]:
        ray = self._started()
        _warm_nodes(ray, canonical)
        play = ray.remote(num_cpus=1, max_retries=0)(timed_chunk)
        pending: dict[Any, Chunk] = {}
        while True:
            while len(pending) < WINDOW * self.workers and (chunk := next_chunk()) is not None:
                pending[play.remote(canonical, chunk, None)] = chunk
            if not pending:
                return
            done, _ = ray.wait(list(pending), num_returns=1, timeout=1.0)
            for reference in done:
                yield _answer(ray, reference, pending.pop(reference))

    def _started(self) -> Any:
        try:
            import ray
        except ImportError:
            raise RuntimeError("The Ray runner needs Ray: pip install 'plyglass[ray]'.") from None
        if not ray.is_initialized():
            local: dict[str, Any] = {} if self._address else {"num_cpus": self.workers, "include_dashboard": False}
            ray.init(address=self._address, logging_level=logging.ERROR, log_to_driver=False, **local)
        return ray


def _warm_nodes(ray: Any, canonical: str) -> None:
    """Fill the compile cache of every node once, before its workers fan out."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    task = ray.remote(num_cpus=1)(warm)
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    ray.get([task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=True)).remote(canonical) for node in nodes])


def _answer(ray: Any, reference: Any, chunk: Chunk) -> Played | Lost:
    try:
        texts, seconds = ray.get(reference)
    except ray.exceptions.RayError:
        return Lost(chunk, chunk[0] if len(chunk) == 1 else None, -1, False)
    return Played(tuple(row_of(text) for text in texts), seconds)
