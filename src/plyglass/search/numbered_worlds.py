"""Numbered worlds of a belief: within a decision, a number always means the same world."""

from __future__ import annotations

from plyglass.core.game import Game
from plyglass.core.state import HEADER_BYTES, Bytes, new_states
from plyglass.core.world import View
from plyglass.search.interface import LiveBelief

BLOCK = 64  # worlds drawn at a time, so the worlds do not depend on the sizes of slices
# The memory for worlds. If more worlds are needed, the first ones are used again with other chance.
MOST_BYTES = 1 << 22


class Worlds:
    """The possible worlds of one seat at one decision.

    If nothing is hidden, there is one world, and only its random seed varies.
    """

    def __init__(self, game: Game, belief: LiveBelief) -> None:
        self._belief, self._state = belief, game.state
        self._hides, self._size = game.hides, max(BLOCK, MOST_BYTES // game.state.itemsize)
        self._view: Bytes = new_states(1, game.state)[0]
        self._rows: Bytes = new_states(BLOCK, game.state)
        self._drawn = 0
        self.certain = False  # whether nothing is hidden, judged by the first block

    def forget(self, view: View) -> None:
        """Drop all worlds, because the seat has a new view."""
        self._view, self._drawn = view.row(), 0

    @property
    def most(self) -> int:
        """Return the largest possible number of different worlds."""
        return 1 if self.certain else self._size

    def first(self, count: int) -> Bytes:
        """Return the worlds with the numbers 0 to `count` - 1, or fewer if memory limits them.

        The array stays valid until the next call.
        """
        if self._drawn == 0:
            self._draw(BLOCK if self._hides else 1)
            self.certain = bool(
                (self._rows[: self._drawn, HEADER_BYTES:] == self._view[HEADER_BYTES:]).all()
            )
        while self._drawn < min(count, self.most):
            self._draw(min(BLOCK, self.most - self._drawn))
        return self._rows

    def _draw(self, count: int) -> None:
        after = self._drawn + count
        if after > len(self._rows):
            larger = new_states(max(after, min(2 * len(self._rows), self._size)), self._state)
            larger[: self._drawn] = self._rows[: self._drawn]
            self._rows = larger
        self._belief.sample(self._rows[self._drawn : after])
        self._drawn = after
