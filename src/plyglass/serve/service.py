"""The server without its routes: it turns requests into jobs, and their results into answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

import plyglass
from plyglass.serve import protocol
from plyglass.serve.access import HEADERS, Caller, Doorkeeper
from plyglass.serve.crew import Crew, Job
from plyglass.serve.desk import Allowance, Desk
from plyglass.serve.metrics import Metrics
from plyglass.serve.protocol import MOST_DEADLINE_MS, MOST_NAME, OPTIONS, Refused
from plyglass.serve.settings import Settings

SERVER = f"plyglass/{plyglass.__version__}"
STREAM = "text/event-stream"
ALIVE = 10.0  # seconds without an event after which a stream sends a comment
REPORT_MS = 200  # between two thoughts in a stream, by default
MOST_STREAMS = 64  # the most that one caller may have open
BYE = {"message": "The server is about to stop; continue elsewhere.", "retry_after_ms": 1000}
Finish = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass
class Work:
    """A job for a worker, and the function that finishes the answer.

    Attributes:
        alone: whether the job's match is locked until the answer.
    """

    job: Job
    finish: Finish
    alone: bool = True


class Service:
    """The desk, the crew, and the open streams."""

    def __init__(self, settings: Settings, workers: int) -> None:
        self.desk = Desk()
        self.crew = self.desk.crew = Crew(settings.for_workers(), workers, self.desk.dispatch)
        self.crew.on_release = self._released
        self.metrics = Metrics(self.desk)
        self.desk.on_done = self.metrics.done
        self.door = Doorkeeper(settings)
        self._decides = settings.decide
        self.draining = self.closing = False
        self.loop = asyncio.get_running_loop()
        self.on_close: list[Callable[[], None]] = []
        self._allowances: dict[str, Allowance] = {}
        self._in_progress: set[str] = set()
        self._streams: Counter[str] = Counter()
        self._told: set[Job] = set()  # jobs with a stream

    def close_door(self) -> None:
        """Refuse new work from now on, and say so in all streams."""
        self.closing = True
        for job in self._told:
            job.parts.put_nowait({"event": "bye", "data": BYE})
        for call in self.on_close:
            call()

    # -- requests

    def refuse_late(self, seconds: float) -> None:
        """Refuse a request before parsing it, if it cannot be answered within these seconds."""
        if not self.crew.ready or self.closing:
            return  # it has another reason to be refused
        try:
            self.desk.refuse_late(seconds)
        except Refused as refused:
            self.metrics.refused(refused.code)
            raise

    def caller(self, request: Request, scope: str) -> Caller:
        """The caller of a request; refuses a caller without this scope."""
        self.refuse_closed()
        caller = self.door.caller(request.headers.get("authorization"))
        caller.refuse_without(scope)
        return self.allowed(caller)

    def refuse_closed(self) -> None:
        if self.closing:
            raise Refused("draining", "The server is about to stop.", retry_after_ms=1000)

    def allowed(self, caller: Caller) -> Caller:
        """The same caller; refuses a caller who has used up their worker time."""
        if caller.token:
            allowance = self._allowances.get(caller.name)
            if allowance is None:
                allowance = Allowance(caller.token.cpu_seconds_per_minute)
                self._allowances[caller.name] = allowance
            allowance.refuse_spent()
        return caller

    def decide(self, caller: Caller, body: protocol.Decide, stream: bool) -> Work:
        """Prepare the job that decides for a seat of the caller's own game."""
        if not self._decides:
            raise Refused(
                "forbidden",
                "This server only hosts matches; start it with --decide, or with decide = true in "
                "its settings.",
            )
        values = body.model_dump()
        if stream and values["report_every_ms"] is None:
            values["report_every_ms"] = REPORT_MS
        seconds = body.budget.seconds
        asked = body.deadline_ms / 1000 if seconds is None else float(seconds)
        sort = f"decide {body.game} {body.agent} {body.budget}"
        job = self.job(caller, "decide", values, body.deadline_ms, asked, sort)

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            self.metrics.looked_up(found.pop("found_belief"))
            return {**found, "server": SERVER}

        return Work(job, finish)

    def job(
        self, caller: Caller, kind: str, values: dict[str, Any],
        deadline_ms: int = MOST_DEADLINE_MS, asked: float = MOST_DEADLINE_MS / 1000, sort: str = "",
        rank: int = 0,
    ) -> Job:  # fmt: skip
        """A job for a worker."""
        rights = {name: name in caller.scopes for name in ("expert", "trusted")}
        told = {**values, "kind": kind, **rights}
        now = asyncio.get_running_loop().time()
        return Job(told, now + deadline_ms / 1000, asked, sort, rank, caller)

    async def about(self, caller: Caller, game: str) -> dict[str, Any]:
        """The description of a game with chosen options, made by a worker."""
        if OPTIONS not in game or len(game) > MOST_NAME:
            raise Refused("unknown-game", "There is no such game here.", "game")
        self.refuse_closed()
        job = self.job(self.allowed(caller), "about", {"game": game}, sort="about")

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            return found

        return await self.found(Work(job, finish, alone=False))

    # -- answers

    @contextlib.asynccontextmanager
    async def submitted(self, work: Work) -> AsyncIterator[Job]:
        """Submit a job, and cancel it if nobody waits any more; a match has one job at a time."""
        match = (work.job.values.get("hosted") or {}).get("id") if work.alone else None
        if match in self._in_progress:
            raise Refused("in-progress", "The match is being continued.", retry_after_ms=100)
        if match:
            self._in_progress.add(match)
        try:
            self.desk.submit(work.job)
            yield work.job
        finally:
            self._in_progress.discard(str(match))
            if not work.job.answer.done():
                self.desk.cancel(work.job)

    def _released(self, job: Job, killed: bool) -> None:
        """Charge the caller for the worker's time, which may be more than that of the request."""
        if job.caller.name in self._allowances:
            used = asyncio.get_running_loop().time() - job.started
            self._allowances[job.caller.name].spend(used)
        # only views from outside can make a rule endless; other jobs may just be slow
        if killed and job.values["kind"] == "decide":
            self.door.note_kill(job.caller)

    async def answer(self, request: Request, work: Work) -> Response:
        """The answer as JSON, or as a stream if the request accepts one."""
        if wants_stream(request):
            return self.streamed(work.job.caller, self._events(work))
        async with self.submitted(work) as job:
            gone = asyncio.ensure_future(request.receive())  # the body was read: only an end comes
            waited: set[asyncio.Future[Any]] = {job.answer, gone}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            if not job.answer.done():
                return Response(status_code=499)
            return answered(await work.finish(await job.answer))

    async def found(self, work: Work) -> dict[str, Any]:
        """The answer to a job, for a request that needs several jobs."""
        async with self.submitted(work) as job:
            return await work.finish(await job.answer)

    def streamed(self, caller: Caller, events: AsyncIterator[str]) -> Response:
        """Events as the answer to a request; refused if the caller has too many streams open."""
        if self._streams[caller.name] >= MOST_STREAMS:
            raise Refused(
                "streams", f"At most {MOST_STREAMS} streams may be open.", retry_after_ms=1000
            )
        # counted at once, or requests that come together would all pass
        self._streams[caller.name] += 1
        return _Stream(self._told_problems(events), lambda: self._streams.subtract([caller.name]))

    async def _told_problems(self, events: AsyncIterator[str]) -> AsyncIterator[str]:
        try:
            async for text in events:
                yield text
        except Refused as refused:
            self.metrics.refused(refused.code)
            yield event("problem", refused.problem())

    async def _events(self, work: Work) -> AsyncIterator[str]:
        async with self.submitted(work) as job:
            with self._listening(job):
                while True:
                    try:
                        part = await asyncio.wait_for(job.parts.get(), ALIVE)
                    except TimeoutError:
                        yield ": waiting\n\n"
                        continue
                    if part is None:
                        break
                    yield event(part["event"], part["data"])
            yield event("done", await work.finish(await job.answer))

    @contextlib.contextmanager
    def _listening(self, job: Job) -> Iterator[None]:
        self._told.add(job)
        try:
            yield
        finally:
            self._told.discard(job)


class _Stream(StreamingResponse):
    """A stream of events that calls `ended` when it is over, even if nothing was sent."""

    def __init__(self, events: AsyncIterator[str], ended: Callable[[], None]) -> None:
        super().__init__(events, media_type=STREAM, headers=HEADERS)
        self._ended = ended

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


def wants_stream(request: Request) -> bool:
    """Whether a request accepts a stream of events."""
    return STREAM in request.headers.get("accept", "")


def event(name: str, data: dict[str, Any]) -> str:
    """One event of a stream."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def answered(values: Any) -> Response:
    """An answer in JSON."""
    return Response(json.dumps(values), media_type="application/json", headers=HEADERS)
