"""What planners, searches and beliefs are, and how long a search may think.

`Planner` and `Belief` are frozen parameters. `begin` turns each into what lives through one match: a
`Search` or a `LiveBelief`. A search is shown what its seat sees, runs in slices for as long as its
`Budget` allows, and says what it would play: a `Decision`. `Agent` and `play` hide this from users.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.state import Bytes, rows
from plyglass.core.world import View, World

SLICE_SECONDS = 0.004  # between two looks at the clock
FIRST_SLICE = 16


@dataclass(frozen=True)
class Budget:
    """Exactly one limit: `iterations` or `seconds` for each decision, or `turn_seconds` for all
    decisions of one turn.
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
                "A budget has exactly one limit of iterations, seconds and turn_seconds; this "
                f"one has {len(given)}: {given}."
            )
        name, value = next(iter(given.items()))
        if value <= 0:
            raise ValueError(
                f"A budget of {value} {name} leaves no time to think; give a positive number."
            )


@dataclass
class Spent:
    """What a decision has used so far."""

    iterations: int = 0
    seconds: float = 0.0


def run_in_slices(
    grow: Callable[[int, int], None],
    spent: Spent,
    budget: Budget,
    most: int,
    cancelled: Callable[[], bool] | None = None,
) -> None:
    """Call `grow(done, count)` with `count` up to `most` until the budget is used or `cancelled()`
    says so; adds to `spent`.

    Compiled code cannot look at a clock or at a signal, so it runs for a few milliseconds at a
    time.
    """
    began, before = time.perf_counter(), Spent(spent.iterations, spent.seconds)
    limit = budget.seconds if budget.seconds is not None else budget.turn_seconds
    size = most if limit is None else FIRST_SLICE
    while not (cancelled and cancelled()):
        here = spent.iterations - before.iterations
        left = most if budget.iterations is None else budget.iterations - here
        if left <= 0:
            break
        count = max(1, min(size, most, left))
        grow(spent.iterations, count)
        spent.iterations += count
        seconds = time.perf_counter() - began
        spent.seconds = before.seconds + seconds
        if limit is not None:
            if seconds >= limit:
                break
            size = int((here + count) / seconds * min(SLICE_SECONDS, limit - seconds))


# What a planner asks of a belief: worlds that may be true.


@dataclass(frozen=True)
class Health:
    """How well a belief still stands: `effective` of `worlds` count after weighting; `refilled`
    says how often none was left.
    """

    worlds: int
    effective: float
    refilled: int = 0


class LiveBelief(ABC):
    """What one seat believes during one match."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self._stream = np.zeros(
            1, np.uint64
        )  # what `support` draws from; a belief that samples puts its own here

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of what the seat now sees."""

    @abstractmethod
    def sample(self, worlds: Bytes) -> None:
        """Fill every row with a world that may be true, each with its own luck."""

    def support(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """Worlds and their probabilities: `count` samples, or every possible world where the
        belief knows them all.
        """
        worlds = rows(count, self.game.state)
        self.sample(worlds)
        return worlds, np.full(count, 1.0 / count)

    def glimpse(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        """`support` for an onlooker: whatever the belief draws afterwards is as if nobody had
        looked.
        """
        # works on what was seen, which takes the luck that it would have taken anyway
        self.health()
        kept = self._stream.copy()
        found = self.support(count)
        self._stream[:] = kept
        return found

    def health(self) -> Health | None:
        """How the belief fares, where that can be said."""
        return None

    def reveal(self, world: World) -> None:  # noqa: B027 - only a belief that cheats listens
        """The truth. The match runner calls this for agents that are marked as cheating, and for
        no others.
        """


class Belief(Protocol):
    """Frozen parameters of a way to believe."""

    name: ClassVar[str]
    cheats: ClassVar[bool]

    def begin(self, game: Game, seat: int, seed: int) -> LiveBelief:
        """A belief for `seat` in one match."""
        ...


# Planner and Search: parameters, and a live search for one seat of one match.
#
# A planner is frozen parameters. `begin` gives a search, which lives through the match: it is
# shown what its seat sees, runs for as long as it may, again and again, and says what it would
# play. `Agent` and `play` hide all this from a user.


@dataclass(frozen=True)
class Decision:
    """An action, and what the planner thought of every other.

    Attributes:
        action: what it plays.
        actions: all it could play, in the order of the game.
        values: what it expects of each for itself, in the game's own scores; None where a planner
            does not estimate.
        visits: how often each was searched.
        line: how it expects play to go on, as (player, action), its own action first.
        spread: how much the value of each differs between sampled worlds, as a standard deviation;
            empty where worlds are not told apart.
        depth: how deep the tree is, outcomes of luck counted as steps; 0 where a planner does not
            say.
        iterations, evaluated, seconds: what the decision cost; `evaluated` counts the positions
            that were judged.
        health: how the belief fared.
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


class Search(ABC):
    """One seat's live search. Same views, seed and iterations: same decision, to the last bit."""

    @abstractmethod
    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of what the seat now sees, and of the action of its own that led there, if
        one did.
        """

    @abstractmethod
    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        """Think, until the budget is used or `cancelled()` is true; may be called again to think
        on.
        """

    @abstractmethod
    def decision(self) -> Decision:
        """What to play now."""


class Planner(Protocol):
    """Frozen parameters of an algorithm."""

    name: ClassVar[str]

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> Search:
        """A search for `seat` in one match; refuses a game that it cannot plan in."""
        ...


def parameters_of(planner: Any) -> dict[str, Any]:
    """The parameters of a planner or a belief, by name."""
    return {name: getattr(planner, name) for name in getattr(planner, "__dataclass_fields__", {})}
