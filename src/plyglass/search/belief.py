"""What a planner asks of a belief: worlds that may be true."""

from __future__ import annotations

from typing import ClassVar, Protocol

from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.world import View


class LiveBelief(Protocol):
    """What one seat believes during one match."""

    def observe(self, own_action: int | None, view: View) -> None:
        """Take note of what the seat now sees."""
        ...

    def sample(self, worlds: Bytes) -> None:
        """Fill every row with a world that may be true, each with its own luck."""
        ...


class Belief(Protocol):
    """Frozen parameters of a way to believe."""

    name: ClassVar[str]
    cheats: ClassVar[bool]

    def begin(self, game: Game, seat: int, seed: int) -> LiveBelief:
        """A belief for `seat` in one match."""
        ...
