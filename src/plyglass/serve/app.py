"""The front: an HTTP API over the desk. It searches nothing and knows no rules."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import plyglass
from plyglass.serve import protocol
from plyglass.serve.access import Caller, Doorkeeper, Gate
from plyglass.serve.crew import Crew, Job
from plyglass.serve.desk import Allowance, Desk
from plyglass.serve.metrics import Metrics
from plyglass.serve.protocol import MOST_DEADLINE_MS, Refused
from plyglass.serve.settings import Settings
from plyglass.serve.store import Store, store_at
from plyglass.serve.tickets import Seal

SERVER = f"plyglass/{plyglass.__version__}"
STREAM = "text/event-stream"
ALIVE = 10.0  # seconds without an event after which a stream sends a comment
REPORT_MS = 200  # between thoughts of a stream, if the request does not say
HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
PROBLEMS: dict[int | str, dict[str, Any]] = {"default": {"model": protocol.Problem}}
Route = TypeVar("Route", bound=Callable[..., Awaitable[Response]])
Finish = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass
class Work:
    """A request on its way to a worker: who asks, and what becomes of the answer."""

    caller: Caller
    job: Job
    finish: Finish


class Service:
    """The server apart from HTTP: the desk, the crew, and where matches are kept."""

    def __init__(self, settings: Settings, workers: int, seal: Seal, store: Store | None) -> None:
        self.desk = Desk()
        self.crew = self.desk.crew = Crew(settings.for_workers(), workers, self.desk.dispatch)
        self.metrics = Metrics(self.desk)
        self.desk.on_done = self.metrics.done
        self.door = Doorkeeper(settings)
        self.seal, self.store = seal, store
        self.draining = self.closing = False
        self.loop = asyncio.get_running_loop()
        self._allowances: dict[str, Allowance] = {}
        self._in_progress: set[str] = set()

    # -- requests

    def caller(self, request: Request, scope: str) -> Caller:
        """Who sent a request, if they may."""
        if self.closing:
            raise Refused("draining", "The server is about to stop.", retry_after_ms=1000)
        caller = self.door.caller(request.headers.get("authorization"))
        caller.refuse_without(scope)
        if caller.token:
            allowance = self._allowances.get(caller.name)
            if allowance is None:
                allowance = Allowance(caller.token.cpu_seconds_per_minute)
                self._allowances[caller.name] = allowance
            allowance.refuse_spent()
        return caller

    def decide(self, caller: Caller, body: protocol.Decide, stream: bool) -> Work:
        """A decision for a seat of the caller's game."""
        values = body.model_dump()
        if stream and values["report_every_ms"] is None:
            values["report_every_ms"] = REPORT_MS
        seconds = body.budget.seconds
        asked = body.deadline_ms / 1000 if seconds is None else float(seconds)
        sort = f"decide {body.game} {body.agent} {body.budget}"
        job = self._job(caller, "decide", values, body.deadline_ms, asked, sort)

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            return {**found, "server": SERVER}

        return Work(caller, job, finish)

    def start(self, caller: Caller, body: protocol.Start) -> Work:
        """A new hosted match."""
        if self.store and body.seed is not None:
            raise Refused(
                "seed", "Whoever knows the seed knows all that is hidden; leave it out.", "seed"
            )
        job = self._job(caller, "start", body.model_dump(), sort=f"start {body.game}")

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            if self.store:
                await self.store.add(caller.name, found["hosted"])
            return self._placed(found)

        return Work(caller, job, finish)

    async def hosted(self, caller: Caller, kind: str, body: protocol.Hosted) -> Work:
        """Another step of a hosted match."""
        changes, match = await self._match(caller, body)
        if kind == "back" and self.store:
            raise Refused("forbidden", "In a kept match nothing can be taken back.")
        values = {**body.model_dump(), "hosted": match, "kept": self.store is not None}
        values.pop("ticket")
        job = self._job(caller, kind, values, sort=f"{kind} {match['game']} {match['players']}")

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            if kind == "record":
                return found
            if self.store and found["hosted"]["moves"] != match["moves"]:
                await self.store.change(caller.name, found["hosted"], changes)
            return self._placed(found)

        return Work(caller, job, finish)

    async def _match(self, caller: Caller, body: protocol.Hosted) -> tuple[int, dict[str, Any]]:
        if body.ticket is not None:
            if self.store:
                raise Refused("ticket", "This server keeps matches; name one.", "ticket")
            return 0, self.seal.open(body.ticket)
        if self.store is None:
            raise Refused("ticket", "This server keeps no matches; send a ticket.", "match")
        return await self.store.read(caller.name, str(body.match))

    def _job(
        self, caller: Caller, kind: str, values: dict[str, Any],
        deadline_ms: int = MOST_DEADLINE_MS, asked: float = MOST_DEADLINE_MS / 1000, sort: str = "",
    ) -> Job:  # fmt: skip
        told = {**values, "kind": kind, "expert": "expert" in caller.scopes}
        now = asyncio.get_running_loop().time()
        return Job(told, now + deadline_ms / 1000, asked, sort)

    def _placed(self, found: dict[str, Any]) -> dict[str, Any]:
        placed = {"position": found["position"], "server": SERVER}
        if self.store is None:
            room = next(
                each["ticket_bytes"]
                for each in self.crew.games
                if each["id"] == found["hosted"]["game"]
            )
            placed["ticket"] = self.seal.ticket(found["hosted"], room)
        return placed

    # -- answers

    @contextlib.asynccontextmanager
    async def submitted(self, work: Work) -> AsyncIterator[Job]:
        """A job at the desk, until nobody waits for it; one at a time for each match."""
        match = (work.job.values.get("hosted") or {}).get("id")
        if match in self._in_progress:
            raise Refused("in-progress", "The match is being continued.", retry_after_ms=100)
        if match:
            self._in_progress.add(match)
        try:
            self.desk.submit(work.job)
            yield work.job
        finally:
            self._in_progress.discard(str(match))
            self._settle(work)

    def _settle(self, work: Work) -> None:
        job = work.job
        if not job.answer.done():
            self.desk.cancel(job)
        elif (error := job.answer.exception()) and getattr(error, "code", "") == "never-ended":
            self.door.note_kill(work.caller)
        if job.started and work.caller.name in self._allowances:
            used = asyncio.get_running_loop().time() - job.started
            self._allowances[work.caller.name].spend(used)

    async def answer(self, request: Request, work: Work) -> Response:
        """The answer as JSON, or as a stream if the request accepts one."""
        if STREAM in request.headers.get("accept", ""):
            return StreamingResponse(self._stream(work), media_type=STREAM, headers=HEADERS)
        async with self.submitted(work) as job:
            gone = asyncio.ensure_future(request.receive())  # the body was read: only an end comes
            waited: set[asyncio.Future[Any]] = {job.answer, gone}
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            gone.cancel()
            if not job.answer.done():
                return Response(status_code=499)
            return _json(await work.finish(await job.answer))

    async def _stream(self, work: Work) -> AsyncIterator[str]:
        try:
            async with self.submitted(work) as job:
                while True:
                    try:
                        part = await asyncio.wait_for(job.parts.get(), ALIVE)
                    except TimeoutError:
                        yield ": waiting\n\n"
                        continue
                    if part is None:
                        break
                    yield _event(part["event"], part["data"])
                yield _event("done", await work.finish(await job.answer))
        except Refused as refused:
            self.metrics.refused(refused.code)
            yield _event("problem", refused.problem())


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


def _json(values: Any) -> Response:
    return Response(json.dumps(values), media_type="application/json", headers=HEADERS)


def app_for(
    settings: Settings,
    workers: int,
    seal: Seal,
    store: str = "",
    metrics: tuple[str, int] | None = None,
) -> FastAPI:
    """The app of a server; its workers start with it."""

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        kept = store_at(store) if store else None
        app.state.service = service = Service(settings, workers, seal, kept)
        if metrics:
            service.metrics.listen(*metrics)
        starting = asyncio.create_task(service.crew.start())
        yield
        starting.cancel()
        await service.crew.close()
        if kept:
            kept.close()

    app = FastAPI(
        title="Plyglass", version=plyglass.__version__, lifespan=life, docs_url=None, redoc_url=None
    )
    app.add_middleware(Gate, hosts=settings.hosts)
    _add_refusals(app)
    _add_routes(app)
    _add_match_routes(app)
    return app


def _add_refusals(app: FastAPI) -> None:
    """Answer every mistake with a `Problem`."""

    @app.exception_handler(Refused)
    async def refuse(request: Request, refused: Refused) -> Response:
        request.app.state.service.metrics.refused(refused.code)
        headers = {**HEADERS}
        if refused.retry_after_ms is not None:
            headers["retry-after"] = str(max(1, -(-refused.retry_after_ms // 1000)))
        return JSONResponse(refused.problem(), refused.status, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = ".".join(str(each) for each in first["loc"] if each != "body")[:200]
        return await refuse(request, Refused("request", f"{first['msg']}.", place))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        code = {404: "unknown", 405: "method"}.get(error.status_code, "request")
        problem = Refused(code, str(error.detail)).problem()
        return JSONResponse(problem, error.status_code, HEADERS)


def _service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _post(app: FastAPI, path: str, model: Any) -> Callable[[Route], Route]:
    """A route whose answer is documented, but not checked again."""
    responses = {200: {"model": model}, **PROBLEMS}
    return app.post(path, response_model=None, responses=responses)


def _add_routes(app: FastAPI) -> None:
    @app.get("/v1/games", response_model=None, responses={200: {"model": list[protocol.Game]}})
    async def games(request: Request) -> Response:
        """The games that the server knows."""
        service = _service_of(request)
        service.door.caller(request.headers.get("authorization"))
        hidden = "ticket_bytes"
        told = [{k: v for k, v in each.items() if k != hidden} for each in service.crew.games]
        return _json(told)

    @_post(app, "/v1/decide", protocol.Decided)
    async def decide(request: Request, body: protocol.Decide) -> Response:
        """Decide for one seat of the caller's game."""
        service = _service_of(request)
        stream = STREAM in request.headers.get("accept", "")
        work = service.decide(service.caller(request, "decide"), body, stream)
        return await service.answer(request, work)

    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        return _json({"ok": True})

    @app.get("/readyz", include_in_schema=False)
    async def readyz(request: Request) -> Response:
        service = _service_of(request)
        if service.draining or not service.crew.ready:
            raise Refused("draining" if service.draining else "busy", "Not ready.")
        return _json({"ok": True, "workers": service.crew.ready})


def _add_match_routes(app: FastAPI) -> None:
    @_post(app, "/v1/matches", protocol.Placed)
    async def start(request: Request, body: protocol.Start) -> Response:
        """Begin a match that the server hosts."""
        service = _service_of(request)
        return await service.answer(request, service.start(service.caller(request, "play"), body))

    async def step(request: Request, kind: str, body: protocol.Hosted) -> Response:
        service = _service_of(request)
        work = await service.hosted(service.caller(request, "play"), kind, body)
        return await service.answer(request, work)

    @_post(app, "/v1/matches/act", protocol.Placed)
    async def act(request: Request, body: protocol.Act) -> Response:
        """Play an action, and let the others play until the next decision."""
        return await step(request, "act", body)

    @_post(app, "/v1/matches/position", protocol.Placed)
    async def look(request: Request, body: protocol.Hosted) -> Response:
        """The position of a match."""
        return await step(request, "look", body)

    @_post(app, "/v1/matches/back", protocol.Placed)
    async def back(request: Request, body: protocol.Back) -> Response:
        """Take decisions back."""
        return await step(request, "back", body)

    @_post(app, "/v1/matches/record", dict[str, Any])
    async def record(request: Request, body: protocol.Hosted) -> Response:
        """The record of a match that is over, for `plyglass verify`."""
        return await step(request, "record", body)
