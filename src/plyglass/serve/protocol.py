"""Requests and replies as models, from which the OpenAPI schema is made.

Requests with unknown fields are refused. Clients should ignore unknown fields of replies.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictFloat, StrictInt, model_validator

VERSION = 1
MOST_BODY = 256 * 1024
MOST_ITERATIONS = 10**6
MOST_SECONDS = 10.0
MOST_HISTORY = 512
MOST_DEADLINE_MS = 30_000
LEAST_CLOCK, MOST_CLOCK = 5, 30 * 24 * 3600  # seconds that a person has for a turn
MOST_WAIT_MS = 30_000
MOST_DEPTH = 16  # levels of nested values in a record
MOST_TICKET = 200_000  # characters
MOST_NAME = 100
OPTIONS = ":"  # between the id of a game and chosen options
STATUS = {
    "unauthorized": 401, "forbidden": 403, "host": 403, "unknown": 404, "unknown-game": 404,
    "unknown-match": 404, "other-rules": 409, "other-ply": 409, "not-over": 409,
    "in-progress": 409, "other-turn": 409, "too-large": 413, "locked-out": 403, "quota": 429,
    "streams": 429, "invitation": 404, "failed": 500,
    "busy": 503, "draining": 503, "worker-died": 503, "late": 503,
}  # fmt: skip
"""The HTTP status of each problem code. The status of all other codes is 422."""

Number = StrictInt | StrictFloat
Numbers = Number | list[Number | list[Number | list[Number | list[Number]]]]
Fields = dict[Annotated[str, Field(max_length=100)], Numbers]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME)]
PersonName = Annotated[str, Field(max_length=100)]
Agent = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2000,
        description="`level:NAME`, or an agent spec if the caller may use agent specs.",
    ),
]


class Refused(Exception):
    """The reason why a request is refused.

    Attributes:
        code: the problem, for programs.
        message: the problem, for people.
        field: the field of the request that is wrong. Empty if no single field is wrong.
        retry_after_ms: the milliseconds after which the same request may succeed. None if the
            request cannot succeed.
    """

    def __init__(
        self, code: str, message: str, field: str = "", retry_after_ms: int | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.field = code, message, field
        self.retry_after_ms = retry_after_ms

    @property
    def status(self) -> int:
        return STATUS.get(self.code, 422)

    def problem(self) -> dict[str, Any]:
        """The problem as plain values."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.field:
            found["field"] = self.field
        if self.retry_after_ms is not None:
            found["retry_after_ms"] = self.retry_after_ms
        return found


class Request(BaseModel):
    """A request. The types of its fields must match exactly, and unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """Why a request was refused. Every answer with a status other than 2xx is a `Problem`."""

    code: str
    message: str
    field: str | None = None
    retry_after_ms: int | None = None


class Budget(Request):
    """How much to search: either a number of iterations or a time in seconds."""

    iterations: int | None = Field(None, ge=1, le=MOST_ITERATIONS)
    seconds: StrictFloat | StrictInt | None = Field(None, gt=0, le=MOST_SECONDS)

    @model_validator(mode="after")
    def _one(self) -> Budget:
        if (self.iterations is None) == (self.seconds is None):
            raise ValueError("Give either iterations or seconds.")
        return self


class Seen(Request):
    """An entry of a history: a view of the seat, and the seat's own action before this view.

    `own` is null if the seat did not act. The first entry of a history has a `view`. A later entry
    may instead give only the fields that `changed`.
    """

    own: int | None
    view: Fields | None = None
    changed: Fields | None = None

    @model_validator(mode="after")
    def _one(self) -> Seen:
        if (self.view is None) == (self.changed is None):
            raise ValueError("Give either a view or what changed.")
        return self


class Decide(Request):
    """A seat's history of views, and how to decide for the seat.

    The history has a view after each action of the seat. Without an action of the seat, it has a
    view only if the view changed. `turn` lists the iterations of the earlier decisions in this
    turn, as the last reply gave them.
    """

    protocol: Literal[1] = 1
    id: Annotated[str, Field(max_length=64)] = ""
    game: Name
    rules: Annotated[str, Field(max_length=64)] = ""
    seat: int = Field(ge=0, le=63)
    seed: int = Field(ge=0, lt=2**64)
    agent: Agent
    history: list[Seen] = Field(min_length=1, max_length=MOST_HISTORY)
    turn: list[Annotated[int, Field(ge=0, le=MOST_ITERATIONS)]] = Field([], max_length=MOST_HISTORY)
    budget: Budget
    deadline_ms: int = Field(5000, ge=1, le=MOST_DEADLINE_MS)
    report_every_ms: int | None = Field(None, ge=100, le=10_000)


class Choice(BaseModel):
    """An action, its name, and its click path.

    `path` lists the keys of the scene to click. The keys of an inner list are clicked in any order.
    """

    id: int
    name: str
    path: list[str | list[str]]


class Valued(Choice):
    """An action with the planner's value. `chance` is this value, scaled to 0..1."""

    value: float | None
    chance: float | None
    visits: int | None
    spread: float | None


class Step(BaseModel):
    """One action of an expected continuation."""

    player: int
    id: int
    name: str


class Health(BaseModel):
    """How good a belief is."""

    worlds: int
    effective: float
    refilled: int


class Thought(BaseModel):
    """What a planner thinks during its search, or finally at its end."""

    final: bool
    best: int
    actions: list[Valued]
    line: list[Step]
    iterations: int
    seconds: float
    depth: int
    health: Health | None


class Decided(Thought):
    """The answer to `Decide`. `degraded` is true if the search was shorter than asked for."""

    id: str
    action: Choice
    turn: list[int]
    granted: dict[str, float]
    degraded: bool
    rules: str
    server: str


class Start(Request):
    """A new match. `seats` has "me" once, and an agent or "human" for each other seat.

    `turn_seconds` is the time for an agent's turn, and `clock_seconds` the time for a person's
    turn. A person who takes longer resigns. `glass` shows me what the agents think and believe.
    `advice` names an agent that helps me. A match with `glass` or `advice` is unrated.
    """

    game: Name
    seats: list[Agent] = Field(min_length=1, max_length=64)
    seed: int | None = Field(None, ge=0, lt=2**64)
    turn_seconds: StrictFloat | StrictInt | None = Field(None, gt=0, le=MOST_SECONDS)
    clock_seconds: int | None = Field(None, ge=LEAST_CLOCK, le=MOST_CLOCK)
    glass: bool = False
    advice: Annotated[str, Field(max_length=2000)] = ""
    name: PersonName = ""


class Hosted(Request):
    """Which match: a ticket, or the name of a match that the server keeps."""

    ticket: Annotated[str, Field(max_length=MOST_TICKET)] | None = None
    match: Annotated[str, Field(max_length=64)] | None = None

    @model_validator(mode="after")
    def _one(self) -> Hosted:
        if (self.ticket is None) == (self.match is None):
            raise ValueError("Give either a ticket or a match.")
        return self


class Act(Hosted):
    """My action for my decision number `ply`."""

    ply: int = Field(ge=0)
    action: int


class Back(Hosted):
    """Take back all my decisions from number `to_ply` on."""

    to_ply: int = Field(ge=0)


class Join(Request):
    """Take the seat that somebody kept for me."""

    invitation: Annotated[str, Field(max_length=64)]
    name: PersonName = ""


class Wait(Hosted):
    """Wait until my turn, until the end of the match, or for `wait_ms` milliseconds."""

    wait_ms: int = Field(25_000, ge=0, le=MOST_WAIT_MS)


class Seated(BaseModel):
    """Who sits in a seat. `joined` is false until the invitation to the seat is used."""

    kind: Literal["me", "human", "agent"]
    name: str
    joined: bool


class Position(BaseModel):
    """What my seat sees.

    `ply` counts my decisions, and `events` tells what happened since the last of them. `match`
    names the match in my requests if the server keeps the match. `clock_ms` is the time that is
    left for my turn. `resigned` is the seat that resigned or took too long.
    """

    match: str
    game: str
    ply: int
    seat: int
    to_move: int
    over: bool
    scores: list[float] | None
    text: str
    scene: dict[str, Any] | None
    actions: list[Choice]
    events: list[str]
    resigned: int | None
    rated: bool
    players: list[Seated]
    clock_ms: int | None


class Invitation(BaseModel):
    """A code with which another person can take a seat. It works only once."""

    seat: int
    invitation: str


class Placed(BaseModel):
    """A position and, unless the server keeps the match, the ticket to continue from there."""

    position: Position
    ticket: str | None = None
    invitations: list[Invitation] | None = None
    server: str


class Analyse(Request):
    """A position of my match or of a record, and how to analyse the position.

    `ply` is the number of the seat's decision to analyse. If `ply` is null, the seat's last view is
    analysed. In a record, `after` is the number of actions by all players before the position.
    Before the end of a match, I can analyse my own seat with my adviser, and other seats only in a
    glass match.
    """

    ticket: Annotated[str, Field(max_length=MOST_TICKET)] | None = None
    match: Annotated[str, Field(max_length=64)] | None = None
    record: dict[str, Any] | None = None
    seat: int = Field(ge=0, le=63)
    ply: int | None = Field(None, ge=0)
    after: int | None = Field(None, ge=0)
    agent: Annotated[str, Field(max_length=2000)] = ""
    budget: Budget = Field(default_factory=lambda: Budget(iterations=None, seconds=1.0))
    want: list[Literal["values", "line", "belief"]] = Field(["values", "line"], max_length=3)
    deadline_ms: int = Field(15_000, ge=1, le=MOST_DEADLINE_MS)
    report_every_ms: int | None = Field(None, ge=100, le=10_000)

    @model_validator(mode="after")
    def _one(self) -> Analyse:
        if [self.ticket, self.match, self.record].count(None) != 2:
            raise ValueError("Give a ticket, a match or a record.")
        if self.after is not None and (self.record is None or self.ply is not None):
            raise ValueError("Give after only for a record, and without ply.")
        _refuse_depth(self.record)
        return self


def _refuse_depth(value: Any) -> None:
    """Refuse values that are nested so deeply that later steps would run out of stack."""
    level, depth = [value], 0
    while level := [each for each in level if isinstance(each, dict | list)]:
        depth += 1
        if depth > MOST_DEPTH:
            raise ValueError(f"A record has at most {MOST_DEPTH} levels.")
        inner = [each.values() if isinstance(each, dict) else each for each in level]
        level = [value for values in inner for value in values]


class Believed(BaseModel):
    """A seat's belief: how good the belief is, and a scene with the worlds of the belief."""

    scene: dict[str, Any] | None
    health: Health | None


class Analysed(BaseModel):
    """A seat's position, and what the agent believes there.

    If the seat is to move, the agent also says what it thinks of each action.
    """

    game: str
    seat: int
    ply: int
    text: str
    scene: dict[str, Any] | None
    thought: Thought | None
    belief: Believed | None
    server: str


class Watch(Request):
    """A match between agents to watch. If `belief` is true, their beliefs are sent, too."""

    game: Name
    seats: list[Agent] = Field(min_length=1, max_length=64)
    seed: int | None = Field(None, ge=0, lt=2**64)
    pace_ms: int = Field(500, ge=0, le=10_000)
    belief: bool = False


class WatchedSeat(BaseModel):
    """What a seat in a match between agents sees and believes."""

    text: str
    scene: dict[str, Any] | None
    belief: Believed | None


class Watched(BaseModel):
    """A position of a match between agents, after an action by `player`.

    `thought` is what the player thought when it chose the action. It is null unless the request
    has set `belief`.
    """

    ply: int
    player: int | None
    action: str | None
    thought: Thought | None
    to_move: int
    over: bool
    scores: list[float] | None
    seats: list[WatchedSeat]


class Glimpse(BaseModel):
    """What an agent in a glass match believed before its decision, and what it thinks of it.

    `belief` is null in all but the first event of a decision.
    """

    seat: int
    thought: Thought | None
    belief: Believed | None


class OfRecord(Request):
    """A request about a record."""

    record: dict[str, Any]
    seed: int = Field(0, ge=0, lt=2**64)

    @model_validator(mode="after")
    def _flat(self) -> OfRecord:
        _refuse_depth(self.record)
        return self


class Review(OfRecord):
    """A record to review. `plies` lists the decisions to review, counted from 0; null means all."""

    plies: list[Annotated[int, Field(ge=0)]] | None = Field(None, max_length=2000)
    pairs: int = Field(32, ge=8, le=256)


class Reviewed(BaseModel):
    """A decision of a record: its chance, regret, mark and luck, as `pg.review` returns them."""

    ply: int
    player: int
    action: int
    name: str
    best: int
    best_name: str
    chance: float | None
    regret: float
    low: float | None
    high: float | None
    mark: str
    luck: float | None


class WhyNot(OfRecord):
    """A decision of a record, and another action to compare with."""

    ply: int = Field(ge=0)
    instead: int
    pairs: int = Field(64, ge=16, le=1024)
    deadline_ms: int = Field(MOST_DEADLINE_MS, ge=1, le=MOST_DEADLINE_MS)


class Why(BaseModel):
    """What another action would have changed, as `pg.why` returns it."""

    better: float
    low: float
    high: float
    pairs: int
    fact: str | None
    when: float | None
    otherwise: float | None
    likely: float | None
    sentence: str
    seed: int
    server: str


class Run(BaseModel):
    """A tournament in the server's folder of runs. `changed` is its last change, in Unix time."""

    id: str
    changed: float


class Standing(BaseModel):
    """The result of an agent in a game, with 95 % intervals."""

    agent: str
    game: str
    games: int
    unit: str
    rate: float | None
    low: float | None
    high: float | None
    mean: float
    mean_low: float | None
    mean_high: float | None
    faults: int


class Sprt(BaseModel):
    """A sequential test: its bounds, and its log-likelihood ratios after some numbers of pairs."""

    pairs: list[int]
    ratios: list[float]
    lower: float
    upper: float


class Standings(BaseModel):
    """The results of a run so far. `decision` says why the run ended, or how far it has come."""

    games: list[str]
    agents: dict[str, str]
    played: int
    total: int
    decision: str
    standings: list[Standing]
    sprt: Sprt | None


class MeasuredLevel(BaseModel):
    """The result of a level against the level before, with the result's 95 % interval.

    The kind "points" is the share of points in matches between the two levels. In a game for one
    player, the kind "gain" is the difference of the levels' mean scores on the same deals.
    """

    kind: Literal["points", "gain"]
    score: float
    low: float
    high: float
    games: int
    against: str


class PlayedMatch(BaseModel):
    """A match of a run, with agents and scores by seat. An unfinished match has no scores."""

    number: int
    game: str
    agents: list[str]
    scores: list[float]
    status: str
    steps: int


class Level(BaseModel):
    """An opponent, its agent spec, and its measured strength. The easiest level has no result."""

    id: str
    agent: str
    measured: MeasuredLevel | None = None


class Option(BaseModel):
    """An option of a game. Requests choose options in `game`, as `ID:NAME=VALUE,...`."""

    name: str
    values: list[str]
    value: str


class Game(BaseModel):
    """A game that the server knows. Records name the game by `text`."""

    id: str
    text: str
    name: str
    summary: str
    players: int
    seats: list[str]
    hides: bool
    cooperative: bool
    rules: str
    fields: dict[str, list[int]]
    levels: list[Level]
    options: list[Option]


class Loading(BaseModel):
    """What a server that starts is loading: the game, the number of loaded games, and of all."""

    game: str
    done: int
    count: int


class About(Game):
    """A game or variant, with its rules as Markdown and one of its positions as a scene."""

    manual: str
    scene: dict[str, Any] | None
