"""The base class for searches that plan the rest of a turn at once.

As long as the seat sees what the plan expects, the plan is played without another search.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.world import View
from plyglass.search.interface import (
    Budget,
    Decision,
    LiveBelief,
    RecordedBudget,
    Search,
    Spent,
    started,
)
from plyglass.search.turn_results.best_turn import NONE, best_action, best_gamble
from plyglass.search.turn_results.results import begin_turn
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
    FULL: "has a turn with more than {room} positions; give the planner more `room`.",
    LONG_TAPE: f"draws chance more than {MOST_DRAWS} times in one action, too often to enumerate.",
    DEEP: f"has more than {LUCKY_ACTIONS} chance actions in a turn, which is the limit.",
}
Step = tuple[int, int]  # an action, and the hash of what the seat sees after it
UNSEEN = -1  # in place of the hash, where chance decides what the action leads to
AIMED = 64  # the width of the beam in the search for a winning turn


class PlannedTurn(Search):
    """A search that plans the rest of a turn, for one seat in one match."""

    def __init__(
        self, terms: Terms, game: Game, seat: int, belief: LiveBelief, *, most: int
    ) -> None:
        """Begin without a plan; `most` is the largest number of iterations in a slice."""
        self._clock = belief.clock
        self._terms, self._game, self._seat, self._belief = terms, game, seat, belief
        self._most = most
        self._pools = Pools(game, seat, terms, belief.clock)
        memory = self._pools.memory
        self._look, self._levels, self._places = memory.look, memory.levels, memory.places
        self._view: View | None = None
        self._world: Bytes = self._pools.states[0]
        self._plan: list[Step] = []

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        planned = self._plan.pop(0) if self._plan else None
        if planned is None or planned != (own_action, view.fingerprint):
            self._plan = []
        self._view, self._spent, self._begun = view, Spent(), False
        self._anew = True  # whether the search must begin, perhaps again after a stop
        self._first_value = -math.inf  # the value of the plan made by `_answer_at_once`
        self._look["reached"], self._look["leaves"] = 0, 0
        self._values: dict[int, float] = {}
        self._over = bool(self._plan) or len(view.legal()) < 2

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        """Search until the budget is used or nothing is left to do.

        A time limit or a cancellation stops the search only where the search checks the clock. The
        number of iterations does not show where that was, because one iteration can be long.
        """
        most = budget.most if isinstance(budget, RecordedBudget) else budget.iterations
        self._hurried = most is None
        done, before = 0, self._spent.seconds
        with started(self._clock, budget, cancelled):
            began = self._clock.seconds
            while not self._over and (most is None or done < most) and not self._clock.late():
                count = self._most if most is None else min(self._most, most - done)
                self._think(self._spent.iterations, count)
                done, self._spent.iterations = done + count, self._spent.iterations + count
            self._spent.seconds = before + self._clock.seconds - began

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
        if self._anew:
            self._begun, self._world = True, self._first_world()
            if self._hurried:
                self._answer_at_once()
            self._begin_search()
            self._anew = self._clock.stopped
        if not self._over and not self._clock.stopped:
            self._grow(done, count)

    @abstractmethod
    def _first_world(self) -> Bytes:
        """Return the world in which the search first looks for a plan."""

    @abstractmethod
    def _begin_search(self) -> None:
        """Start the search in a position with more than one legal action."""

    @abstractmethod
    def _grow(self, done: int, count: int) -> None:
        """Search for `count` iterations; set `_over` when nothing is left to do."""

    @abstractmethod
    def _effort(self) -> tuple[int, int]:
        """Return the iterations and evaluated positions of the present decision."""

    def _answer_at_once(self) -> None:
        """Plan the best action by the evaluator, in case the time runs out."""
        self._look["preferred"] = self._terms.turn.actions == "preferred"
        self._look["seat"] = self._seat
        world = self._world.ctypes.data
        action, value = best_action(self._game.table, self._pools.memory, world, self._seat)
        if action != NONE:
            self._plan, self._first_value = [(int(action), UNSEEN)], float(value)

    def _answer_by_results(self) -> None:
        """Plan the best of the results found before the time ran out, if it improves the plan."""
        values = self._places["value"]
        for best in self._best_ends()[:1]:
            if not self._plan or values[best] > self._first_value:
                self._plan = [(self._path(best)[0][0], UNSEEN)]

    def _begins_at_once(self) -> bool:
        """Plan an immediate win, or a chance action that is worth trying first.

        Return whether either was found, so no further search is needed.
        """
        return self._wins() or self._gambles()

    def _wins(self) -> bool:
        """Plan a turn that wins immediately, if the search by the evaluator `aim` finds one."""
        if not self._terms.turn.aim:
            return False
        look, root = self._look, self._levels[0]
        usual = {name: look[name][0] for name in ("evaluator", "beam", "completed")}
        look["evaluator"] = evaluator_of(self._game, self._terms.turn.aim)
        look["beam"], look["completed"] = AIMED, False
        self._find_results(1)
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
        """Plan only a chance action, if trying it first improves the turn."""
        self._look["preferred"] = self._terms.turn.actions == "preferred"
        world = self._world.ctypes.data
        action = int(best_gamble(self._game.table, self._pools.memory, world, self._seat))
        if action != NONE:
            self._plan, self._over = [(action, UNSEEN)], True
        return action != NONE

    def _find_results(self, depth: int) -> None:
        """Find the results of the turn in the present world, for a search `depth` turns ahead.

        If there are more positions than fit into memory, only preferred actions are tried. If the
        preferred actions also give too many positions, the search uses the positions found so far.
        """
        look = self._look
        for preferred in {self._terms.turn.actions == "preferred": 0, True: 0}:
            look["reached"], look["leaves"] = 0, 0
            look["seat"], look["preferred"] = self._seat, preferred
            self._pools.states[0] = self._world
            begin_turn(self._game.table, self._pools.memory, depth)
            if look["fault"][0] != FULL:
                break
        if look["fault"][0] == FULL:
            look["fault"] = 0

    def _refuse_fault(self) -> None:
        """Raise an error if a fault stopped the enumeration of the turn's results."""
        fault = int(self._look["fault"][0])
        if fault:
            room = self._terms.turn.room
            raise RuntimeError(f"{self._game.name} {FAULTS[fault].format(room=room)}")

    def _path(self, place: int) -> list[Step]:
        """Return the actions that lead from the root to a place of level 0.

        Actions with a postponed chance part come first if possible, so the turn can use their
        outcomes.
        """
        steps: list[Step] = []
        early: list[Step] = []
        while place > 0:
            found = self._places[place]
            sure = (found["kind"] == RESULT or steps) and not found["postponed"]
            step = int(found["action"]), self._seen(place) if sure else UNSEEN
            (early if found["postponed"] and self._legal_now(step[0]) else steps).append(step)
            place = int(found["parent"])
        return early[::-1] + steps[::-1]

    def _legal_now(self, action: int) -> bool:
        assert self._view is not None, "a plan is made of what was observed"
        return action in self._view.legal()

    def _seen(self, place: int) -> int:
        """Return the hash of what the seat sees in a place of the root."""
        world = self._pools.states[place].copy()
        verbs, table = self._game.verbs, self._game.table
        verbs.hide(table, world.ctypes.data, self._seat)
        return int(verbs.fingerprint(table, world.ctypes.data))

    def _best_ends(self) -> list[int]:
        """Return the places where the turn ends, the best by the evaluator first."""
        ends = np.array(self._ends(), np.int64)
        best: list[int] = ends[np.argsort(-self._places["value"][ends], kind="stable")].tolist()
        return best

    def _ends(self) -> list[int]:
        """Return the places of the root where the turn ends or a chance event follows."""
        used = int(self._levels[0]["used"])
        places: list[int] = np.flatnonzero(self._places["kind"][:used] > INSIDE).tolist()
        return places
