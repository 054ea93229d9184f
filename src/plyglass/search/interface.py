"""Planner, search, belief, decision and budget: what each is, and how long a search may run.

`Planner` and `Belief` are frozen parameters. `begin` turns each into an object for one match: a
`Search` or a `LiveBelief`. A search is shown what its seat sees. It runs in slices for as long as
its `Budget` allows, and can be run again. Its `Decision` says what it would play. `Agent` and
`play` hide this from users.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.state import Bytes, new_states
from plyglass.core.world import View, World
from plyglass.search.clock import Clock, Stop
from plyglass.search.display import shown, shown_as_table

SLICE_SECONDS = 0.002  # between two looks at the clock


class Planner(Protocol):
    """Frozen parameters of a planning algorithm."""

    name: ClassVar[str]

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> Search:
        """A search for `seat` in one match; refuses a game that it cannot play."""
        ...


class Search(ABC):
    """The live search of one seat in one match.

    The same views, seed and iterations give the same decision, to the last bit.
    """

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of the seat's view and, if its own action led there, of that action."""

    @abstractmethod
    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        """Search until the budget is used or `cancelled()` is true; may be called again."""

    @abstractmethod
    def decision(self) -> Decision:
        """What to play now."""


@dataclass(frozen=True)
class Decision:
    """The action to play, and what the planner thinks of each legal action.

    Attributes:
        action: the action to play.
        actions: the legal actions, in the order of the game.
        values: the value that the planner expects of each action for itself, in the game's own
            scores; None without an estimate.
        visits: how often each was searched.
        line: the expected continuation, as (player, action) pairs, the planner's action first.
        spread: the standard deviation of each value over sampled worlds; empty if a planner does
            not separate worlds.
        depth: the depth of the tree, with outcomes of chance as steps; 0 if a planner does not
            report it.
        iterations, evaluated, seconds: what the decision cost; `evaluated` counts the positions
            that were judged.
        health: how good the belief is.
        stop: the looks at the clock at which belief and search were stopped, 0 for one that was
            not; None if no clock could stop them.
        game: the game, which gives actions their names; an agent sets it.
    """

    action: int
    actions: tuple[int, ...]
    values: tuple[float | None, ...] = ()
    visits: tuple[int, ...] = ()
    line: tuple[tuple[int, int], ...] = ()
    spread: tuple[float | None, ...] = ()
    depth: int = 0
    iterations: int = 0
    evaluated: int = 0
    seconds: float = field(default=0.0, compare=False)
    health: Health | None = None
    stop: Stop | None = field(default=None, compare=False, repr=False)
    game: Game | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        return shown(self)

    def _repr_html_(self) -> str:
        return shown_as_table(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "game": None}  # a pickle is about the decision alone


class Belief(Protocol):
    """Frozen parameters of a kind of belief."""

    name: ClassVar[str]
    cheats: ClassVar[bool]

    def begin(self, game: Game, seat: int, seed: int) -> LiveBelief:
        """A belief for `seat` in one match."""
        ...


class LiveBelief(ABC):
    """The live belief of one seat in one match: a distribution over worlds."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.clock = Clock()  # of the seat's decisions: its belief and its search look at it
        # What `support` draws from; a belief that samples puts its own stream here.
        self._stream = np.zeros(1, np.uint64)

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of what the seat now sees."""

    @abstractmethod
    def sample(self, worlds: Bytes) -> None:
        """Fill every row with a world that may be true, each with its own chance."""

    def support(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """Worlds and their probabilities: `count` samples, or all worlds if they are known."""
        worlds = new_states(count, self.game.state)
        self.sample(worlds)
        return worlds, np.full(count, 1.0 / count)

    def glimpse(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """`support` for an onlooker, which leaves all later draws of the belief unchanged."""
        # Brings the belief up to date first, with the random numbers that this takes anyway.
        self.health()
        kept = self._stream.copy()
        found = self.support(count)
        self._stream[:] = kept
        return found

    def health(self) -> Health | None:
        """How good the belief is; None if it does not say."""
        return None

    def reveal(self, world: World) -> None:  # noqa: B027 - only a belief that cheats listens
        """Learn the truth; the match runner calls this only for agents marked as cheating."""


@dataclass(frozen=True)
class Health:
    """How good a belief is.

    Attributes:
        worlds: how many different worlds it holds.
        effective: how many equally likely worlds would be as spread out.
        refilled: how often it ran out of worlds and had to find new ones.
    """

    worlds: int
    effective: float
    refilled: int = 0


@dataclass(frozen=True)
class Budget:
    """How long a search may run; exactly one limit is given.

    Attributes:
        iterations, seconds: for each decision.
        turn_seconds: for all decisions of one turn.
    """

    iterations: int | None = None
    seconds: float | None = None
    turn_seconds: float | None = None

    def __post_init__(self) -> None:
        given = {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) is not None
        }
        if len(given) != 1:
            raise ValueError(
                f"A budget has exactly one limit, and {len(given)} were given: {given}. Give "
                "iterations, seconds or turn_seconds."
            )
        name, value = next(iter(given.items()))
        if value <= 0:
            raise ValueError(
                f"A budget of {value} {name} leaves no time to search; give a positive number."
            )

    @property
    def limit(self) -> float | None:
        """The seconds that a search may take; None for a budget of iterations."""
        return self.seconds if self.seconds is not None else self.turn_seconds


@dataclass(frozen=True)
class RecordedBudget(Budget):
    """What a decision used that a clock or a cancellation stopped, to make it again.

    Attributes:
        iterations: the iterations that it began.
        stop: the looks at the clock at which belief and search were stopped; 0 if they were not.
        most: the iterations that its agent allows; None for a limit of time.
    """

    stop: Stop = (0, 0)
    most: int | None = None

    def __post_init__(self) -> None:
        """Any values are possible: they were recorded."""


@dataclass
class Spent:
    """What a decision has used so far."""

    iterations: int = 0
    seconds: float = 0.0


def started(
    clock: Clock, budget: Budget, cancelled: Callable[[], bool] | None = None
) -> AbstractContextManager[None]:
    """Within this context, the clock runs for a budget, unless it runs already."""
    return clock.started(budget.limit, cancelled, getattr(budget, "stop", (0, 0)))


def run_in_slices(
    grow: Callable[[int, int], None],
    spent: Spent,
    budget: Budget,
    most: int,
    cancelled: Callable[[], bool] | None = None,
    *,
    clock: Clock | None = None,
    finished: Callable[[], bool] | None = None,
    growth: Callable[[int], float] | None = None,
) -> None:
    """Call `grow(done, count)` until the budget is used, and add to `spent`.

    It ends earlier if `cancelled()`, or if the search has `finished()`. A slice has at most `most`
    iterations. With a limit of time, or if it can be cancelled, a slice takes a few milliseconds;
    the first has one iteration. `clock` is the clock that the kernels of `grow` look at, if any.
    `growth(count)` is about how many seconds it takes to make room for so many iterations; the
    search ends if that is more than is left.
    """
    clock = clock or Clock()
    with started(clock, budget, cancelled):
        began, before = clock.seconds, Spent(spent.iterations, spent.seconds)
        hurried = budget.limit is not None or cancelled is not None
        size, least = 1 if hurried else most, 0.0
        while not (finished and finished()):
            if cancelled and cancelled():
                clock.cancel()
                break
            here = spent.iterations - before.iterations
            left = most if budget.iterations is None else budget.iterations - here
            if left <= 0 or clock.stopped or (here > 0 and clock.left <= least):
                break
            count, at = max(1, min(size, most, left)), clock.seconds
            if growth and here > 0 and growth(count) > clock.left:
                break
            grow(spent.iterations, count)
            spent.iterations += count
            now = clock.seconds
            spent.seconds = before.seconds + now - began
            if hurried:
                least = 0.5 * (now - at) / count  # another iteration would end too late
                size = _next_size(count, now - at, min(SLICE_SECONDS, clock.left))


def _next_size(count: int, took: float, wanted: float) -> int:
    """How many iterations take the wanted time, judged by the last slice; at most twice as many."""
    return int(count * min(2.0, max(0.0, wanted) / max(took, 1e-9)))


def parameters_of(planner: Any) -> dict[str, Any]:
    """The parameters of a planner or a belief, by name."""
    return {name: getattr(planner, name) for name in getattr(planner, "__dataclass_fields__", {})}
