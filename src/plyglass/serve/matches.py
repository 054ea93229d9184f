"""Hosted matches in a worker: the server owns the world, and a client sends actions.

A match is kept as plain values: the players, the seed and the moves so far. A worker replays the
moves, plays the client's action, and lets agents play until the client decides again. Agents
remember only the current turn, so they play alike in every worker.

The position that a client receives is made from the client's own views, never from the world.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from plyglass.arena.match.agent import Agent, AgentSeat
from plyglass.arena.match.match import first_position, is_shown
from plyglass.arena.match.record import PERSON, Record, rules_of
from plyglass.arena.specs import agent_from, text_of_agent, text_of_game
from plyglass.core.game import Game
from plyglass.core.seeds import derive, new_secret
from plyglass.core.world import View
from plyglass.search.interface import Budget, Decision
from plyglass.serve.belief_cache import Shown
from plyglass.serve.catalogue import Served, scene_of
from plyglass.serve.decisions import UNWATCHED, Cancelled, Tell, believed, choice, thought, watched
from plyglass.serve.protocol import Refused
from plyglass.trust import as_data

ME, HUMAN = "me", "human"
GLASS = 0.2  # seconds between two thoughts that an agent sends in a glass match
LATER: dict[str, Any] = {"seats": [], "people": [], "resigned": None, "glass": False, "advice": ""}
"""Values for fields that a match in an older ticket does not have."""


def new_match(served: Served, request: Mapping[str, Any]) -> dict[str, Any]:
    """A new match as a request describes it, before its first move."""
    game, seats = served.game, request["seats"]
    if len(seats) != game.players or seats.count(ME) != 1:
        raise Refused(
            "seats",
            f"{served.id} has {game.players} seats, of which one is {ME!r} and the others are "
            f"agents or {HUMAN!r}; {len(seats)} were given.",
            "seats",
        )
    people = (ME, HUMAN)
    if request["advice"]:
        served.agent(request["advice"], request["expert"])
    return {
        **LATER,
        "id": secrets.token_hex(8),
        "game": served.id,
        "rules": rules_of(game),
        "seat": seats.index(ME),
        "name": request["name"],
        "seats": seats,
        "players": [
            PERSON if text in people else spec_of(served, text, request) for text in seats
        ],
        "seed": new_seed(request["seed"]),
        "undone": 0,
        "moves": [],
        "glass": request["glass"],
        "advice": request["advice"],
        "clock_seconds": request["clock_seconds"],
    }  # fmt: skip


def new_seed(asked: int | None) -> int:
    """Return the seed that a client asks for, or a secret seed if `asked` is None."""
    return new_secret() if asked is None else asked


def spec_of(served: Served, text: str, request: Mapping[str, Any]) -> str:
    """The agent that a client names, as a spec for a record."""
    agent = served.agent(text, request["expert"])
    if request["turn_seconds"] is not None:
        agent = replace(agent, budget=Budget(turn_seconds=request["turn_seconds"]))
    return text_of_agent(agent)


class HostedMatch:
    """A match from its first move to the next decision of a person.

    Attributes:
        served, seat: the game, and the client's seat.
        ply: the number of the client's decisions so far.
        decided: the last decision by an agent in this object, with the agent's view. None if no
            agent has decided yet.
    """

    def __init__(
        self, served: Served, match: Mapping[str, Any], seat: int | None = None, handle: str = ""
    ) -> None:
        """Replay a match for the person in `seat`, by default the one who began the match.

        This person's requests name the match by `handle`, which is the match's id by default.
        """
        if match["rules"] != rules_of(served.game):
            raise Refused("other-rules", "The rules have changed since the match began.", "rules")
        self.served, self._game = served, served.game
        self._match = {**LATER, **match, "moves": [*match["moves"]]}
        self.seat: int = match["seat"] if seat is None else seat
        self._handle: str = handle or match["id"]
        self._world = first_position(self._game, match["seed"])
        self._seen: list[list[Shown]] = [[] for _ in range(self._game.players)]
        self._agents: dict[int, AgentSeat] = {}
        self._told = 0  # the number of the client's views up to its last decision
        self._public: list[str] = []  # others' actions since then, if the game hides nothing
        self.ply = 0
        self.decided: tuple[View, Decision] | None = None
        self._show()
        for player, action, *_ in match["moves"]:
            self._repeat(player, action)

    @property
    def over(self) -> bool:
        """Whether the match has ended, or somebody has resigned."""
        return self._world.over or self._match["resigned"] is not None

    @property
    def mover(self) -> int:
        """The seat that decides; -1 if the match is over."""
        return -1 if self.over else self._world.to_move

    @property
    def match(self) -> dict[str, Any]:
        """The match so far, as plain values."""
        return self._match

    @property
    def scores(self) -> list[float] | None:
        """The final scores. None before the end, because scores can reveal hidden information."""
        return [*self._world.scores] if self._world.over else None

    def shown(self, seat: int) -> list[Shown]:
        """All that a seat has seen, in order, as pairs (own action or None, view)."""
        return self._seen[seat]

    def act(self, action: int) -> None:
        """Play the client's action."""
        if self.over:
            raise Refused("illegal-action", "The match is over.", "action")
        if self.mover != self.seat:
            raise Refused("other-turn", "Another player decides now; wait for your turn.", "action")
        if action not in self._world.legal():  # an illegal action may have no name
            raise Refused("illegal-action", f"The action {action} is not legal here.", "action")
        self._play(self.seat, action)
        self._match["moves"].append([self.seat, action, 0, None])

    def go_on(self, tell: Tell, cancelled: Cancelled, kept: bool = False) -> None:
        """Let agents play until it is a person's turn, or the match is over."""
        while (mover := self.mover) >= 0 and self._match["players"][mover] != PERSON:
            before = len(self._seen[self.seat])
            if self._match["glass"]:
                self._decide_in_sight(mover, tell, cancelled)
            else:
                self._decide(mover, cancelled)
            if len(self._seen[self.seat]) > before:
                tell("position", self.position(kept))

    def play_turn(self, on_move: Callable[[], None], cancelled: Cancelled) -> None:
        """Let the agent to move play until it is another player's turn, or the match is over."""
        mover = self.mover
        while mover >= 0 and self.mover == mover:
            self._decide(mover, cancelled)
            on_move()

    def resign(self) -> None:
        """Resign the match for the client."""
        if self.over:
            raise Refused("illegal-action", "The match is over.")
        self._match["resigned"] = self.seat

    def take_back(self, ply: int) -> HostedMatch:
        """The match before the client's decision number `ply`."""
        own = [place for place, move in enumerate(self._match["moves"]) if move[0] == self.seat]
        if ply >= len(own):
            raise Refused("other-ply", f"Only {len(own)} decisions were made.", "to_ply")
        kept = self._match["moves"][: own[ply]]
        undone = self._match["undone"] + len(own) - ply
        changed = {"moves": kept, "undone": undone, "resigned": None}
        return HostedMatch(self.served, {**self._match, **changed})

    def last_action(self) -> int | None:
        """The client's last action; None before the first."""
        own = [move[1] for move in self._match["moves"] if move[0] == self.seat]
        return own[-1] if own else None

    def position(self, kept: bool = False) -> dict[str, Any]:
        """The client's position.

        The match counts as rated if the server keeps the match (`kept`) and nobody has aids.
        """
        match, seen = self._match, self._seen[self.seat][max(0, self._told - 1) :]
        found = {
            "match": self._handle,
            "game": self.served.id,
            "ply": self.ply,
            **position(self._game, self.seat, seen, self._public),
            "over": self.over,
            "scores": self.scores,
            "resigned": match["resigned"],
            "rated": kept and not aids(match),
            "players": [self._player(seat) for seat in range(self._game.players)],
            "clock_ms": None,
        }
        return {**found, "to_move": -1, "actions": []} if self.over else found

    def _player(self, seat: int) -> dict[str, Any]:
        """The public description of the player in a seat."""
        match = self._match
        person = match["players"][seat] == PERSON
        kind = (ME if seat == self.seat else HUMAN) if person else "agent"
        guest = next((each for each in match["people"] if each["seat"] == seat), None)
        name = self._name(seat) if person else [*match["seats"], *match["players"]][seat]
        return {"kind": kind, "name": name, "joined": not guest or bool(guest["key"])}

    def _name(self, seat: int) -> str:
        """The name that the person in a seat gave. Empty if the person gave no name."""
        match = self._match
        names = {match["seat"]: match["name"]}
        names |= {each["seat"]: each["name"] for each in match["people"]}
        return str(names.get(seat, ""))

    def record(self) -> dict[str, Any]:
        """The record of the match, which reveals all hidden information; refused before the end."""
        if not self.over:
            raise Refused("not-over", "The record reveals what is hidden; play to the end first.")
        match = self._match
        players = [
            f"{PERSON}:{name}" if each == PERSON and (name := self._name(seat)) else each
            for seat, each in enumerate(match["players"])
        ]
        moves = [
            {
                **({} if stop is None else {"stop": stop}),
                "player": player, "action": action, "iterations": iterations,
                "visits": [], "values": [],
            }
            for player, action, iterations, stop in match["moves"]
        ]  # fmt: skip
        return Record(
            game=text_of_game(self._game),
            players=tuple(players),
            seed=match["seed"],
            moves=tuple(moves),
            scores=tuple(self._world.scores) if self._world.over else (),
            cheated=False,
            undone=match["undone"],
            rules=match["rules"],
            aids=aids(match),
            resigned=match["resigned"],
        ).sealed()

    def agent(self, seat: int) -> Agent:
        """The agent in a seat."""
        with as_data():
            return agent_from(self._match["players"][seat])

    def taken(self, seat: int) -> AgentSeat:
        """Return the seat of an agent after the agent has observed all its views so far."""
        if seat not in self._agents:
            place = self.agent(seat).take_seat(
                self._game, seat, derive(self._match["seed"], seat + 1)
            )
            for each in self._seen[seat]:
                place.observe(*each)
            self._agents[seat] = place
        return self._agents[seat]

    def _decide_in_sight(self, mover: int, tell: Tell, cancelled: Cancelled) -> None:
        """Let an agent decide, and meanwhile send what it believes and thinks."""
        place, view = self.taken(mover), self._seen[mover][-1][1]

        def show(_: str, thinks: dict[str, Any]) -> None:
            tell("glass", {"seat": mover, "thought": thinks, "belief": None})

        belief = None
        if self._game.hides:
            twin = place.belief.fork()  # so the picture of the belief does not change the decision
            with twin.clock.started(None, cancelled):
                belief = believed(self._game, view, twin)
        tell("glass", {"seat": mover, "thought": None, "belief": belief})
        if self.agent(mover).planner.name not in UNWATCHED:
            cancelled = watched(place, cancelled, GLASS, show)
        self._decide(mover, cancelled)
        if self.decided:
            show("thought", thought(self._game, *self.decided))

    def _decide(self, mover: int, cancelled: Cancelled) -> None:
        self.taken(mover).cancelled = cancelled
        view = self._seen[mover][-1][1]
        decision = self._agents[mover].decide()
        self.decided = view, decision
        self._play(mover, decision.action)
        stop = None if decision.stop is None else [*decision.stop]
        self._match["moves"].append([mover, decision.action, decision.iterations, stop])

    def _repeat(self, player: int, action: int) -> None:
        """Replay a recorded move of the match."""
        if self._world.to_move != player or action not in self._world.legal():
            raise Refused("record", f"The action {action} of seat {player} was not possible.")
        self._play(player, action)

    def _play(self, player: int, action: int) -> None:
        self._world.apply(action)
        self._show(player, action)
        if player == self.seat:
            self.ply += 1
            self._told, self._public = len(self._seen[player]), []
        elif not self._game.hides:
            self._public.append(
                f"{self._game.player_name(player)}: {self._game.action_name(action)}"
            )

    def _show(self, player: int = -1, action: int = 0) -> None:
        """Tell the mover its own action; show the new view to every seat whose view has changed."""
        for seat, seen in enumerate(self._seen):
            view = self._world.hide(seat)
            own = action if seat == player else None
            if is_shown(own, view, seen[-1][1] if seen else None):
                seen.append((own, view))
                if seat in self._agents:
                    self._agents[seat].observe(own, view)


def aids(match: Mapping[str, Any]) -> tuple[str, ...]:
    """The aids that a person has in a match, as its record names them."""
    glass = ("glass",) if match["glass"] else ()
    return (*glass, f"advice:{match['advice']}") if match["advice"] else glass


def position(game: Game, seat: int, seen: Sequence[Shown], public: Sequence[str]) -> dict[str, Any]:
    """A seat's position, made from what the seat has seen since its last decision.

    `public` lists what others did, in games that hide nothing.
    """
    view = seen[-1][1]
    events = [*public]
    for (_, before), (_, after) in itertools.pairwise(seen):
        events.extend(game.events(before, after))
    own = view.to_move == seat
    return {
        "seat": seat,
        "to_move": view.to_move,
        "text": game.text(view),
        "scene": scene_of(game, view),
        "actions": [choice(game, action, view) for action in view.legal()] if own else [],
        "events": events,
    }
