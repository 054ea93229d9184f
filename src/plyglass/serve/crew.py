"""The crew: worker processes, each with a pipe, and the jobs that they do.

A worker does one job at a time. While it works, it may send events for a stream. At the end, it
sends the answer. If nobody waits for the answer any more, the worker is asked to stop. If a job
does not end in time, its worker is killed and replaced. A worker that compiles an agent which
nobody has asked for before gets up to a minute. Its request is refused at the deadline, and a later
request finds the agent compiled.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from typing import Any

from plyglass.serve import work
from plyglass.serve.protocol import Refused
from plyglass.serve.settings import Settings

GRACE = 0.25  # seconds after the deadline until a worker is killed
COMPILING = 60.0  # seconds after its first kernel in which a job may compile
BETWEEN = 2.0  # seconds until a worker whose deadline is over must compile the next kernel or end
PAUSE = 1.0  # seconds before a worker that died while it was starting is replaced
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}  # the environment of workers that get views from callers
log = logging.getLogger("plyglass.serve")


@dataclass(eq=False)
class Job:
    """One piece of work.

    Attributes:
        values: the message for the worker.
        deadline: when the answer must be ready, by the clock of the event loop.
        asked: the seconds of search that the request asks for.
        sort: a text. Jobs with the same text take about equally long.
        rank: the priority. The job with the lowest rank goes first.
        caller: whoever pays for the worker's time; unused by the crew.
        answer: the answer, or the reason why the request is refused.
        parts: the events to stream, and None after the last. Unused if nothing is streamed.
        grant: the seconds of search that the desk granted.
        submitted: when the desk took the job, by the clock of the event loop.
        started: when a worker took the job, by the clock of the event loop.
        compiles_until: when the job must have compiled everything; 0 if it compiles nothing.
    """

    values: dict[str, Any]
    deadline: float
    asked: float
    sort: str
    rank: int = 0
    caller: Any = None
    answer: asyncio.Future[dict[str, Any]] = field(default_factory=lambda: _future())
    parts: asyncio.Queue[dict[str, Any] | None] = field(default_factory=asyncio.Queue)
    grant: float = 0.0
    submitted: float = 0.0
    started: float = 0.0
    compiles_until: float = 0.0

    def end(self, found: dict[str, Any] | Refused) -> None:
        """Deliver the answer, or the refusal, to the request that waits for it."""
        if not self.answer.done():
            if isinstance(found, Refused):
                self.answer.set_exception(found)
            else:
                self.answer.set_result(found)
        self.parts.put_nowait(None)


@dataclass(eq=False)
class Worker:
    """A worker process, and its job if it has one."""

    process: Any
    pipe: Connection
    cancel: Any
    number: int = 0  # how many jobs the worker was given
    job: Job | None = None
    timer: asyncio.TimerHandle | None = None
    refusal: asyncio.TimerHandle | None = None
    late: bool = False
    is_ready: bool = False


class Crew:
    """All workers of a server.

    Attributes:
        games: descriptions of the games, from the first worker.
        kills: how many workers were killed because of a job.
        on_release: called with each job that a worker no longer works on, and whether the worker
            was killed because of it.
    """

    def __init__(self, settings: str, size: int, on_free: Callable[[], None]) -> None:
        self._settings, self.size, self._on_free = settings, size, on_free
        methods = multiprocessing.get_all_start_methods()
        self._context: Any = multiprocessing.get_context(
            "forkserver" if "forkserver" in methods else "spawn"
        )
        self._workers: list[Worker] = []
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._first = asyncio.Event()
        self._one_by_one = asyncio.Lock()  # because starting a worker changes the environment
        self.games: list[dict[str, Any]] = []
        self.kills = 0
        self.on_release: Callable[[Job, bool], None] = lambda job, killed: None
        self._folder = tempfile.TemporaryDirectory(prefix="plyglass-serve-")
        self._progress = Path(self._folder.name, "progress")

    async def start(self) -> None:
        """Start all workers; return when the first is ready."""
        if self._context.get_start_method() == "forkserver":
            self._context.set_forkserver_preload([work.__name__])
        for _ in range(self.size):
            self._replace_after(0.0)
        await self._first.wait()

    def loading(self) -> dict[str, Any]:
        """The game that is being loaded, the number of games loaded, and the number of games."""
        try:
            found: dict[str, Any] = json.loads(self._progress.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # loading has not begun
            return {"game": "", "done": 0, "count": 0}
        return found

    def free(self) -> Worker | None:
        """A worker without a job, or None."""
        return next((each for each in self._workers if each.is_ready and not each.job), None)

    @property
    def ready(self) -> int:
        """The number of workers that have loaded their games."""
        return sum(each.is_ready for each in self._workers)

    @property
    def jobs(self) -> list[Job]:
        """The jobs in progress."""
        return [each.job for each in self._workers if each.job]

    def give(self, worker: Worker, job: Job) -> None:
        """Give a job to a worker."""
        loop = asyncio.get_running_loop()
        worker.job, worker.number = job, worker.number + 1
        job.started = loop.time()
        values = {**job.values, "grant": job.grant, "left": job.deadline - job.started}
        worker.timer = loop.call_at(job.deadline + GRACE, self._kill, worker)
        try:
            worker.pipe.send_bytes(work.message(worker.number, work.PART, values))
        except OSError:
            self._lose(worker)

    def cancel(self, job: Job) -> None:
        """Ask the worker of a job to stop, because nobody waits for the answer."""
        for worker in self._workers:
            if worker.job is job:
                worker.cancel.value = worker.number

    async def close(self) -> None:
        """End all workers."""
        self._closed = True
        for worker in [*self._workers]:
            self._forget(worker)
            worker.process.kill()
        for task in self._tasks:
            task.cancel()
        self._folder.cleanup()

    async def _hire(self) -> None:
        ours, theirs = self._context.Pipe()
        cancel = RawValue("q", 0)
        process = self._context.Process(
            target=work.run, args=(theirs, cancel, self._settings), daemon=True
        )
        async with self._one_by_one:
            with _environment(
                self._settings, self._progress
            ):  # forking waits until the template is warm
                await asyncio.to_thread(process.start)
        theirs.close()
        worker = Worker(process, ours, cancel)
        self._workers.append(worker)
        asyncio.get_running_loop().add_reader(ours.fileno(), self._read, worker)

    def _read(self, worker: Worker) -> None:
        try:
            data = worker.pipe.recv_bytes()
        except (EOFError, OSError):
            self._lose(worker)
            return
        number, kind = int.from_bytes(data[:8], "big"), data[8 : work.HEAD]
        values = json.loads(data[work.HEAD :])
        if kind == work.READY:
            worker.is_ready, self.games = True, values
            if not self._first.is_set():
                work.freeze_garbage()
                self._first.set()
            self._on_free()
        elif worker.job and number == worker.number:
            if kind in (work.COMPILES, work.COMPILED):
                self._wait_for_compiler(worker, worker.job, kind == work.COMPILES)
                return
            if kind == work.PART:
                worker.job.parts.put_nowait(values)
                return
            job = self._released(worker)
            job.end(Refused(**values) if kind == work.PROBLEM else values)
            self._on_free()

    def _wait_for_compiler(self, worker: Worker, job: Job, begins: bool) -> None:
        """Give a worker time to compile; its job is refused if that takes too long."""
        loop = asyncio.get_running_loop()
        if not job.compiles_until:
            job.compiles_until = loop.time() + COMPILING
            worker.refusal = loop.call_at(job.deadline + GRACE, self._refuse_compiling, job)
        until = job.compiles_until
        if not begins:
            until = min(until, max(job.deadline + GRACE, loop.time() + BETWEEN))
        if worker.timer:
            worker.timer.cancel()
        worker.timer = loop.call_at(until, self._kill, worker)

    @staticmethod
    def _refuse_compiling(job: Job) -> None:
        message = "The agent is used for the first time, and is being compiled; ask again."
        job.end(Refused("busy", message, retry_after_ms=5000))

    def _released(self, worker: Worker) -> Job:
        job, worker.job = worker.job, None
        assert job is not None
        for timer in (worker.timer, worker.refusal):
            if timer:
                timer.cancel()
        worker.timer = worker.refusal = None
        self.on_release(job, worker.late)
        return job

    def _kill(self, worker: Worker) -> None:
        """Kill a worker whose job takes too long; `_lose` replaces it when its pipe closes."""
        self.kills += 1
        worker.late = True
        worker.process.kill()

    def _lose(self, worker: Worker) -> None:
        """Replace a worker that is gone."""
        if worker not in self._workers:
            return
        self._forget(worker)
        if worker.job:
            self._released(worker).end(
                Refused("never-ended", "The worker did not end in time and was stopped.")
                if worker.late
                else Refused("worker-died", "The worker died; ask again.", retry_after_ms=100)
            )
        if not self._closed:
            log.warning("a worker is gone and will be replaced")
            self._replace_after(0.0 if worker.is_ready else PAUSE)

    def _replace_after(self, pause: float) -> None:
        task = asyncio.get_running_loop().create_task(self._replace(pause))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace(self, pause: float) -> None:
        while not self._closed:
            await asyncio.sleep(pause)
            try:
                await self._hire()
            except (EOFError, OSError):  # the template died; the next try starts a new template
                log.exception("a worker could not be started")
                pause = PAUSE
            else:
                return

    def _forget(self, worker: Worker) -> None:
        self._workers.remove(worker)
        asyncio.get_running_loop().remove_reader(worker.pipe.fileno())
        worker.pipe.close()


@contextmanager
def _environment(settings: str, progress: Path) -> Iterator[None]:
    """The environment in which a template or a worker starts."""
    terms = {
        **(CHECKED if Settings.of_front(settings).decide else {}),
        work.PROGRESS: str(progress),
        work.TEMPLATE: settings,
    }
    before = {name: os.environ.get(name) for name in terms}
    os.environ.update(terms)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _future() -> asyncio.Future[dict[str, Any]]:
    future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    # takes the exception, so asyncio does not report a refusal that nobody awaits
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return future
