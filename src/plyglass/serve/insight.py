"""Analyses, matches between agents, reviews and tournaments, in the process that answers HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import Response

from plyglass.serve import protocol
from plyglass.serve.access import Caller
from plyglass.serve.hosting import Entered, Hosting
from plyglass.serve.protocol import Refused
from plyglass.serve.runs import Runs, changed
from plyglass.serve.service import (
    ALIVE,
    BYE,
    REPORT_MS,
    SERVER,
    Service,
    Work,
    answered,
    event,
    wants_stream,
)

ANALYSIS, WATCH, REVIEW = 1, 2, 3  # ranks of jobs; hosted matches and decisions have rank 0
EVERY = 2.0  # seconds between two checks of a run
NO_RUNS = "This server shows no runs; start it with --runs FOLDER."


class Insight:
    """The routes for analyses, matches between agents, reviews and tournaments."""

    def __init__(self, service: Service, matches: Hosting, runs: Runs | None) -> None:
        self._service, self._matches, self._runs = service, matches, runs
        self._standings: dict[Path, _Standings] = {}

    async def analyse(self, request: Request, body: protocol.Analyse) -> Response:
        """What an agent thinks in a position of a match or a record."""
        service = self._service
        if body.record is not None:
            entered = Entered(service.caller(request, "analyse"), {}, 0)
        else:
            named = protocol.Hosted(ticket=body.ticket, match=body.match)
            entered = await self._matches.entered(request, named, "analyse")
        values = body.model_dump(exclude={"ticket", "match"})
        if wants_stream(request) and values["report_every_ms"] is None:
            values["report_every_ms"] = REPORT_MS
        if body.record is None:
            values |= {"hosted": entered.match, "own": entered.seat}
        seconds = body.budget.seconds
        asked = body.deadline_ms / 1000 if seconds is None else float(seconds)
        sort = f"analyse {entered.match.get('game')} {body.agent} {body.budget}"
        job = service.job(
            entered.caller, "analyse", values, body.deadline_ms, asked, sort, rank=ANALYSIS
        )

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            return {**found, "server": SERVER}

        return await service.answer(request, Work(job, finish, alone=False))

    def watch(self, request: Request, body: protocol.Watch) -> Response:
        """A match between agents, as a stream."""
        caller = self._service.caller(request, "play")
        return self._service.streamed(caller, self._turns(caller, body))

    async def _turns(self, caller: Caller, body: protocol.Watch) -> AsyncIterator[str]:
        """The events of a match. Each turn is a job, so workers can do other jobs in between."""
        service, match = self._service, None
        while not service.closing:
            service.allowed(caller)
            values = {**body.model_dump(), "hosted": match}
            job = service.job(caller, "watch", values, sort=f"watch {body.game}", rank=WATCH)
            async with service.submitted(Work(job, _as_found, alone=False)):
                async for text, paced in _told(job.parts):
                    yield text
                    if paced:
                        await asyncio.sleep(body.pace_ms / 1000)
                found = await job.answer
            match = found["hosted"]
            if found["record"]:
                yield event("done", {"record": found["record"], "server": SERVER})
                return
        yield event("bye", BYE)

    # -- reviews

    def review(self, request: Request, body: protocol.Review) -> Response:
        """The review of a record, as a stream of decisions."""
        caller = self._service.caller(request, "analyse")
        return self._service.streamed(caller, self._reviewed(caller, body))

    async def _reviewed(self, caller: Caller, body: protocol.Review) -> AsyncIterator[str]:
        service, moves = self._service, body.record.get("moves")
        count = len(moves) if isinstance(moves, list) else 0
        plies = range(count) if body.plies is None else sorted({*body.plies})
        for ply in plies:
            if service.closing:
                yield event("bye", BYE)
                return
            service.allowed(caller)
            values = {**body.model_dump(exclude={"plies"}), "ply": ply}
            job = service.job(caller, "review", values, sort="review", rank=REVIEW)
            try:
                found = await service.found(Work(job, _as_found, alone=False))
            except Refused as refused:
                if refused.code != "late":
                    raise
                yield event("skipped", {"ply": ply})
            else:
                yield event("reviewed", found)
        yield event("done", {"plies": len(plies), "server": SERVER})

    async def why(self, request: Request, body: protocol.WhyNot) -> Response:
        """What another action would have changed."""
        caller = self._service.caller(request, "analyse")
        values, seconds = body.model_dump(), body.deadline_ms / 1000
        job = self._service.job(
            caller, "why", values, body.deadline_ms, seconds, "why", rank=REVIEW
        )

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            return {**found, "server": SERVER}

        return await self._service.answer(request, Work(job, finish, alone=False))

    # -- runs

    def runs(self, request: Request) -> Response:
        """The runs that the server shows."""
        self._service.door.caller(request.headers.get("authorization"))
        return answered(self._runs.listed() if self._runs else [])

    async def run(self, request: Request, name: str) -> Response:
        """The standings of a run, or a stream of standings while the run continues."""
        if self._runs is None:
            raise Refused("unknown", NO_RUNS)
        service = self._service
        service.refuse_closed()
        caller = service.allowed(service.door.caller(request.headers.get("authorization")))
        path = self._runs.path(name)
        if wants_stream(request):
            return service.streamed(caller, self._followed(caller, path))
        return answered(await self._standings_of(caller, path))

    async def matches(self, request: Request, name: str) -> Response:
        """The matches of a run, the latest first."""
        found = await self._of_run(request, name, "played", {})
        return answered(found["matches"])

    async def replayed(self, request: Request, name: str, number: int) -> Response:
        """The record of a match of a run, made by playing the match again."""
        return answered(await self._of_run(request, name, "replayed", {"number": number}))

    async def _of_run(
        self, request: Request, name: str, kind: str, values: dict[str, Any]
    ) -> dict[str, Any]:
        if self._runs is None:
            raise Refused("unknown", NO_RUNS)
        caller = self._service.caller(request, "analyse")
        values = {**values, "path": str(self._runs.path(name))}
        job = self._service.job(caller, kind, values, sort=kind, rank=REVIEW)
        return await self._service.found(Work(job, _as_found, alone=False))

    async def _followed(self, caller: Caller, path: Path) -> AsyncIterator[str]:
        seen, sent = None, self._service.loop.time()
        while not self._service.closing:
            self._service.allowed(caller)
            now, found = self._service.loop.time(), await self._standings_of(caller, path)
            if found != seen:
                yield event("standings", found)
                seen, sent = found, now
            elif now - sent >= ALIVE:
                yield ": waiting\n\n"
                sent = now
            await asyncio.sleep(EVERY)
        yield event("bye", BYE)

    async def _standings_of(self, caller: Caller, path: Path) -> dict[str, Any]:
        """The standings of a run, shared by all callers.

        After a change, a worker computes them again, but at most once in `EVERY` seconds.
        """
        latest, now, kept = changed(path), self._service.loop.time(), self._standings.get(path)
        if kept is None or kept.failed or kept.outdated(latest, now):
            values = {"path": str(path)}
            job = self._service.job(caller, "standings", values, sort="standings", rank=WATCH)
            work = Work(job, _as_found, alone=False)
            kept = _Standings(latest, now, asyncio.ensure_future(self._service.found(work)))
            self._standings[path] = kept
        return await asyncio.shield(kept.found)  # if this caller leaves, others still wait


@dataclass(frozen=True)
class _Standings:
    """The standings of a run, or their computation in progress."""

    changed: float  # when the run's files had last changed
    began: float
    found: asyncio.Future[dict[str, Any]]

    @property
    def failed(self) -> bool:
        done = self.found.done()
        return done and (self.found.cancelled() or self.found.exception() is not None)

    def outdated(self, changed: float, now: float) -> bool:
        return changed != self.changed and self.found.done() and now - self.began >= EVERY


async def _as_found(found: dict[str, Any]) -> dict[str, Any]:
    return found


async def _told(
    parts: asyncio.Queue[dict[str, Any] | None],
) -> AsyncIterator[tuple[str, bool]]:
    """Yield (text to send, whether it is an event and not a comment) while a job runs."""
    while True:
        try:
            part = await asyncio.wait_for(parts.get(), ALIVE)
        except TimeoutError:
            yield ": waiting\n\n", False
            continue
        if part is None:
            return
        yield event(part["event"], part["data"]), True
