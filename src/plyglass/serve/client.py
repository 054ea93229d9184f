"""A Python client: the server's API as methods, and a player that asks a server's agent.

Beyond Plyglass, the client needs only the standard library.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from plyglass.core.game import Game
from plyglass.core.ranges import fields_of
from plyglass.core.world import View
from plyglass.search.interface import Decision, Health

DEADLINE_MS = 5000
SLACK = 5.0  # seconds that an answer may take beyond its deadline


class ServerProblem(RuntimeError):
    """The server refused a request.

    Attributes:
        status: the HTTP status.
        code, field, retry_after_ms: the fields of the server's `Problem`.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("message", f"The server answered {status}."))
        self.status, self.code = status, problem.get("code", "")
        self.field, self.retry_after_ms = problem.get("field"), problem.get("retry_after_ms")


class Client:
    """A connection to a server.

    >>> client = Client("http://127.0.0.1:8008")
    >>> client.start("connect-four", ["me", "level:easy"])["position"]["actions"]
    """

    def __init__(self, url: str, token: str = "", timeout: float = 30.0 + SLACK) -> None:
        parts = urlsplit(url)
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if parts.scheme not in kinds or not parts.hostname:
            raise ValueError(f"The address of a server begins with http://, not {url[:50]!r}.")
        self._connection = kinds[parts.scheme](parts.hostname, parts.port, timeout=timeout)
        self._headers = {"content-type": "application/json"}
        if token:
            self._headers["authorization"] = f"Bearer {token}"

    def games(self) -> list[dict[str, Any]]:
        """The games that the server knows."""
        found: list[dict[str, Any]] = self.ask("GET", "/v1/games")
        return found

    def start(self, game: str, seats: list[str], **more: Any) -> dict[str, Any]:
        """Begin a hosted match; one of the seats is "me"."""
        return self.post("/v1/matches", {"game": game, "seats": seats, **more})

    def act(self, placed: Mapping[str, Any], action: int) -> dict[str, Any]:
        """Play an action in a match; `placed` is the last answer about the match."""
        values = {"ply": placed["position"]["ply"], "action": action}
        return self.post("/v1/matches/act", {**hosted(placed), **values})

    def back(self, placed: Mapping[str, Any], to_ply: int) -> dict[str, Any]:
        """Take back your decisions from number `to_ply` on."""
        return self.post("/v1/matches/back", {**hosted(placed), "to_ply": to_ply})

    def join(self, invitation: str, name: str = "") -> dict[str, Any]:
        """Take the seat that somebody kept for you in their match."""
        return self.post("/v1/matches/join", {"invitation": invitation, "name": name})

    def wait(self, placed: Mapping[str, Any], wait_ms: int = 25_000) -> dict[str, Any]:
        """Wait for your turn in a match between people, for at most `wait_ms` milliseconds."""
        return self.post("/v1/matches/wait", {**hosted(placed), "wait_ms": wait_ms})

    def resign(self, placed: Mapping[str, Any]) -> dict[str, Any]:
        """Resign a match."""
        return self.post("/v1/matches/resign", hosted(placed))

    def analyse(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What an agent thinks and believes in a position of a match or a record."""
        return self.post("/v1/analyse", request)

    def why(self, record: Mapping[str, Any], ply: int, instead: int, **more: Any) -> dict[str, Any]:
        """What the action `instead` at decision `ply` of a record would have changed."""
        return self.post("/v1/why", {"record": record, "ply": ply, "instead": instead, **more})

    def record(self, placed: Mapping[str, Any]) -> dict[str, Any]:
        """The record of a match that is over."""
        return self.post("/v1/matches/record", hosted(placed))

    def decide(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A decision for one seat of a game that the server does not host."""
        return self.post("/v1/decide", request)

    def post(self, path: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a POST request with these values."""
        found: dict[str, Any] = self.ask("POST", path, values)
        return found

    def ask(self, method: str, path: str, values: Mapping[str, Any] | None = None) -> Any:
        """The answer to a request; raises `ServerProblem` if the server refuses the request."""
        body = None if values is None else json.dumps(values)
        kept = self._connection.sock is not None
        try:
            status, text = self._asked(method, path, body)
        except (ConnectionError, http.client.RemoteDisconnected):
            if not kept:
                raise
            status, text = self._asked(method, path, body)  # the server closed the idle connection
        found = json.loads(text)
        if status != 200:
            raise ServerProblem(status, found)
        return found

    def _asked(self, method: str, path: str, body: str | None) -> tuple[int, bytes]:
        try:
            self._connection.request(method, path, body, self._headers)
            response = self._connection.getresponse()
            return response.status, response.read()
        except (OSError, http.client.HTTPException):
            self._connection.close()  # the next request opens it again
            raise

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def hosted(placed: Mapping[str, Any]) -> dict[str, Any]:
    """The field of a request that names a match: its ticket, or its id if the server keeps it."""
    if placed.get("ticket"):
        return {"ticket": placed["ticket"]}
    return {"match": placed["position"]["match"]}


def fields(view: View) -> dict[str, Any]:
    """The fields of a view by name, as requests contain them."""
    record = view.record
    return {name: record[name].tolist() for name in fields_of(view.game)}


@dataclass(frozen=True)
class RemoteAgent:
    """A player that asks a server for every decision.

    Attributes:
        url, token: the server's address, and the token that the server asks for.
        game: the game's id on the server. By default, this is the game's name.
        agent: `level:NAME`, or an agent spec.
        iterations: the budget of each decision.
    """

    url: str
    agent: str = "level:easy"
    game: str = ""
    iterations: int = 1000
    token: str = ""
    cheats = False

    def take_seat(self, game: Game, seat: int, seed: int) -> RemoteSeat:
        return RemoteSeat(self, game, seat, seed)


class RemoteSeat:
    """The seat of a `RemoteAgent` in one match, with the history of the seat's views."""

    def __init__(self, agent: RemoteAgent, game: Game, seat: int, seed: int) -> None:
        self._agent, self._game, self._seat, self._seed = agent, game, seat, seed
        self._client = Client(agent.url, agent.token)
        self._history: list[dict[str, Any]] = []
        self._last: dict[str, Any] = {}
        self._turn: list[int] = []

    def observe(self, own_action: int | None, view: View) -> None:
        now = fields(view)
        changed = {name: value for name, value in now.items() if self._last.get(name) != value}
        shown = {"changed": changed} if self._history else {"view": now}
        self._history.append({"own": own_action, **shown})
        self._last = now
        if view.to_move != self._seat or self._game.players == 1:
            self._turn = []

    def decide(self) -> Decision:
        found = self._client.decide(
            {
                "game": self._agent.game or self._game.name,
                "seat": self._seat,
                "seed": self._seed,
                "agent": self._agent.agent,
                "history": self._history,
                "turn": self._turn,
                "budget": {"iterations": self._agent.iterations},
                "deadline_ms": DEADLINE_MS,
            }
        )
        self._turn = found["turn"]
        return decision_of(found)


def decision_of(found: Mapping[str, Any]) -> Decision:
    """The decision in a server's answer."""
    actions, health = found["actions"], found["health"]
    return Decision(
        found["best"],
        tuple(each["id"] for each in actions),
        tuple(each["value"] for each in actions),
        tuple(each["visits"] or 0 for each in actions),
        tuple((each["player"], each["id"]) for each in found["line"]),
        iterations=found["iterations"],
        depth=found["depth"],
        seconds=found["seconds"],
        # field by field, because later servers may send more fields
        health=health and Health(health["worlds"], health["effective"], health["refilled"]),
    )
