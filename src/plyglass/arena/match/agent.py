"""An agent: a planner with a belief and a budget, and its seat in one match."""

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

TURN_SHARE = 0.5  # share of the time left in a turn that one decision may use


class Seat(Protocol):
    """One player's place in one match, taken by an agent or a person."""

    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of the seat's own action, if it made one, and of what it sees now."""
        ...

    def decide(self) -> Decision:
        """Choose an action for the view that was observed last."""
        ...


@runtime_checkable
class CheatingSeat(Protocol):
    """A seat that can be told the truth, which a match does only if its player cheats."""

    def reveal(self, world: World) -> None:
        """Take note of the true world."""
        ...


class Player(Protocol):
    """An agent, a person or any object that can take a seat."""

    @property
    def cheats(self) -> bool:
        """Whether it is given more than its views."""
        ...

    def take_seat(self, game: Game, seat: int, seed: int) -> Seat:
        """Take a seat for one match; the seed decides all random choices of the player."""
        ...


@dataclass(frozen=True)
class Agent:
    """A planner with a belief and a budget for each decision.

    `model` says which parameters of the game the agent has wrong. All its plans and beliefs are
    made in the game with these parameters. An agent without a model knows the rules.

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
    """An agent during one match. It is given views and nothing else, unless its belief cheats."""

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
        # The iterations that each decision used when a recorded match was played; set by a replay.
        self.given_iterations: Iterator[int] | None = None

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
    """The game as an agent models it, made once, because a new variant is compiled or loaded."""
    return game.variant(dict(model))
