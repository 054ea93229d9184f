"""An agent: a planner with a belief and a budget, and its seat in one match."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from plyglass.arena.limits import refuse_parameters
from plyglass.beliefs import Belief, Fresh
from plyglass.core.compile import compilations
from plyglass.core.game import Game
from plyglass.core.seeds import Purpose, derive
from plyglass.core.world import View, World
from plyglass.search.clock import Stop
from plyglass.search.interface import (
    Budget,
    Decision,
    LiveBelief,
    Planner,
    RecordedBudget,
    Search,
    parameters_of,
    started,
)

TURN_SHARE = 0.5  # one decision may use this share of the turn's remaining time
LEAST_SECONDS = 1e-4  # time for a decision in a turn whose time is over
# The length of a match that is played only to load what later matches need.
WARM_MOVES = 8
WARM_TRIES = 20  # tries of one decision
# The budget of time comes first, because a plan that was made with a budget of iterations would be
# followed without another search.
WARM_BUDGETS = (Budget(seconds=0.03), Budget(iterations=2))


Span = Literal["match", "turn"]


class Seat(Protocol):
    """One player's place in one match, taken by an agent or a person."""

    def observe(self, own_action: int | None, view: View) -> None:
        """Observe the seat's own action (None if another player acted) and its new view."""
        ...

    def decide(self) -> Decision:
        """Choose an action for the view that was observed last."""
        ...


@runtime_checkable
class CheatingSeat(Protocol):
    """A seat to which a match can reveal the true world; only cheating players have such seats."""

    def reveal(self, world: World) -> None:
        """Observe the true world."""
        ...


class Player(Protocol):
    """An agent, a person or any object that can take a seat."""

    @property
    def cheats(self) -> bool:
        """Whether the player is given more than its views."""
        ...

    def take_seat(self, game: Game, seat: int, seed: int) -> Seat:
        """Take a seat for one match; the seed decides all random choices of the player."""
        ...


@dataclass(frozen=True)
class Agent:
    """A planner with a belief and a budget for each decision.

    `model` changes parameters of the game in the agent's plans and beliefs, so the agent can have a
    wrong model. Without `model`, the agent knows the true rules.

    `remembers` says for how long the agent's search and belief live. With "turn", the agent begins
    a new search and a new belief at the first decision of every turn. Both observe all views so
    far. A turn's first decision is then a function of the seed, the views and the budget, so any
    process can compute it. In a game of one player, every decision is a turn.

    >>> Agent(UCT(exploration=0.5), budget=Budget(seconds=0.1))
    """

    planner: Planner
    belief: Belief = field(default_factory=Fresh)
    budget: Budget = field(default_factory=lambda: Budget(iterations=1000))
    model: Mapping[str, Any] = field(default_factory=dict)
    remembers: Span = "match"

    def __post_init__(self) -> None:
        refuse_parameters(self.planner)
        refuse_parameters(self.belief)
        if self.remembers not in get_args(Span):
            raise ValueError(
                f"An agent remembers a match or a turn, not {self.remembers!r}; give one of "
                f"{', '.join(get_args(Span))}."
            )

    @property
    def cheats(self) -> bool:
        return self.belief.cheats

    def take_seat(self, game: Game, seat: int, seed: int) -> AgentSeat:
        return AgentSeat(self, game, seat, seed)

    def warm(self, game: Game, world: World | None = None) -> None:
        """Compile or load what a match needs, so its first decisions are as fast as later ones.

        The agent plays the first moves of a match against itself with small budgets, from a new
        game or from `world`. A decision that loaded something is repeated. Loading used up its
        time, so the decision may not have reached all the code that later decisions need.
        """
        world = game.start(0) if world is None else world.copy()
        seats = [self.take_seat(game, number, 0) for number in range(game.players)]
        action, mover, idle = None, -1, 0
        for number in range(WARM_MOVES):
            for each, seat in enumerate(seats):
                if self.cheats:
                    seat.reveal(world.copy())
                seat.observe(action if each == mover else None, world.hide(each))
            if world.over or idle == len(WARM_BUDGETS):
                break
            mover, before = world.to_move, compilations()
            action = _decide_loaded(seats[mover], WARM_BUDGETS[number % len(WARM_BUDGETS)])
            world.apply(action)
            idle = idle + 1 if compilations() == before else 0


def _decide_loaded(seat: AgentSeat, budget: Budget) -> int:
    """Make decisions until a decision loads nothing."""
    for _ in range(WARM_TRIES):
        loaded = compilations()
        action = seat.decide(budget).action
        if compilations() == loaded:
            break
    return action


class AgentSeat:
    """An agent during one match.

    The agent receives only views, unless its belief cheats.
    """

    def __init__(self, agent: Agent, game: Game, seat: int, seed: int) -> None:
        self.game = _variant(game, tuple(agent.model.items())) if agent.model else game
        self._agent, self._seat, self._seed = agent, seat, seed
        self.belief: LiveBelief
        self.search: Search
        self._begin(seed)
        self._turn_spent = 0.0
        self._turn_begins = True
        self._seen: list[tuple[int | None, View] | World] = []  # used if `remembers` is "turn"
        self._acted = 0
        self.cancelled: Callable[[], bool] | None = None
        self._given: list[Used] | None = None
        self._over: Callable[[], bool] | None = None  # stops a replay
        # Called with the belief of a new turn before this belief is used. The belief has seen all
        # views.
        self.on_belief: Callable[[LiveBelief], None] | None = None

    def _begin(self, seed: int) -> None:
        agent, game, seat = self._agent, self.game, self._seat
        self.belief = agent.belief.begin(game, seat, derive(seed, Purpose.BELIEF))
        self.search = agent.planner.begin(game, seat, self.belief, derive(seed, Purpose.PLANNER))

    def repeat(self, used: Iterable[Used], over: Callable[[], bool] | None = None) -> None:
        """Repeat recorded decisions, each with its recorded effort, until `over()` is true.

        Only the clock calls `over`. The search does not call it, so the search runs in the same
        slices as in any replay.
        """
        self._given, self._over = [*used], over
        self._expect_stop()

    def observe(self, own_action: int | None, view: View) -> None:
        if view.to_move != self._seat:
            self._turn_spent, self._turn_begins = 0.0, True
        self._acted += own_action is not None
        view = view if self.game is view.game else view.within(self.game)
        if self._agent.remembers == "turn":
            self._seen.append((own_action, view))
        self.search.observe(own_action, view)

    def reveal(self, world: World) -> None:
        if self._agent.remembers == "turn":
            self._seen.append(world)
        self.belief.reveal(world)

    def _begin_turn(self) -> None:
        """Forget everything except the views."""
        self._begin(derive(self._seed, self._acted))
        self._expect_stop()
        for seen in self._seen:
            if isinstance(seen, World):
                self.belief.reveal(seen)
            else:
                self.search.observe(*seen)
        if self.on_belief:
            self.on_belief(self.belief)

    def decide(self, budget: Budget | None = None) -> Decision:
        """Choose an action within the agent's budget, or within the given budget."""
        if self._agent.remembers == "turn" and (self._turn_begins or self.game.players == 1):
            self._begin_turn()
        self._turn_begins = False
        budget, clock = budget or self._budget_now(), self.belief.clock
        with started(clock, budget, self.cancelled or self._over):
            self.search.run(budget, self.cancelled)
            found = self.search.decision()
            self._turn_spent += clock.seconds
            stop = clock.stop if self._can_be_stopped(budget) else found.stop
            decision = type(found)(**{**vars(found), "game": self.game, "stop": stop})
        self._expect_stop()
        return decision

    def _can_be_stopped(self, budget: Budget) -> bool:
        """Return whether anything other than a number of iterations can end the search."""
        if isinstance(budget, RecordedBudget) or budget.limit is not None:
            return True
        return self.belief.clock.cancelled or bool(self.cancelled and self.cancelled())

    def _budget_now(self) -> Budget:
        if self._given:
            return self._given.pop(0).budget(self._agent.budget)
        if self._agent.budget.turn_seconds is None:
            return self._agent.budget
        left = TURN_SHARE * (self._agent.budget.turn_seconds - self._turn_spent)
        return Budget(seconds=max(LEAST_SECONDS, left))

    def _expect_stop(self) -> None:
        """Tell the belief's clock where the next recorded decision was stopped.

        This call comes before the decision, because an observer may update the belief earlier.
        """
        if self._given and (stop := self._given[0].stop):
            self.belief.clock.expect(stop)


@dataclass(frozen=True)
class Used:
    """The effort that the search spent on a recorded decision.

    Attributes:
        iterations: the iterations.
        stop: where the clock stopped belief and search; None if no clock could stop them.
    """

    iterations: int
    stop: Stop | None = None

    def budget(self, own: Budget) -> Budget:
        """Return the budget with which an agent repeats a decision exactly."""
        if self.stop is not None:
            return RecordedBudget(self.iterations, stop=self.stop, most=own.iterations)
        return own if own.iterations is not None else Budget(iterations=max(1, self.iterations))


@functools.lru_cache(maxsize=64)
def _variant(game: Game, model: tuple[tuple[str, Any], ...]) -> Game:
    """Return the game as an agent models it; each variant is made only once, to save time."""
    return game.variant(dict(model))


def is_foreign(player: Any) -> bool:
    """Return whether a player's class, or the class of one of its parts, is not in Plyglass.

    A class counts as Plyglass's only if the module that the class names contains this class. So a
    class cannot pass as Plyglass's by a false name. Plyglass's own players that run a user's code
    have an attribute `foreign`.
    """
    cls = type(player)
    module = sys.modules.get(cls.__module__)
    ours = cls.__module__.startswith("plyglass.") and getattr(module, cls.__name__, None) is cls
    parts = [part for part in parameters_of(player).values() if is_dataclass(part)]
    return not ours or getattr(player, "foreign", False) or any(map(is_foreign, parts))
