"""Hosted matches in the process that answers HTTP: storage, people, and waiting for a turn."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from fastapi import Request
from fastapi.responses import Response

from plyglass.serve import people, protocol
from plyglass.serve.access import Caller
from plyglass.serve.matches import HUMAN
from plyglass.serve.protocol import Refused
from plyglass.serve.service import (
    ALIVE,
    BYE,
    SERVER,
    Service,
    Work,
    answered,
    event,
    wants_stream,
)
from plyglass.serve.store import Store
from plyglass.serve.tickets import Seal

POLL = 0.5  # seconds between two reads of the store, which other replicas may also change


@dataclass
class Entered:
    """A match that a request names, and who sent the request.

    Attributes:
        changes: the number of earlier changes in the store. 0 if the match came in a ticket.
        handle: the name by which this person's requests name the match.
    """

    caller: Caller
    match: dict[str, Any]
    seat: int
    handle: str = ""
    changes: int = 0


class Hosting:
    """The hosted matches of a server, kept in tickets or in a store."""

    def __init__(self, service: Service, seal: Seal, store: Store | None) -> None:
        self.service, self.seal, self.store = service, seal, store
        self._news: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()
        service.on_close.append(self._wake_all)

    def start(self, caller: Caller, body: protocol.Start) -> Work:
        """Prepare the job that starts a new match."""
        self._refuse_start(body)
        values = {**body.model_dump(), "kept": self.store is not None}
        job = self.service.job(caller, "start", values, sort=f"start {body.game}")

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            match, handle, invitations = people.opened(found["hosted"])
            match = people.timed(match, found["mover"], time.time())
            if self.store:
                await self.store.add(caller.name, match)
            if handle:
                found["position"]["match"] = handle
                found["position"]["players"] = [
                    {**each, "joined": each["kind"] != HUMAN}
                    for each in found["position"]["players"]
                ]
            return self._placed({**found, "hosted": match}, match["seat"], invitations)

        return Work(job, finish)

    def _refuse_start(self, body: protocol.Start) -> None:
        several = HUMAN in body.seats
        if self.store and body.seed is not None:
            raise Refused(
                "seed", "A known seed reveals all that is hidden; leave the seed out.", "seed"
            )
        if not self.store and (several or body.clock_seconds is not None):
            raise Refused(
                "kept",
                "Matches of several people, or with a clock, need a server that keeps matches; "
                "start it with --store.",
                "seats" if several else "clock_seconds",
            )
        if several and (body.glass or body.advice):
            raise Refused("seats", "A match between people has no glass and no advice.")

    async def hosted(self, request: Request, kind: str, body: protocol.Hosted) -> Work:
        """Prepare the job for one step of a match; `kind` names the step."""
        entered = await self.entered(request, body)
        if kind == "back" and self.store:
            raise Refused(
                "forbidden", "In a match that the server keeps, nothing can be taken back."
            )
        values = body.model_dump(exclude={"ticket", "match"})
        return self._work(kind, entered, values, entered.match)

    async def join(self, request: Request, body: protocol.Join) -> Work:
        """Prepare the job that gives the sender the seat of an invitation."""
        self.service.refuse_closed()
        if self.store is None:
            raise Refused("invitation", "This server keeps no matches.", "invitation")
        name, _, code = body.invitation.partition(people.DOT)
        owner, changes, match = await self.store.find(name)
        caller = self.service.allowed(self.service.door.owner(owner))
        changed, seat, handle = people.joined(match, code, body.name)
        return self._work("look", Entered(caller, changed, seat, handle, changes), {}, match)

    def _work(
        self, kind: str, entered: Entered, values: dict[str, Any], before: dict[str, Any]
    ) -> Work:
        """Prepare the job for one step; the result then replaces the match's state in the store."""
        match, caller = entered.match, entered.caller
        told = {"hosted": match, "seat": entered.seat, "handle": entered.handle}
        values = {**values, **told, "kept": self.store is not None}
        sort = f"{kind} {match['game']} {match['players']}"
        job = self.service.job(caller, kind, values, sort=sort)

        async def finish(found: dict[str, Any]) -> dict[str, Any]:
            if kind == "record":
                return found
            after = people.timed(found["hosted"], found["mover"], time.time())
            if self.store and after != {**found["hosted"], **before}:
                await self.store.change(caller.name, after, entered.changes)
                self._wake(match["id"])
            return self._placed({**found, "hosted": after}, entered.seat)

        return Work(job, finish)

    async def entered(
        self, request: Request, body: protocol.Hosted, scope: str = "play"
    ) -> Entered:
        """The match that a request names; refuses a sender who has no seat in it."""
        name = str(body.match)
        if self.store and body.ticket is None and people.DOT in name:
            self.service.refuse_closed()
            owner, changes, match = await self.store.find(name.partition(people.DOT)[0])
            seat = people.seat_of(match, name)  # the key identifies the person
            caller = self.service.allowed(self.service.door.owner(owner, scope))
            return await self._in_time(Entered(caller, match, seat, name, changes))
        caller = self.service.caller(request, scope)
        if body.ticket is not None:
            if self.store:
                raise Refused(
                    "ticket", "This server takes no tickets; send the name of the match.", "ticket"
                )
            match = self.seal.open(body.ticket)
            return Entered(caller, match, match["seat"])
        if self.store is None:
            raise Refused("ticket", "This server keeps no matches; send a ticket.", "match")
        changes, match = await self.store.read(caller.name, name)
        return await self._in_time(
            Entered(caller, match, people.seat_of(match, name), changes=changes)
        )

    async def _in_time(self, entered: Entered) -> Entered:
        """Return the match; if a person's time is over, resign the match for this person first."""
        late = people.expired(entered.match, time.time())
        if late is not None and self.store:
            try:
                await self.store.change(entered.caller.name, late, entered.changes)
            except Refused as refused:
                if refused.code != "other-ply":
                    raise
                # another request changed the match first, so that change counts
                _, entered.changes, entered.match = await self.store.find(late["id"])
            else:
                self._wake(late["id"])
                entered.match, entered.changes = late, entered.changes + 1
        return entered

    def _placed(
        self, found: dict[str, Any], seat: int, invitations: list[dict[str, Any]] | None = None
    ) -> dict[str, Any]:
        match = found["hosted"]
        clock = people.left_ms(match, seat, time.time())
        placed = {"position": {**found["position"], "clock_ms": clock}, "server": SERVER}
        if invitations:
            placed["invitations"] = invitations
        if self.store is None:
            placed["ticket"] = self.seal.ticket(match, found["ticket_bytes"])
        return placed

    # -- people who wait

    async def wait(self, request: Request, body: protocol.Wait) -> Response:
        """Answer a person who waits: at their turn, at the match's end, or after `wait_ms`."""
        if self.store is None:
            raise Refused("ticket", "A match with one person has nobody to wait for.", "match")
        entered = await self.entered(request, body)
        if wants_stream(request):
            return self.service.streamed(entered.caller, self._waiting(request, body))
        end = self.service.loop.time() + body.wait_ms / 1000
        placed: dict[str, Any] = {}
        async for found, _ in self._positions(request, body):
            placed = found
            if self.service.loop.time() >= end or await request.is_disconnected():
                break
        if not placed:
            self.service.refuse_closed()
        return answered(placed)

    async def _waiting(self, request: Request, body: protocol.Wait) -> AsyncIterator[str]:
        sent = self.service.loop.time()
        async for placed, new in self._positions(request, body):
            now = self.service.loop.time()
            if _due(placed):
                yield event("done", placed)
                return
            if new or now - sent >= ALIVE:
                yield event("position", placed["position"]) if new else ": waiting\n\n"
                sent = now
        yield event("bye", BYE)

    async def _positions(
        self, request: Request, body: protocol.Wait
    ) -> AsyncIterator[tuple[dict[str, Any], bool]]:
        """Yield (answer, whether it is new) until the person's turn, the end, or the shutdown.

        An answer is not new if the person can see no change in the match.
        """
        last, changes = None, -1
        placed: dict[str, Any] = {}
        name = str(body.match).partition(people.DOT)[0]
        while not self.service.closing:
            news = self._news.setdefault(name, asyncio.Event())
            entered = await self.entered(request, body)
            if entered.changes != changes:
                work = self._work("look", entered, {}, entered.match)
                work.alone = False
                changes, placed = entered.changes, await self.service.found(work)
            seen = {**placed["position"], "clock_ms": None}
            yield placed, seen != last
            if _due(placed):
                return
            last = seen
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), POLL)

    def _wake(self, match: str) -> None:
        """Wake the people who wait in a match."""
        if news := self._news.pop(match, None):
            news.set()

    def _wake_all(self) -> None:
        for match in [*self._news]:
            self._wake(match)


def _due(placed: dict[str, Any]) -> bool:
    """Whether a person can stop waiting, because it is their turn or the match is over."""
    position = placed["position"]
    return bool(position["over"]) or position["to_move"] == position["seat"]
