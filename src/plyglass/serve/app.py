"""The front: the HTTP API, which queues jobs at the desk. It runs no search and no rules."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

import plyglass
from plyglass.serve import protocol
from plyglass.serve.access import HEADERS, Gate, headers_of
from plyglass.serve.hosting import Hosting
from plyglass.serve.insight import Insight
from plyglass.serve.page import add_page
from plyglass.serve.protocol import Refused
from plyglass.serve.runs import Runs
from plyglass.serve.service import Service, answered, wants_stream
from plyglass.serve.settings import Settings
from plyglass.serve.store import store_at
from plyglass.serve.tickets import Seal

PROBLEMS: dict[int | str, dict[str, Any]] = {"default": {"model": protocol.Problem}}
Route = TypeVar("Route", bound=Callable[..., Awaitable[Response]])


def app_for(
    settings: Settings,
    workers: int,
    seal: Seal,
    store: str = "",
    metrics: tuple[str, int] | None = None,
    runs: Path | None = None,
) -> FastAPI:
    """The app of a server; when the app starts, it starts the server's workers."""
    shown = Runs(runs) if runs else None

    @contextlib.asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        kept = store_at(store) if store else None
        app.state.service = service = Service(settings, workers)
        app.state.matches = Hosting(service, seal, kept)
        app.state.insight = Insight(service, app.state.matches, shown)
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
    app.add_middleware(
        Gate,
        hosts=settings.hosts,
        refuse_late=lambda seconds: app.state.service.refuse_late(seconds),
    )
    _add_refusals(app)
    _add_routes(app)
    _add_match_routes(app)
    _add_people_routes(app)
    _add_insight_routes(app)
    add_page(app)
    return app


def _add_refusals(app: FastAPI) -> None:
    """Answer every mistake with a `Problem`."""

    @app.exception_handler(Refused)
    async def refuse(request: Request, refused: Refused) -> Response:
        request.app.state.service.metrics.refused(refused.code)
        return JSONResponse(refused.problem(), refused.status, headers_of(refused))

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


def _matches_of(request: Request) -> Hosting:
    matches: Hosting = request.app.state.matches
    return matches


def _post(app: FastAPI, path: str, model: Any) -> Callable[[Route], Route]:
    """A decorator for a POST route; `model` documents the answer, but does not check it again."""
    responses = {200: {"model": model}, **PROBLEMS}
    return app.post(path, response_model=None, responses=responses)


def _add_routes(app: FastAPI) -> None:
    @app.get("/v1/games", response_model=None, responses={200: {"model": list[protocol.Game]}})
    async def games(request: Request) -> Response:
        """The games that the server knows."""
        service = _service_of(request)
        service.door.caller(request.headers.get("authorization"))
        told = protocol.Game.model_fields
        return answered([{name: each[name] for name in told} for each in service.crew.games])

    @app.get("/v1/loading", response_model=None, responses={200: {"model": protocol.Loading}})
    async def loading(request: Request) -> Response:
        """What the server loads before it knows its games."""
        service = _service_of(request)
        service.door.caller(request.headers.get("authorization"))
        return answered(service.crew.loading())

    @app.get("/v1/games/{game}", response_model=None, responses={200: {"model": protocol.About}})
    async def about(request: Request, game: str) -> Response:
        """The rules of a game, and a picture of it."""
        service = _service_of(request)
        caller = service.door.caller(request.headers.get("authorization"))
        found = next((each for each in service.crew.games if each["id"] == game), None)
        if found is None:
            found = await service.about(caller, game)
        return answered({name: found[name] for name in protocol.About.model_fields})

    @_post(app, "/v1/decide", protocol.Decided)
    async def decide(request: Request, body: protocol.Decide) -> Response:
        """Decide for one seat of the caller's game."""
        service = _service_of(request)
        caller = service.caller(request, "decide")
        work = service.decide(caller, body, wants_stream(request))
        return await service.answer(request, work)

    @app.get("/healthz", include_in_schema=False)
    async def healthz() -> Response:
        return answered({"ok": True})

    @app.get("/readyz", include_in_schema=False)
    async def readyz(request: Request) -> Response:
        service = _service_of(request)
        if service.draining or not service.crew.ready:
            raise Refused("draining" if service.draining else "busy", "Not ready.")
        return answered({"ok": True, "workers": service.crew.ready})


def _add_match_routes(app: FastAPI) -> None:
    @_post(app, "/v1/matches", protocol.Placed)
    async def start(request: Request, body: protocol.Start) -> Response:
        """Begin a match that the server hosts."""
        service = _service_of(request)
        work = _matches_of(request).start(service.caller(request, "play"), body)
        return await service.answer(request, work)

    async def step(request: Request, kind: str, body: protocol.Hosted) -> Response:
        work = await _matches_of(request).hosted(request, kind, body)
        return await _service_of(request).answer(request, work)

    @_post(app, "/v1/matches/act", protocol.Placed | protocol.Glimpse)
    async def act(request: Request, body: protocol.Act) -> Response:
        """Play an action, and let agents play until the next decision of a person."""
        return await step(request, "act", body)

    @_post(app, "/v1/matches/position", protocol.Placed)
    async def look(request: Request, body: protocol.Hosted) -> Response:
        """The position of a match."""
        return await step(request, "look", body)

    @_post(app, "/v1/matches/back", protocol.Placed)
    async def back(request: Request, body: protocol.Back) -> Response:
        """Take decisions back."""
        return await step(request, "back", body)

    @_post(app, "/v1/matches/resign", protocol.Placed)
    async def resign(request: Request, body: protocol.Hosted) -> Response:
        """Give a match up."""
        return await step(request, "resign", body)

    @_post(app, "/v1/matches/record", dict[str, Any])
    async def record(request: Request, body: protocol.Hosted) -> Response:
        """The record of a match that is over, for `plyglass verify`."""
        return await step(request, "record", body)


def _add_people_routes(app: FastAPI) -> None:
    @_post(app, "/v1/matches/join", protocol.Placed)
    async def join(request: Request, body: protocol.Join) -> Response:
        """Take a seat by an invitation."""
        work = await _matches_of(request).join(request, body)
        return await _service_of(request).answer(request, work)

    @_post(app, "/v1/matches/wait", protocol.Placed)
    async def wait(request: Request, body: protocol.Wait) -> Response:
        """Answer at the caller's turn or the match's end; a stream also sends earlier positions."""
        return await _matches_of(request).wait(request, body)


def _add_insight_routes(app: FastAPI) -> None:
    def insight(request: Request) -> Insight:
        found: Insight = request.app.state.insight
        return found

    @_post(app, "/v1/analyse", protocol.Analysed)
    async def analyse(request: Request, body: protocol.Analyse) -> Response:
        """What an agent thinks and believes in a position of a match or a record."""
        return await insight(request).analyse(request, body)

    @_post(app, "/v1/watch", protocol.Watched)
    async def watch(request: Request, body: protocol.Watch) -> Response:
        """A match of agents, as a stream."""
        return insight(request).watch(request, body)

    @_post(app, "/v1/review", protocol.Reviewed)
    async def review(request: Request, body: protocol.Review) -> Response:
        """The mistakes and the luck in a record, as a stream of decisions."""
        return insight(request).review(request, body)

    @_post(app, "/v1/why", protocol.Why)
    async def why(request: Request, body: protocol.WhyNot) -> Response:
        """What another action of a record would have changed."""
        return await insight(request).why(request, body)

    @app.get("/v1/runs", response_model=None, responses={200: {"model": list[protocol.Run]}})
    async def runs(request: Request) -> Response:
        """The tournaments in the folder of runs, most recently changed first."""
        return insight(request).runs(request)

    @app.get(
        "/v1/runs/{run}/events",
        response_model=None,
        responses={200: {"model": protocol.Standings}, **PROBLEMS},
    )
    async def events(request: Request, run: str) -> Response:
        """The standings of a tournament, or a stream of them while it goes on."""
        return await insight(request).run(request, run)

    @app.get(
        "/v1/runs/{run}/matches",
        response_model=None,
        responses={200: {"model": list[protocol.PlayedMatch]}, **PROBLEMS},
    )
    async def matches(request: Request, run: str) -> Response:
        """The last matches of a tournament."""
        return await insight(request).matches(request, run)

    @app.get(
        "/v1/runs/{run}/matches/{number}",
        response_model=None,
        responses={200: {"model": dict[str, Any]}, **PROBLEMS},
    )
    async def replayed(request: Request, run: str, number: int) -> Response:
        """The record of a match of a tournament, made by playing the match again."""
        return await insight(request).replayed(request, run, number)
