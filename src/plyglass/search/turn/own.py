"""What searches of the own turn have in common: worlds of a belief, a tree that is kept within
the turn, and a decision by its top.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from plyglass.core.game import Game
from plyglass.core.world import View
from plyglass.search.belief import LiveBelief
from plyglass.search.budget import Budget, Spent, run_in_slices
from plyglass.search.planner import Decision, Search
from plyglass.search.turn.turn import Turn
from plyglass.search.turn.worlds import Worlds

SLICE = 1024  # iterations between two looks at the clock, at most


class OwnTurnSearch(Search):
    """A search of the turns of one seat in one match. `planner` has choice and exploration."""

    def __init__(self, planner: Any, turn: Turn, game: Game, seat: int, belief: LiveBelief) -> None:
        self.planner, self.turn, self.seat = planner, turn, seat
        self._belief, self._worlds = belief, Worlds(game, belief)
        self._view: View | None = None
        self._turns = 0
        self._spent, self._judged = Spent(), 0

    @abstractmethod
    def grow(self, done: int, count: int) -> None:
        """`count` iterations after `done`; how they are cut into slices must change nothing."""

    def plies(self, turn: int) -> int:
        """How many own plies are looked through in the seat's n-th turn."""
        return 1

    def evaluated(self) -> int:
        """Positions that were judged in the match so far."""
        return self.turn.evaluated

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._worlds.forget(view)
        within = self._view is not None and self._view.to_move == self.seat == view.to_move
        self._turns += not within and view.to_move == self.seat
        if not (within and own_action is not None and self.turn.enter(own_action, view)):
            self.turn.begin(self.seat, self.plies(self._turns))
        self._view, self._spent, self._judged = view, Spent(), self.evaluated()

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        assert self._view is not None, "observe comes before run"
        if len(self._view.legal()) > 1:  # a single action is chosen at once
            run_in_slices(
                self.grow,
                self._spent,
                budget,
                SLICE,
                lambda: self.turn.finished or bool(cancelled and cancelled()),
            )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        statistics = self.turn.statistics(tuple(self._view.legal()))
        action = statistics.actions[statistics.best(self.planner.choice, self.planner.exploration)]
        return Decision(
            action=action,
            actions=statistics.actions,
            values=statistics.values,
            visits=statistics.visits,
            line=self.turn.line(action),
            iterations=self._spent.iterations,
            evaluated=self.evaluated() - self._judged,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

    def grow_own_turn(self, done: int, count: int) -> None:
        """`count` iterations of the own turn after `done` at this decision, in worlds of the
        belief.
        """
        worlds = self._worlds.first(max(done, self.turn.visits) + count)
        self.turn.place(worlds, self._worlds.most, self._worlds.certain)
        self.turn.grow(done, count)
