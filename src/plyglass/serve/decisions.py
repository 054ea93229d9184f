"""`/v1/decide` in a worker: it turns a seat's history of views into a decision.

`core.admission` checks each view of a request, so a request can contain nothing that its seat does
not see. The decision depends only on the request. The agent remembers only the current turn, and
the worker makes the earlier decisions of this turn again.
"""

from __future__ import annotations

import functools
import json
import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plyglass.arena.match.agent import AgentSeat
from plyglass.core.admission import PositionRefused, admitted
from plyglass.core.game import Game
from plyglass.core.scene import Imagined
from plyglass.core.world import View
from plyglass.search.interface import Budget, Decision, LiveBelief
from plyglass.serve.belief_cache import BeliefCache, Lookup, Shown
from plyglass.serve.catalogue import Served, scene_of
from plyglass.serve.protocol import Refused

Tell = Callable[[str, dict[str, Any]], None]
"""A function that sends an event of a stream: its name and its values."""
Cancelled = Callable[[], bool]
beliefs = BeliefCache()
"""The cached beliefs of this worker."""
UNWATCHED = ("random", "policy")  # planners that draw random numbers when asked for their result
KEPT_VIEWS = 4096
LEAST_SECONDS = 1e-3
HASTE = 0.005  # the search ends at least this many seconds before the deadline
WORLDS = 200  # the number of worlds in the picture of a belief


def decide(
    served: Served, request: Mapping[str, Any], seconds: float, tell: Tell, cancelled: Cancelled
) -> dict[str, Any]:
    """Answer a request by a search of at most `seconds` that ends before the deadline."""
    end = time.monotonic() + request["left"] - HASTE
    agent = served.agent(request["agent"], request["expert"])
    trusted = request.get("trusted", False)
    served.refuse_untrusted(trusted)
    history = admitted_history(served.game, request["seat"], request["history"], trusted)
    seat = agent.take_seat(served.game, request["seat"], request["seed"])
    begun = turn_begun(served.game, history)
    if len(request["turn"]) != len(history) - begun:
        raise Refused(
            "turn",
            f"The seat has decided {len(history) - begun} times in this turn, but turn has "
            f"{len(request['turn'])} numbers.",
            "turn",
        )
    before = history[:begun]
    asked = request["budget"]
    counted = bool(request["turn"]) or asked["iterations"] is not None
    began = time.monotonic()
    seconds = min(seconds, end - began)
    # a search with a time limit ends by itself; its limit excludes the time before the search
    seat.cancelled = over = until(cancelled, seconds if counted else end - began)
    lookup = Lookup(beliefs, (served.id, agent, request["seat"], request["seed"]), before)
    seat.on_belief = lambda belief: lookup.prepare(belief, over, counted)
    for each in before:
        seat.observe(*each)
    for iterations, each in zip(request["turn"], history[begun:], strict=True):
        _decision(seat, Budget(iterations=max(1, iterations)))
        seat.observe(*each)
    if asked["iterations"] is not None:
        budget, degraded = Budget(iterations=asked["iterations"]), False
    else:
        replayed = time.monotonic() - began if request["turn"] else 0.0
        left = max(LEAST_SECONDS, seconds - replayed)
        budget, degraded = Budget(seconds=min(asked["seconds"], left)), asked["seconds"] > left
    if request["report_every_ms"] and agent.planner.name not in UNWATCHED:
        seat.cancelled = watched(seat, over, request["report_every_ms"] / 1000, tell)
    decision = _decision(seat, budget)
    if budget.iterations is not None and decision.stop is not None:
        degraded = decision.iterations < budget.iterations
    return {
        **thought(served.game, history[-1][1], decision),
        "id": request["id"],
        "action": choice(served.game, decision.action, history[-1][1]),
        "turn": [*request["turn"], decision.iterations],
        "granted": {k: v for k, v in vars(budget).items() if v is not None},
        "degraded": degraded,
        "found_belief": lookup.found,
    }


def _decision(seat: AgentSeat, budget: Budget) -> Decision:
    try:
        return seat.decide(budget)
    except RuntimeError as error:  # a belief or a planner that needs more than its limits
        raise Refused("agent", str(error)[:500], "agent") from None


def until(cancelled: Cancelled, seconds: float) -> Cancelled:
    """A function that returns True once a job is cancelled or `seconds` have passed from now."""
    end = time.monotonic() + seconds
    return lambda: cancelled() or time.monotonic() >= end


def admitted_history(
    game: Game, seat: int, entries: Sequence[Mapping[str, Any]], trusted: bool = False
) -> list[Shown]:
    """The views of a seat until its decision; refuses views that no seat can have seen."""
    history: list[Shown] = []
    fields: dict[str, Any] = {}
    for number, entry in enumerate(entries):
        own, where = entry["own"], f"history[{number}]"
        if entry["view"] is None and not history:
            raise Refused("history", "The first entry of a history needs a view.", where)
        fields = entry["view"] if entry["view"] is not None else {**fields, **entry["changed"]}
        place = f"{where}.{'changed' if entry['view'] is None else 'view'}"
        view = _view(game, seat, fields, place, trusted)
        _refuse_step(history, own, view, where)
        history.append((own, view))
    if history[-1][1].to_move != seat:
        raise Refused("history", f"It is not the turn of seat {seat} in the last view.", "history")
    return history


def _view(game: Game, seat: int, fields: dict[str, Any], where: str, trusted: bool) -> View:
    try:
        return _admitted(game, seat, json.dumps(fields, sort_keys=True), trusted)
    except PositionRefused as error:
        place = f"{where}.{error.field}" if error.field else where
        raise Refused(error.code, str(error), place) from None


@functools.lru_cache(maxsize=KEPT_VIEWS)
def _admitted(game: Game, seat: int, text: str, trusted: bool) -> View:
    return admitted(game, seat, json.loads(text), trusted, stays_checked=True)


def _refuse_step(history: Sequence[Shown], own: int | None, view: View, where: str) -> None:
    """Refuse an entry that cannot follow the earlier ones."""
    if not history:
        if own is not None:
            raise Refused("history", "The first entry of a history has no own action.", where)
        return
    before = history[-1][1]
    if own is None:
        if before == view:
            raise Refused("history", "An entry without an own action must show a new view.", where)
        return
    if before.to_move != view.viewer or own not in before.legal():
        raise Refused("history", f"The action {own} was not legal for the seat.", f"{where}.own")


def turn_begun(game: Game, history: Sequence[Shown]) -> int:
    """The number of entries up to the first decision of the current turn."""
    begun = len(history)
    while game.players > 1 and begun > 1 and history[begun - 1][0] is not None:
        begun -= 1
    return begun


def watched(seat: AgentSeat, over: Cancelled, every: float, tell: Tell) -> Cancelled:
    """A function that returns `over()`, and sends the search's result so far at intervals.

    The function sends only if the searching thread calls it. The clock's thread also calls it, but
    must not read the search.
    """
    thread, told = threading.get_ident(), time.monotonic()

    def ask() -> bool:
        nonlocal told
        if threading.get_ident() == thread and time.monotonic() - told >= every:
            told = time.monotonic()
            decision = seat.search.decision()
            if decision.iterations:
                tell("thought", thought(seat.game, None, decision))
        return over()

    return ask


def thought(game: Game, view: View | None, decision: Decision) -> dict[str, Any]:
    """A decision as plain values.

    If a view is given, the decision is final, and its actions have click paths.
    """

    def number(numbers: Sequence[float | None], place: int) -> float | None:
        value = numbers[place] if place < len(numbers) else None
        return None if value is None or not math.isfinite(value) else value

    actions = []
    for place, action in enumerate(decision.actions):
        value = number(decision.values, place)
        actions.append(
            {
                **choice(game, action, view),
                "value": value,
                "chance": None if value is None else game.success(value),
                "visits": number(decision.visits, place),
                "spread": number(decision.spread, place),
            }
        )
    health = decision.health
    return {
        "final": view is not None,
        "best": decision.action,
        "actions": actions,
        "line": [
            {"player": player, "id": action, "name": game.action_name(action)}
            for player, action in decision.line
        ],
        "iterations": decision.iterations,
        "seconds": decision.seconds,
        "depth": decision.depth,
        "health": None if health is None else {**vars(health)},
    }


def believed(game: Game, view: View, belief: LiveBelief) -> dict[str, Any] | None:
    """A belief as plain values: its health, and a scene with the worlds of the belief.

    Return None if the planner does not use its belief, because such a belief has observed no views.
    """
    try:
        glimpse = belief.glimpse(WORLDS)
    except RuntimeError:
        return None
    imagined = Imagined.of(*glimpse, game.state)
    health = belief.health()
    return {
        "scene": scene_of(game, view, imagined),
        "health": None if health is None else {**vars(health)},
    }


def choice(game: Game, action: int, view: View | None = None) -> dict[str, Any]:
    """An action with its name and, if its view is given, its click path."""
    steps = () if view is None else game.action_path(view, action)
    path = [step if isinstance(step, str) else list(step) for step in steps]
    return {"id": action, "name": game.action_name(action), "path": path}
