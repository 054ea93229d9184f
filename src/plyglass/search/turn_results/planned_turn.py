"""What searches for whole turns share: a plan that is carried out without another search as long
as what is seen is what was planned.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.world import View
from plyglass.search.interface import Budget, Decision, LiveBelief, Search, Spent, run_in_slices
from plyglass.search.turn_results import minimax as lookahead
from plyglass.search.turn_results.best_turn import NONE, best_gamble
from plyglass.search.turn_results.workspace import (
    DEEP,
    FULL,
    INSIDE,
    LONG_TAPE,
    LUCKY_ACTIONS,
    RESULT,
    Pools,
    Terms,
)
from plyglass.search.values import evaluator_of

FAULTS = {
    FULL: "has a turn with more than {room} positions; give the planner more room.",
    LONG_TAPE: f"draws luck more than {MOST_DRAWS} times in one action, which is more than can be "
    "enumerated.",
    DEEP: f"draws luck in more than {LUCKY_ACTIONS} actions of a turn.",
}
Step = tuple[int, int]  # an action, and the hash of what it leads to
AIMED = 64  # positions after each action by which a win is looked for
UNSEEN = -1  # in place of the hash, where luck decides what it leads to


def refuse_endless(game: Game) -> None:
    """Refuse a game that is one long turn: there is no end of a turn to plan for."""
    if not game.has_turns:
        raise ValueError(
            f"{game.name} has one player and never begins a ply, so that all of it is one turn; "
            "use expectiminimax or uct."
        )


class PlannedTurn(Search):
    """A search of one seat in one match that decides on the rest of its turn at once."""

    def __init__(
        self, terms: Terms, game: Game, seat: int, belief: LiveBelief, *, most: int
    ) -> None:
        self._terms, self._game, self._seat, self._belief, self._most = (
            terms,
            game,
            seat,
            belief,
            most,
        )
        self._pools = Pools(game, seat, terms)
        self._look, self._places = self._pools.look, self._pools.places
        self._view: View | None = None
        self._world: Bytes = self._pools.states[0]
        self._plan: list[Step] = []

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        planned = self._plan.pop(0) if self._plan else None
        if planned is None or planned != (own_action, view.fingerprint):
            self._plan = []
        self._view, self._spent, self._begun = view, Spent(), False
        self._look["reached"], self._look["leaves"] = 0, 0
        self._values: dict[int, float] = {}
        self._over = bool(self._plan) or len(view.legal()) < 2

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        run_in_slices(
            self._think,
            self._spent,
            budget,
            self._most,
            lambda: self._over or bool(cancelled and cancelled()),
        )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        actions = tuple(self._view.legal())
        action = self._plan[0][0] if self._plan else actions[0]
        iterations, evaluated = self._effort() if self._begun else (0, 0)
        return Decision(
            action=action,
            actions=actions,
            values=tuple(self._values.get(each) for each in actions),
            line=tuple((self._seat, each) for each, _ in self._plan) or ((self._seat, action),),
            iterations=iterations,
            evaluated=evaluated,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

    def _think(self, done: int, count: int) -> None:
        if not self._begun:
            self._begun = True
            self._begin_search()
        if not self._over:
            self._grow(done, count)

    @abstractmethod
    def _begin_search(self) -> None:
        """Begin with a position in which there is something to decide."""

    @abstractmethod
    def _grow(self, done: int, count: int) -> None:
        """Go on for `count` iterations, or as many as there are; sets `_over` when nothing is
        left to do.
        """

    @abstractmethod
    def _effort(self) -> tuple[int, int]:
        """Iterations, and positions judged, for the present decision."""

    def _look_from(self, depth: int) -> None:
        """Find what the turn can come to in a world of the belief, and begin to look so many turns
        ahead.

        Where there is no room for all positions of the turn, those count that preferred actions
        lead to, or else those that were found.
        """
        pools, look = self._pools, self._look
        for preferred in {self._terms.actions == "preferred": 0, True: 0}:
            look["reached"], look["leaves"], look["seat"], look["preferred"] = (
                0,
                0,
                self._seat,
                preferred,
            )
            pools.states[0] = self._world
            lookahead.begin(
                self._game.table, pools.look, pools.levels, pools.places, pools.slots, depth
            )
            if look["fault"][0] != FULL:
                break
        if look["fault"][0] == FULL:
            look["fault"] = 0

    def _wins(self) -> bool:
        """Begin a turn that wins at once, if one is found by the evaluator that is the aim;
        nothing else is then decided.
        """
        if not self._terms.aim:
            return False
        look, root = self._look, self._pools.levels[0]
        usual = {name: look[name][0] for name in ("evaluator", "beam", "completed")}
        look["evaluator"], look["beam"], look["completed"] = (
            evaluator_of(self._game, self._terms.aim),
            AIMED,
            False,
        )
        self._look_from(1)
        for name, value in usual.items():
            look[name] = value
        place = int(root["chosen"])
        self._over = (
            place >= 0
            and self._places["kind"][place] == RESULT
            and root["best"] >= self._game.scores[1]
        )
        if self._over:
            self._plan = self._path(place)
            self._values = {self._plan[0][0]: float(root["best"])}
        return bool(self._over)

    def _gambles(self) -> bool:
        """Begin with an action that luck adds something to, if the turn gains by that; nothing
        else is then decided.
        """
        pools, self._look["preferred"] = self._pools, self._terms.actions == "preferred"
        action = int(
            best_gamble(
                self._game.table,
                pools.look,
                pools.levels,
                pools.places,
                self._world.ctypes.data,
                self._seat,
            )
        )
        if action != NONE:
            self._plan, self._over = [(action, UNSEEN)], True
        return action != NONE

    def _refuse_fault(self) -> None:
        fault = int(self._look["fault"][0])
        if fault:
            raise RuntimeError(f"{self._game.name} {FAULTS[fault].format(room=self._terms.room)}")

    def _path(self, place: int) -> list[Step]:
        """The actions that lead from the root to one of its places; first that which luck adds
        something to, so that it can be used.
        """
        steps: list[Step] = []
        early: list[Step] = []
        while place > 0:
            found = self._places[place]
            sure = found["kind"] == RESULT or steps
            step = (
                int(found["action"]),
                self._seen(place) if sure and not found["postponed"] else UNSEEN,
            )
            (early if found["postponed"] and self._legal_now(step[0]) else steps).append(step)
            place = int(found["parent"])
        return early[::-1] + steps[::-1]

    def _legal_now(self, action: int) -> bool:
        assert self._view is not None, "a plan is made of what was observed"
        return action in self._view.legal()

    def _seen(self, place: int) -> int:
        """The hash of what the seat sees in a place of the root."""
        world = self._pools.states[place].copy()
        verbs, table = self._game.verbs, self._game.table
        verbs.hide(table, world.ctypes.data, self._seat)
        return int(verbs.fingerprint(table, world.ctypes.data))

    def _ends(self) -> list[int]:
        """The places of the root where the turn ends, or goes on by luck."""
        return [
            int(place)
            for place in np.flatnonzero(
                self._places["kind"][: int(self._pools.levels[0]["used"])] > INSIDE
            )
        ]
