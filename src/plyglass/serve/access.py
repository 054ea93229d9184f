"""Access: tokens, allowed hosts and origins, the size of requests, and refusals under load.

A page of another site can make a browser send requests to this machine. Such requests name a
foreign host or a foreign origin, and are refused.

A server with too much to do refuses most requests. A refusal here takes a tenth of the time of a
refusal after parsing. So the front has time for the requests that it admits.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from plyglass.serve.protocol import MOST_BODY, Refused
from plyglass.serve.settings import SCOPES, Settings, Token

LOCAL = "local"  # the name of all callers of a server without tokens
LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store"}
DEADLINE = re.compile(rb'"deadline_ms"\s*:\s*(\d{1,9})')
KILLS, KILLS_WITHIN, LOCKED = 3, 600.0, 3600.0  # kills, within seconds, and the lock-out
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass
class Caller:
    """The sender of a request, and what they may do."""

    name: str
    scopes: tuple[str, ...]
    token: Token | None = None

    def refuse_without(self, scope: str) -> None:
        if scope not in self.scopes:
            raise Refused("forbidden", f"This needs a token with the scope {scope}.")


@dataclass
class Doorkeeper:
    """Identifies callers by token, and locks out those whose requests keep killing workers."""

    settings: Settings
    _killed: dict[str, deque[float]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=KILLS))
    )
    _locked: dict[str, float] = field(default_factory=dict)

    def caller(self, authorization: str | None) -> Caller:
        """The caller whose token the header names; if the server has no tokens, a local caller."""
        if not self.settings.tokens:
            return Caller(LOCAL, SCOPES)
        scheme, _, secret = (authorization or "").partition(" ")
        digest = hashlib.sha256(secret.encode()).hexdigest()
        found = None
        for token in self.settings.tokens:  # compares all, so the time reveals nothing
            if hmac.compare_digest(digest, token.sha256):
                found = token
        if found is None or scheme.lower() != "bearer":
            raise Refused("unauthorized", "Send a token: Authorization: Bearer TOKEN.")
        return self._let_in(found)

    def owner(self, name: str, scope: str = "play") -> Caller:
        """The caller who began a match.

        Requests of guests, who need no token, count as requests of this caller.
        """
        if not self.settings.tokens:
            return Caller(LOCAL, SCOPES)
        for token in self.settings.tokens:
            if token.name == name and {"play", scope} <= {*token.scopes}:
                return replace(self._let_in(token), scopes=(scope,))
        raise Refused("forbidden", "The token that began the match is no longer valid.")

    def _let_in(self, token: Token) -> Caller:
        if time.monotonic() < self._locked.get(token.name, 0.0):
            raise Refused("locked-out", "Requests with this token ended too many workers.")
        return Caller(token.name, token.scopes, token)

    def note_kill(self, caller: Caller) -> None:
        """Note that a request killed a worker; the third in ten minutes locks the token out."""
        if caller.token is None:
            return
        now, killed = time.monotonic(), self._killed[caller.name]
        killed.append(now)
        if len(killed) == KILLS and now - killed[0] <= KILLS_WITHIN:
            self._locked[caller.name] = now + LOCKED
            killed.clear()


class Gate:
    """The outermost layer of the app: refuses foreign hosts, foreign pages and long bodies.

    If a request names its deadline, the gate calls `refuse_late` with the seconds until this
    deadline. `refuse_late` refuses the request if the desk has too much to do. By default, it
    refuses nothing.
    """

    def __init__(
        self,
        app: Any,
        hosts: tuple[str, ...],
        refuse_late: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self._app, self._hosts = app, {*LOOPBACK, *hosts}
        self._refuse_late = refuse_late

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _CountedBody(receive, send)
        try:
            self._refuse_foreign(dict(scope["headers"]))
            if scope["method"] == "POST":  # no other request asks for a decision
                await self._refuse_hopeless(body)
        except Refused as refused:
            await _refuse(refused, send)
            return
        await self._app(scope, body.receive, body.send)

    async def _refuse_hopeless(self, body: _CountedBody) -> None:
        if deadlines := DEADLINE.findall(await body.peek()):
            # the latest one, so the gate refuses no request that the desk would admit
            self._refuse_late(max(map(int, deadlines)) / 1000)

    def _refuse_foreign(self, headers: dict[bytes, bytes]) -> None:
        host = _host_of("//" + headers.get(b"host", b"").decode("latin-1"))
        if host not in self._hosts:
            raise Refused("host", "This server is not known by that name.", "host")
        origin = headers.get(b"origin")
        if origin is not None and _host_of(origin.decode("latin-1")) != host:
            raise Refused("host", "A page of another site cannot use this server.", "origin")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:20]) > MOST_BODY:
            raise _too_large()


class _CountedBody:
    """A request that is refused once its body is too long."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._size, self._refused = receive, send, 0, False
        self._peeked: MutableMapping[str, Any] | None = None

    async def peek(self) -> bytes:
        """Return the body if it is complete, else no bytes; `receive` returns the same message."""
        self._peeked = await self._receive()
        whole: bytes = self._peeked.get("body", b"")
        return b"" if self._peeked.get("more_body") else whole

    async def receive(self) -> MutableMapping[str, Any]:
        message, self._peeked = self._peeked or await self._receive(), None
        self._size += len(message.get("body", b""))
        return message if self._size <= MOST_BODY else {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if self._size <= MOST_BODY:
            await self._send(message)
        elif not self._refused:
            self._refused = True
            await _refuse(_too_large(), self._send)


def _host_of(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _too_large() -> Refused:
    return Refused("too-large", f"A request has at most {MOST_BODY:,} bytes.")


def headers_of(refused: Refused) -> dict[str, str]:
    """The headers of the answer to a refused request."""
    if refused.retry_after_ms is None:
        return HEADERS
    return {**HEADERS, "retry-after": str(max(1, -(-refused.retry_after_ms // 1000)))}


async def _refuse(refused: Refused, send: Send) -> None:
    body = json.dumps(refused.problem()).encode()
    named = {**headers_of(refused), "content-type": "application/json"}
    headers = [(name.encode(), value.encode()) for name, value in named.items()]
    headers.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
