"""A clock for the turns of a person at the terminal, and the action played if time runs out."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from rich.markup import escape

from plyglass.cli.output import console

if TYPE_CHECKING:
    from plyglass.core.world import View


class TurnClock:
    """Counts the seconds of each turn; without a limit, time never runs out."""

    def __init__(
        self, limit: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        if limit is not None and limit <= 0:
            raise ValueError(
                f"A timer of {limit:g} seconds leaves no time to play; give more than zero."
            )
        self._limit, self._now = limit, now
        self._began: float | None = None

    def start(self) -> None:
        """Start the clock unless it already runs; a turn can have several decisions."""
        if self._began is None:
            self._began = self._now()

    def stop(self) -> None:
        """Stop the clock at the end of a turn."""
        self._began = None

    @property
    def left(self) -> float | None:
        """The seconds left in this turn, or None if there is no limit."""
        if self._limit is None or self._began is None:
            return None
        return max(0.0, self._began + self._limit - self._now())

    def ask(self, hint: str = "") -> str | None:
        """Ask the person, with `hint` in the prompt; return the line, or None if time runs out."""
        left = self.left
        told = "? for help" if left is None else f"? for help, {left:.0f} s left"
        console.print(f"[bold green]your action[/] ({escape(hint)}{told}): ", end="")
        if left is not None and (left == 0.0 or not comes_within(sys.stdin, left)):
            console.print()
            return None
        said = input()
        return None if self.left == 0.0 else said


def comes_within(stream: TextIO, seconds: float) -> bool:
    """Wait for a line; return whether the line comes in time.

    Input from a file always comes in time.
    """
    if not stream.isatty() or sys.platform == "win32":
        return True
    return bool(select.select([stream], [], [], seconds)[0])


def ending_action(view: View) -> int:
    """The first action that visibly ends the turn, or the first action if none does."""
    from plyglass.beliefs.fresh import Fresh
    from plyglass.core.state import new_states
    from plyglass.core.world import World

    actions = view.legal()
    belief = Fresh().begin(view.game, view.viewer, 0)
    belief.observe(None, view)
    worlds = new_states(1, view.game.state)
    belief.sample(worlds)
    for action in actions:
        world = World(view.game, worlds[0].copy())
        world.apply(action)
        if world.to_move != view.viewer:
            return action
    return actions[0]
