"""The interfaces of planner, search, belief, decision and budget.

`Planner` and `Belief` are frozen parameters. Their method `begin` makes a `Search` or a
`LiveBelief` for one match. A search receives each view of its seat. A search runs in slices for as
long as its `Budget` allows, and can be run again. The `Decision` of a search holds the action to
play. `Agent` and `play` do all this for users.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.state import Bytes, new_states
from plyglass.core.world import View, World
from plyglass.search.clock import Clock, Stop
from plyglass.search.display import shown, shown_as_table

SLICE_SECONDS = 0.002  # the time that a slice of iterations should take


class Planner(Protocol):
    """The base class for the frozen parameters of a planning algorithm."""

    name: ClassVar[str]

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> Search:
        """Return a search for `seat` in one match.

        Raise an error if the planner cannot play the game.
        """
        ...


class _Live:
    """An object that holds addresses of its own memory, so it cannot be copied or pickled."""

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{type(self).__name__} holds addresses of its own memory, so it can be neither copied "
            "nor pickled; begin another one and show it the same views."
        )


class Search(_Live, ABC):
    """The live search of one seat in one match.

    The same views, seed and iterations give the same decision, to the last bit.
    """

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Update the search with a new view, and with the seat's action if that led to the view."""

    @abstractmethod
    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        """Search until the budget is used or `cancelled()` is true; `run` may be called again."""

    @abstractmethod
    def decision(self) -> Decision:
        """Return the action to play now, with the values of all legal actions."""


@dataclass(frozen=True)
class Decision:
    """The action to play, with the planner's value of each legal action.

    Attributes:
        action: the action to play.
        actions: the legal actions, in the order of the game.
        values: the planner's expected score of each action; None for an action without an estimate.
        visits: the number of times that each action was searched.
        line: the expected continuation, as (player, action) pairs, the planner's action first.
        spread: the standard deviation of each value over sampled worlds; empty if a planner does
            not search worlds separately.
        depth: the depth of the tree, where chance outcomes count as levels; 0 if a planner does not
            report it.
        iterations, evaluated, seconds: what the decision cost; `evaluated` counts the positions
            that were judged.
        health: how good the belief is.
        stop: the numbers of clock checks after which belief and search were stopped, each 0 if not
            stopped. None if no clock could stop the belief or the search.
        game: the game, which gives actions their names; an agent sets this attribute.
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
        return {**vars(self), "game": None}  # a pickle contains the decision without its game


class Belief(Protocol):
    """The base class for the frozen parameters of a belief."""

    name: ClassVar[str]
    cheats: ClassVar[bool]

    def begin(self, game: Game, seat: int, seed: int) -> LiveBelief:
        """Return a belief for `seat` in one match."""
        ...


class LiveBelief(_Live, ABC):
    """The live belief of one seat in one match: a distribution over worlds."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.clock = Clock()  # for the seat's decisions; its belief and its search check this clock
        # The random numbers for `support`; a belief that samples puts its own stream here.
        self._stream = np.zeros(1, np.uint64)

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Update the belief with what the seat now sees."""

    @abstractmethod
    def sample(self, worlds: Bytes) -> None:
        """Fill every row with a possible world, each with a random seed of its own."""

    def support(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """Return `count` samples, or all worlds if they are known, with their probabilities."""
        worlds = new_states(count, self.game.state)
        self.sample(worlds)
        return worlds, np.full(count, 1.0 / count)

    def glimpse(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """Return what `support` would return, without changing any later draw of the belief."""
        # First bring the belief up to date, which draws random numbers in any case.
        self.health()
        kept = self._stream.copy()
        found = self.support(count)
        self._stream[:] = kept
        return found

    def fork(self) -> Self:
        """Return an independent copy, which draws the same worlds as this belief."""
        raise TypeError(
            f"{type(self).__name__} cannot be forked; begin another belief and show it the same "
            "views."
        )

    def health(self) -> Health | None:
        """Return how good the belief is, or None if the belief does not report its health."""
        return None

    def reveal(self, world: World) -> None:
        """Receive the true world; the match runner calls this only for agents that cheat."""


@dataclass(frozen=True)
class Health:
    """A report on how good a belief is.

    Attributes:
        worlds: the number of different worlds in the belief.
        effective: the effective sample size of the weights.
        refilled: the number of times that the belief ran out of worlds and had to find new ones.
    """

    worlds: int
    effective: float
    refilled: int = 0


@dataclass(frozen=True)
class Budget:
    """The limit of a search; exactly one of its attributes is given.

    Attributes:
        iterations, seconds: the limit of each decision.
        turn_seconds: the limit of all decisions of one turn together.
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
        """Return the seconds that a search may take, or None for a budget of iterations."""
        return self.seconds if self.seconds is not None else self.turn_seconds


@dataclass(frozen=True)
class RecordedBudget(Budget):
    """A budget that repeats a recorded decision, which a clock or a cancellation had stopped.

    Attributes:
        iterations: the number of iterations that were started for the decision.
        stop: the numbers of clock checks after which belief and search were stopped, each 0 if not
            stopped.
        most: the iterations that the agent's budget allows; None if the budget is a time limit.
    """

    stop: Stop = (0, 0)
    most: int | None = None

    def __post_init__(self) -> None:
        """Accept all values, because they were recorded."""


@dataclass
class Spent:
    """The iterations and seconds that a decision has used so far."""

    iterations: int = 0
    seconds: float = 0.0


def started(
    clock: Clock, budget: Budget, cancelled: Callable[[], bool] | None = None
) -> AbstractContextManager[None]:
    """Run the clock for a budget within this context, unless the clock runs already."""
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
    """Call `grow(done, count)` until the budget is used, and add the cost to `spent`.

    The loop ends earlier if `cancelled()` or `finished()` is true. A slice has at most `most`
    iterations. If the search has a time limit or can be cancelled, a slice takes a few
    milliseconds. The first slice then has one iteration. `clock` is the clock that the kernels of
    `grow` check; None if they check no clock. `growth(count)` estimates the seconds needed to
    allocate memory for `count` iterations, and to decide after these iterations. The search ends if
    less time is left than the estimate for a single iteration.
    """
    clock = clock or Clock()
    with started(clock, budget, cancelled):
        began, before = clock.seconds, Spent(spent.iterations, spent.seconds)
        hurried = budget.limit is not None or cancelled is not None
        size, least = 1 if hurried else most, 0.0
        looks = _looks(most) if budget.limit is None and hurried else itertools.repeat(0)
        here, due = 0, next(looks)
        while True:
            if finished and here >= due:
                if finished():
                    break
                due = next(looks)
            if cancelled and cancelled():
                clock.cancel()
                break
            left = most if budget.iterations is None else budget.iterations - here
            if left <= 0 or clock.stopped or (here > 0 and clock.left <= least):
                break
            until_look = due - here if due > here else most
            count, at = max(1, min(size, until_look, left)), clock.seconds
            while growth and here > 0 and count > 0 and growth(count) > clock.left:
                count //= 2  # fewer iterations may fit into the allocated memory
            if count == 0:
                break
            grow(spent.iterations, count)
            spent.iterations += count
            here += count
            now = clock.seconds
            spent.seconds = before.seconds + now - began
            if hurried:
                least = 0.5 * (now - at) / count  # another iteration would end too late
                size = _next_size(count, now - at, min(SLICE_SECONDS, clock.left))
        if clock.stopped and isinstance(budget, RecordedBudget) and budget.iterations:
            # The record counts the whole slice in which the search stopped. A replay stops at the
            # same check of the clock, but in another slice.
            spent.iterations = before.iterations + budget.iterations


def _looks(most: int) -> Iterator[int]:
    """Yield the numbers of iterations after which to check whether a search is finished.

    These numbers do not depend on the machine. Otherwise the number of iterations that a decision
    reports would depend on the machine's speed.
    """
    here, step = 0, 1
    while True:
        yield here
        here, step = here + step, min(2 * step, most)


def _next_size(count: int, took: float, wanted: float) -> int:
    """Return the size of the next slice from the last slice's speed; the size at most doubles."""
    return int(count * min(2.0, max(0.0, wanted) / max(took, 1e-9)))


def parameters_of(planner: Any) -> dict[str, Any]:
    """Return the parameters of a planner or a belief, by name."""
    return {name: getattr(planner, name) for name in getattr(planner, "__dataclass_fields__", {})}
