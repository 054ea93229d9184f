"""An agent: a planner, what it believes, and how long it may think."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from plyglass.beliefs import Belief, Fresh
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.search.interface import Budget, Decision, LiveBelief, Planner, Search

TURN_SHARE = 0.5  # of the time left in a turn that one decision may use


class Seat(Protocol):
    """Somebody who plays one seat of one match: an agent or a person."""

    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of what the seat now sees."""
        ...

    def decide(self) -> Decision:
        """Choose an action."""
        ...


@runtime_checkable
class CheatingSeat(Protocol):
    """A seat that can be told the truth; a match runner does so only for a player who is marked
    as cheating.
    """

    def reveal(self, world: World) -> None:
        """The world as it is."""
        ...


class Player(Protocol):
    """Somebody who can take a seat."""

    @property
    def cheats(self) -> bool:
        """Whether it is given more than its views."""
        ...

    def take_seat(self, game: Game, seat: int, seed: int) -> Seat:
        """Sit down for one match."""
        ...


@dataclass(frozen=True)
class Agent:
    """A planner with a belief and a budget for each decision.

    `model` is how it takes the rules to be, as parameters of the game that it has wrong, or does
    not know: all its plans and beliefs are made in that game. An agent without one knows the rules.

    >>> Agent(UCT(exploration=0.5), budget=Budget(seconds=0.1))
    """

    planner: Planner
    belief: Belief = field(default_factory=Fresh)
    budget: Budget = field(default_factory=lambda: Budget(iterations=1000))
    model: Mapping[str, Any] = field(default_factory=dict)

    @property
    def cheats(self) -> bool:
        return self.belief.cheats

    def take_seat(self, game: Game, seat: int, seed: int) -> AgentSeat:
        return AgentSeat(self, game, seat, seed)


class AgentSeat:
    """An agent during one match. It is handed views and nothing else, unless its belief is
    marked as cheating.
    """

    def __init__(self, agent: Agent, game: Game, seat: int, seed: int) -> None:
        self.game = _variant(game, tuple(agent.model.items())) if agent.model else game
        self.belief: LiveBelief = agent.belief.begin(self.game, seat, derive(seed, Purpose.BELIEF))
        self.search: Search = agent.planner.begin(
            self.game, seat, self.belief, derive(seed, Purpose.PLANNER)
        )
        self._budget = agent.budget
        self._seat = seat
        self._turn_spent = 0.0
        self.cancelled: Callable[[], bool] | None = None
        self.given_iterations: Iterator[int] | None = (
            None  # when a match is run again: what each decision used then
        )

    def observe(self, own_action: int | None, view: View) -> None:
        if view.to_move != self._seat:
            self._turn_spent = 0.0
        self.search.observe(own_action, view if self.game is view.game else view.within(self.game))

    def reveal(self, world: World) -> None:
        self.belief.reveal(world)

    def decide(self) -> Decision:
        self.search.run(self._budget_now(), self.cancelled)
        decision = self.search.decision()
        self._turn_spent += decision.seconds
        return decision

    def _budget_now(self) -> Budget:
        if self.given_iterations is not None:
            return Budget(iterations=max(1, next(self.given_iterations)))
        if self._budget.turn_seconds is None:
            return self._budget
        return Budget(
            seconds=max(1e-3, TURN_SHARE * (self._budget.turn_seconds - self._turn_spent))
        )


@functools.lru_cache(maxsize=64)
def _variant(game: Game, model: tuple[tuple[str, Any], ...]) -> Game:
    """The game as an agent takes it to be, made once, because its rules are compiled or loaded
    then.
    """
    return game.variant(dict(model))
