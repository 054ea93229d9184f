"""Independent tasks on the runners of the arena: this process, a pool of processes, or Ray.

A task is a call of one function. Answers come in any order. A task whose worker died is repeated.
"""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from plyglass.arena.runners.cluster import start_ray
from plyglass.arena.runners.processes import isolate_worker
from plyglass.core.refusals import refuse_other

RUNNERS = ("serial", "processes", "ray")
TRIES = 4  # of a task, or of a pool that makes no progress
Result = TypeVar("Result")


def done_tasks(
    function: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    *,
    runner: str,
    workers: int,
) -> Iterator[tuple[int, Result]]:
    """Call `function` with each tuple of arguments; yield (number of the task, result)."""
    refuse_other("runner", runner, RUNNERS)
    if runner == "ray":
        yield from _on_ray(function, tasks, workers)
    elif runner == "processes" and workers > 1:
        yield from _in_processes(function, tasks, workers)
    else:
        for number, task in enumerate(tasks):
            yield number, function(*task)


def _in_processes(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], workers: int
) -> Iterator[tuple[int, Result]]:
    missing, idle = dict(enumerate(tasks)), 0
    while missing:
        before = len(missing)
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(
            workers, context, initializer=isolate_worker, initargs=(os.getpid(),)
        ) as pool:
            try:
                waiting = {pool.submit(function, *missing[each]): each for each in missing}
                for done in concurrent.futures.as_completed(waiting):
                    result = done.result()
                    del missing[waiting[done]]
                    yield waiting[done], result
            except BrokenProcessPool:
                # a dead worker breaks its pool, so a new pool continues with the missing tasks
                idle = idle + 1 if len(missing) == before else 0
                if idle == TRIES:
                    raise
            except BaseException:
                for worker in [*(pool._processes or {}).values()]:  # they ignore Ctrl-C
                    worker.kill()
                raise


def _on_ray(
    function: Callable[..., Result], tasks: Sequence[tuple[Any, ...]], workers: int
) -> Iterator[tuple[int, Result]]:
    ray = start_ray(workers)
    remote, tries = ray.remote(num_cpus=1, max_retries=0)(function), Counter[int]()
    pending = {remote.remote(*task): number for number, task in enumerate(tasks)}
    try:
        while pending:
            for reference in ray.wait(list(pending), num_returns=1)[0]:
                number = pending.pop(reference)
                try:
                    result = ray.get(reference)
                except ray.exceptions.WorkerCrashedError:
                    tries[number] += 1
                    if tries[number] == TRIES:
                        raise
                    pending[remote.remote(*tasks[number])] = number
                else:
                    yield number, result
    finally:
        for reference in pending:
            ray.cancel(reference, force=True)
