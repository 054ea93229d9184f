"""Valid requests of all addresses, changes to them, and a judge of the answers."""

import contextlib
import http.client
import json
import socket
from dataclasses import dataclass

import numpy as np

from plyglass.arena.specs import game_from
from plyglass.core.state import HEADER_BYTES
from plyglass.core.world import received
from plyglass.serve.client import fields, hosted
from plyglass.serve.protocol import Problem
from tests.fuzz.mutations import mutated, mutated_value
from tests.serve.requests import entries, until_decision
from tests.sizes import sized

GAMES = sized(
    ("kuhn-poker", "tic-tac-toe"),  # compiled for other tests anyway
    ("kuhn-poker", "tic-tac-toe", "leduc-poker", "connect-four", "duel"),
)
SETTINGS = (
    "worker_bytes = 2147483648\n[games]\n"
    + "".join(f'{name} = "{name}"\n' for name in GAMES)
    + "".join(f'[levels.{name}]\neasy = "uct:iterations=30"\n' for name in GAMES)
)
FULL = {"busy", "draining", "late"}
"""The codes of a server that has too much to do. `worker-died` is not among them: no request may
crash a worker.
"""
NO_HTTP = b"Invalid HTTP request received."  # by uvicorn, such as an address without a slash
STREAM = "text/event-stream"
PATIENCE = 20.0  # seconds until an answer must be there
LEFT = 1.5  # seconds after which a stream, or somebody who waits, is left
ENDLESS = ("/v1/matches/wait", "/v1/watch", "/v1/review")
BROKEN = ((b"\r\n", b"\n"), (b"HTTP/1.1", b"HTTP/9"), (b": ", b":"), (b"\r\n\r\n", b"\r\n"))


@dataclass(frozen=True)
class Asked:
    """A request: its method, address and body, and the answer that it accepts."""

    method: str
    path: str
    body: bytes = b""
    accept: str = "application/json"

    @staticmethod
    def of(path, values=None, accept="application/json"):
        if values is None:
            return Asked("GET", path, accept=accept)
        return Asked("POST", path, json.dumps(values).encode(), accept)

    @property
    def waits(self):
        """Whether the answer may take as long as the client likes."""
        return self.accept == STREAM or self.path.startswith(ENDLESS)

    def head(self):
        """The request line and the headers."""
        return (
            f"{self.method} {self.path} HTTP/1.1\r\nhost: localhost\r\naccept: {self.accept}\r\n"
            f"content-type: application/json\r\ncontent-length: {len(self.body)}\r\n\r\n"
        ).encode("utf-8", "replace")


def flaw_of(asked, status, body):
    """What is wrong with an answer; empty if nothing is. Without an answer, the status is 0."""
    if status == 0:
        return "" if asked.waits else "no answer"
    if status < 400 or (asked.method == "HEAD" and status < 500):  # HEAD gets no body
        return ""
    if (status, body) == (400, NO_HTTP):
        return ""
    try:
        problem = Problem(**json.loads(body))
    except (ValueError, TypeError):
        return f"{status}, but no problem: {body[:200]!r}"
    if status < 500 or (status == 503 and problem.code in FULL):
        return ""
    return f"{status} {problem.code}: {problem.message}"


class Line:
    """A connection that is opened again when it was closed."""

    def __init__(self, port):
        self._port, self._connection = port, None

    def ask(self, asked):
        """The status and the body of the answer; (0, b"") if there is none in time."""
        for again in (False, True):
            fresh = self._connection is None
            if fresh:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port)
            self._connection.timeout = LEFT if asked.waits else PATIENCE
            if self._connection.sock:
                self._connection.sock.settimeout(self._connection.timeout)
            try:
                return self._asked(asked)
            except TimeoutError:
                self.close()
                return 0, b""
            except (OSError, http.client.HTTPException):
                self.close()  # the server closes idle connections, and those of broken requests
                if fresh or again:
                    return 0, b""
        raise AssertionError

    def _asked(self, asked):
        headers = {"accept": asked.accept, "content-type": "application/json"}
        path = asked.path.encode("utf-8", "replace").decode("latin-1")
        with contextlib.suppress(http.client.InvalidURL, ValueError):
            self._connection.request(asked.method, path, asked.body or None, headers)
            reply = self._connection.getresponse()
            return reply.status, reply.read()
        self.close()
        return 204, b""  # the client refuses to send it

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None


def send_raw(port, data):
    """Send bytes that need not be HTTP, and read what comes within a moment; any answer will do."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as line:
        line.settimeout(0.2)
        line.sendall(data)
        return line.recv(1 << 16)
    return b""


# -- valid requests


def seeds(server, kept):
    """Valid requests of every address of a server; `kept` if it keeps matches."""
    found = [Asked.of(path) for path in ("/", "/v1/games", "/healthz", "/readyz", "/openapi.json")]
    found += [Asked.of(f"/v1/games/{name}") for name in GAMES]
    found += [Asked.of(f"/v1/runs{more}") for more in ("", "/a", "/a/events", "/a/matches/0")]
    for number, name in enumerate(GAMES):
        found += decisions(name, number)
        found += of_match(server, name)
    if kept:
        found += of_people(server)
    return found


def most_decisions(name):
    """How often each seat decides in some matches of a game, but at most twice."""
    return 1 if name == "kuhn-poker" else 2


def decisions(name, seed):
    """Decisions of both seats in a game."""
    game, found = game_from(name), []
    for seat in range(game.players):
        for made in range(1, 1 + most_decisions(name)):
            _, shown = until_decision(game, seat, 10 * seed + made, made)
            values = {
                "game": name, "seat": seat, "seed": seed, "agent": "level:easy", "id": "a",
                "history": [{"own": each["own"], "view": each["view"]} for each in entries(shown)],
                "budget": {"iterations": 20}, "deadline_ms": 500, "turn": [],
            }  # fmt: skip
            found += [Asked.of("/v1/decide", values)] * 3
            found.append(Asked.of("/v1/decide", {**values, "report_every_ms": 100}, STREAM))
            found.append(Asked.of("/v1/decide", {**values, "budget": {"seconds": 0.005}}))
            agent = "uct:belief=particles(worlds=20)"
            found.append(Asked.of("/v1/decide", {**values, "agent": agent}))
    return found


def of_match(server, name):
    """Requests about a match of one person, from its beginning to its record."""
    players = game_from(name).players
    start = {"game": name, "seats": ["me", *["level:easy"] * (players - 1)], "glass": True}
    placed = server.client.post("/v1/matches", start)
    this, about = hosted(placed), {"seat": 0, "budget": {"iterations": 20}, "deadline_ms": 500}
    action = placed["position"]["actions"][0]["id"]
    found = [
        Asked.of("/v1/matches", start),
        Asked.of("/v1/matches", start, STREAM),
        Asked.of("/v1/matches/act", {**this, "ply": 0, "action": action}),
        Asked.of("/v1/matches/act", {**this, "ply": 0, "action": action}, STREAM),
        Asked.of("/v1/matches/position", this),
        Asked.of("/v1/matches/back", {**this, "to_ply": 0}),
        Asked.of("/v1/analyse", {**this, **about, "agent": "uct", "want": ["values", "belief"]}),
        Asked.of("/v1/watch", {"game": name, "seats": ["level:easy"] * players, "pace_ms": 0}),
    ]
    over = server.client.resign(server.client.post("/v1/matches", start))
    record = server.client.record(over)
    found += [
        Asked.of("/v1/matches/resign", this),
        Asked.of("/v1/matches/record", hosted(over)),
        Asked.of("/v1/analyse", {"record": record, **about, "after": 0}),
        Asked.of("/v1/review", {"record": record, "plies": [0], "pairs": 8}),
        Asked.of("/v1/why", {"record": record, "ply": 0, "instead": 0, "pairs": 16,
                             "deadline_ms": 500}),
    ]  # fmt: skip
    return found


def of_people(server):
    """Requests of two people who play each other."""
    start = {"game": "kuhn-poker", "seats": ["me", "human"], "name": "Ada", "clock_seconds": 60}
    placed = server.client.post("/v1/matches", start)
    join = {"invitation": placed["invitations"][0]["invitation"], "name": "Bob"}
    wait = {**hosted(placed), "wait_ms": 20}
    return [
        Asked.of("/v1/matches", start),
        Asked.of("/v1/matches/join", join),
        Asked.of("/v1/matches/wait", wait),
        Asked.of("/v1/matches/wait", wait, STREAM),
    ]


# -- changed requests


def changed_bytes(chosen, chance):
    """The request with some bytes of its body or its address changed."""
    if chosen.method == "POST" and chance.random() < 0.9:
        return Asked(chosen.method, chosen.path, mutated(chosen.body, chance), chosen.accept)
    path = mutated(chosen.path.encode(), chance).decode("utf-8", "replace")
    method = chance.choice((chosen.method, chosen.method, "GET", "POST", "PUT", "HEAD", "OPTIONS"))
    return Asked(method, path, chosen.body, chosen.accept)


def changed_values(chosen, chance):
    """The request with some of its values changed; it stays JSON."""
    if not chosen.body:
        return changed_bytes(chosen, chance)
    values = json.loads(chosen.body)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        values = mutated_value(values, chance)
    return Asked.of(chosen.path, values, chosen.accept)


def changed_view(chosen, chance):
    """A decision with bytes of one of its views changed, as no gap between fields can be."""
    values = json.loads(chosen.body)
    game, entry = game_from(values["game"]), chance.choice(values["history"])
    seat = values["seat"]
    made = chance.randint(1, most_decisions(values["game"]))
    _, shown = until_decision(game, seat, chance.randrange(1 << 30), made)
    row = np.frombuffer(shown[-1][1].row().tobytes(), np.uint8).copy()
    for _ in range(chance.choice((1, 1, 2, 8))):
        place = chance.randrange(HEADER_BYTES, game.state.itemsize)
        row[place] = chance.choice((chance.randrange(256), 0, 1, 255, row[place] ^ 1))
    entry.pop("changed", None)
    entry["view"] = fields(received(game, seat, row.tobytes()))
    if chance.random() < 0.5:
        values["history"], values["turn"] = [{**entry, "own": None}], []
    return Asked.of(chosen.path, values, chosen.accept)


def broken_head(chosen, chance):
    """The bytes of a request whose head is broken."""
    head = chosen.head()
    if chance.random() < 0.5:
        old, new = chance.choice(BROKEN)
        head = head.replace(old, new, chance.randint(1, 3))
    return mutated(head, chance) + chosen.body
