"""Planner and Search: parameters, and a live search for one seat of one match.

A planner is frozen parameters. `begin` gives a search, which lives through the match: it is shown
what its seat sees, runs for as long as it may, again and again, and says what it would play.
`Agent` and `play` hide all this from a user.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from plyglass.core.game import Game
from plyglass.core.world import View
from plyglass.search.belief import Health, LiveBelief
from plyglass.search.budget import Budget


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
