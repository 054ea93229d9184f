"""Analyses of positions, and matches between agents, as jobs in a worker.

An analysis says what an agent thinks and believes. It uses only what one seat has seen. Before the
end of a hosted match, a client may analyse only their own seat. In a glass match, which shows what
the agents think, the client may analyse any seat.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from plyglass.arena.match.agent import Agent, AgentSeat
from plyglass.arena.match.claims import checked_claims
from plyglass.arena.match.record import Record, rules_of
from plyglass.core.world import View
from plyglass.search.interface import Budget
from plyglass.serve.belief_cache import Lookup, Shown
from plyglass.serve.catalogue import LEVEL, Catalogue, Served, scene_of
from plyglass.serve.decisions import (
    UNWATCHED,
    Cancelled,
    Tell,
    beliefs,
    believed,
    thought,
    until,
    watched,
)
from plyglass.serve.matches import LATER, HostedMatch, new_seed, spec_of
from plyglass.serve.protocol import Refused


def analyse(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """Return what an agent thinks and believes in a seat's position."""
    if job["record"] is not None:
        match = recorded(catalogue, job["record"], job.get("after"))
    else:
        hosted = job["hosted"]
        match = HostedMatch(catalogue.game(hosted["game"]), hosted, job["own"])
    return analysed(match, job, tell, cancelled)


def analysed(
    match: HostedMatch, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """Analyse a position of a match; refuse a position that its client may not see."""
    served, seat = match.served, job["seat"]
    if seat >= served.game.players:
        raise Refused("seats", f"{served.id} has {served.game.players} seats.", "seat")
    agent = _allowed(match, job)
    history = _until(match.shown(seat), job["ply"])
    view = history[-1][1]
    place = agent.take_seat(served.game, seat, 0)
    for each in history:
        place.observe(*each)
    found = None
    if view.to_move == seat and {"values", "line"} & {*job["want"]}:
        lookup = Lookup(beliefs, (served.id, agent, seat, 0), history)
        over, counted = until(cancelled, job["grant"]), job["budget"]["iterations"] is not None
        place.on_belief = lambda belief: lookup.prepare(belief, over, counted)
        found = _thought(place, agent, view, job, tell, over)
    return {
        "game": served.id,
        "seat": seat,
        "ply": sum(own is not None for own, _ in history),
        "text": served.game.text(view),
        "scene": scene_of(served.game, view),
        "thought": found,
        "belief": believed(served.game, view, place.belief) if "belief" in job["want"] else None,
    }


def _allowed(match: HostedMatch, job: Mapping[str, Any]) -> Agent:
    """Return the agent that analyses; refuse a seat or agent that would help to cheat."""
    served, asked, state = match.served, job["agent"], match.match
    if match.over or job["record"] is not None:
        return served.agent(asked or f"{LEVEL}{[*served.levels][-1]}", job["expert"])
    if job["seat"] != match.seat:
        if not state["glass"]:
            raise Refused(
                "forbidden", "Before the end, only a glass match shows other seats.", "seat"
            )
        return served.agent(asked, job["expert"]) if asked else match.agent(job["seat"])
    if not state["advice"]:
        raise Refused("forbidden", "The match was begun without advice.", "seat")
    if asked not in ("", state["advice"]):
        raise Refused("forbidden", f"The adviser of this match is {state['advice']}.", "agent")
    return served.agent(state["advice"], job["expert"])


def _until(shown: list[Shown], ply: int | None) -> list[Shown]:
    """Return what a seat has seen before its decision `ply`; without `ply`, all it has seen."""
    if ply is None:
        return shown
    acted = [place for place, (own, _) in enumerate(shown) if own is not None]
    if ply > len(acted):
        raise Refused("other-ply", f"The seat has decided {len(acted)} times.", "ply")
    return shown[: acted[ply]] if ply < len(acted) else shown


def _thought(
    place: AgentSeat, agent: Agent, view: View, job: Mapping[str, Any], tell: Tell, over: Cancelled
) -> dict[str, Any]:
    place.cancelled = over
    if job["report_every_ms"] and agent.planner.name not in UNWATCHED:
        place.cancelled = watched(place, over, job["report_every_ms"] / 1000, tell)
    budget = {name: value for name, value in job["budget"].items() if value is not None}
    try:
        return thought(place.game, view, place.decide(Budget(**budget)))
    except RuntimeError as error:  # a belief or a planner that needs more than its limits
        raise Refused("agent", str(error)[:500], "agent") from None


def recorded(catalogue: Catalogue, values: Any, after: int | None = None) -> HostedMatch:
    """Replay the match in a record that a client sent, with the server's rules of the game.

    `after` is the number of actions to replay. None replays all actions.
    """
    needed = {each.name: False for each in fields(Record)[:-1]}
    needed |= dict.fromkeys(("game", "players", "seed", "moves", "scores"), True)
    try:
        claims, _ = checked_claims(values, needed)
    except (ValueError, TypeError) as error:
        raise Refused("record", f"This is no record: {error}."[:500], "record") from None
    if claims.get("start"):
        raise Refused(
            "record", "A record with its own start position cannot be used here.", "record"
        )
    served = catalogue.of_text(claims["game"])
    match = {
        **LATER,
        "id": "",
        "game": served.id,
        "rules": claims.get("rules") or rules_of(served.game),
        "seat": 0,
        "name": "",
        "players": claims["players"],
        "seed": claims["seed"],
        "undone": 0,
        "moves": [[each["player"], each["action"], 0, None] for each in claims["moves"][:after]],
    }
    return HostedMatch(served, match)


# -- agents against agents


def watch(
    catalogue: Catalogue, job: Mapping[str, Any], tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """Play the next turn of a match between agents, and send every position."""
    served = catalogue.game(job["game"])
    match = HostedMatch(served, job["hosted"] or _exhibition(served, job))

    def show() -> None:
        tell("position", _shown_to_all(match, job["belief"]))

    if not match.match["moves"]:
        show()
    match.play_turn(show, until(cancelled, job["grant"]))
    return {"hosted": match.match, "record": match.record() if match.over else None}


def _exhibition(served: Served, job: Mapping[str, Any]) -> dict[str, Any]:
    """A new match without people, as plain values."""
    if len(job["seats"]) != served.game.players:
        raise Refused("seats", f"{served.id} has {served.game.players} seats.", "seats")
    return {
        **LATER,
        "id": secrets.token_hex(8),
        "game": served.id,
        "rules": rules_of(served.game),
        "seat": 0,
        "name": "",
        "seats": job["seats"],
        "players": [spec_of(served, text, {**job, "turn_seconds": None}) for text in job["seats"]],
        "seed": new_seed(job["seed"]),
        "undone": 0,
        "moves": [],
    }


def _shown_to_all(match: HostedMatch, belief: bool) -> dict[str, Any]:
    """Return what every seat sees and, if `belief` is true, what the seat believes."""
    game, moves = match.served.game, match.match["moves"]
    seats = []
    for seat in range(game.players):
        view = match.shown(seat)[-1][1]
        beliefs = None
        if belief and game.hides and not match.over:
            beliefs = believed(game, view, match.taken(seat).belief)
        seats.append({"text": game.text(view), "scene": scene_of(game, view), "belief": beliefs})
    return {
        "ply": len(moves),
        "player": moves[-1][0] if moves else None,
        "action": game.action_name(moves[-1][1]) if moves else None,
        "thought": thought(game, *match.decided) if belief and match.decided else None,
        "to_move": match.mover,
        "over": match.over,
        "scores": match.scores,
        "seats": seats,
    }
