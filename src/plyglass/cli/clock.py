"""A clock for the turns of whoever sits at the terminal, and what is done for him when it runs
out.
"""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from plyglass.cli.output import console

if TYPE_CHECKING:
    from plyglass.core.world import View


class TurnClock:
    """Counts the seconds of one turn after the other; without a limit it counts for ever."""

    def __init__(
        self, limit: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        if limit is not None and limit <= 0:
            raise ValueError(
                f"A timer of {limit:g} seconds leaves no time to play; give a positive number."
            )
        self._limit, self._now = limit, now
        self._began: float | None = None

    def start(self) -> None:
        """A decision is to be made: if it is the first of a turn, the clock starts."""
        if self._began is None:
            self._began = self._now()

    def stop(self) -> None:
        """The turn is over."""
        self._began = None

    @property
    def left(self) -> float | None:
        """The seconds that are left of this turn; none where there is no limit."""
        if self._limit is None or self._began is None:
            return None
        return max(0.0, self._began + self._limit - self._now())

    def ask(self) -> str | None:
        """What the person types, or none if his time is over before he has typed it."""
        left = self.left
        told = "? for help" if left is None else f"? for help, {left:.0f} s left"
        console.print(f"[bold green]your action[/] ({told}): ", end="")
        if left is not None and (left == 0.0 or not comes_within(sys.stdin, left)):
            console.print()
            return None
        said = input()
        return None if self.left == 0.0 else said


def comes_within(stream: TextIO, seconds: float) -> bool:
    """Whether a line is typed in time; where nobody types, as in a file, what is to come is
    there already.
    """
    if not stream.isatty() or sys.platform == "win32":
        return True
    return bool(select.select([stream], [], [], seconds)[0])


def ending_action(view: View) -> int:
    """The first action that ends the turn, as far as the viewer can tell; or the first of all,
    if none does by itself.
    """
    from plyglass.beliefs.fresh import Fresh
    from plyglass.core.state import rows
    from plyglass.core.world import World

    actions = view.legal()
    belief = Fresh().begin(view.game, view.viewer, 0)
    belief.observe(None, view)
    worlds = rows(1, view.game.state)
    belief.sample(worlds)
    for action in actions:
        world = World(view.game, worlds[0].copy())
        world.apply(action)
        if world.to_move != view.viewer:
            return action
    return actions[0]
