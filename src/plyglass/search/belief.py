"""What a planner asks of a belief: worlds that may be true."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.state import Bytes, rows
from plyglass.core.world import View, World


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
