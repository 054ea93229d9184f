"""Representative moves: a search in which a few moves stand for classes of like ones.

Document 002, section 3. The game says which: its `represent` lists one action for each class. The inner search then plans in a game that
has no other actions, for itself, for the other players and in playouts, and searches deeper for it.

Needs: a game with `represent`.
Cannot: find an action that represents no class, however good it is.

Differs from the document in:
- a representative is an action that exists, not the average of a class, so every position that is searched can be reached;
- any search can be inside, not expectiminimax alone;
- luck is not represented: all its outcomes are kept.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.core.table import LEGAL, PLAYOUT, REPRESENT
from plyglass.core.world import View
from plyglass.planners.expectiminimax import Expectiminimax
from plyglass.search.belief import Health, LiveBelief
from plyglass.search.budget import Budget
from plyglass.search.planner import Decision, Planner, Search


@dataclass(frozen=True)
class RepresentativeMoves:
    """A search in which a few moves stand for classes of like ones.

    Attributes:
        inner: the planner that searches them.
    """

    inner: Planner = Expectiminimax(depth=3)  # noqa: RUF009 - frozen

    name: ClassVar[str] = "representative-moves"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> RepresentativeSearch:
        if not game.represents:
            raise ValueError(f"{game.name} names no representative moves; a game does so by a rule `represent`.")
        few = represented(game)
        return RepresentativeSearch(few, belief, self.inner.begin(few, seat, Shared(belief), seed))


class RepresentativeSearch(Search):
    """The inner search, shown the same views of a game with fewer actions."""

    def __init__(self, few: Game, belief: LiveBelief, inner: Search) -> None:
        self._few, self._belief, self._inner = few, belief, inner

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        seen = copy.copy(view)  # the same bytes under other rules: nothing is known that was not seen
        seen.game = self._few
        self._inner.observe(own_action, seen)

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        self._inner.run(budget, cancelled)

    def decision(self) -> Decision:
        return self._inner.decision()


class Shared(LiveBelief):
    """A belief that follows the full game elsewhere: others need not play representative moves, and it must not think that they do."""

    def __init__(self, belief: LiveBelief) -> None:
        super().__init__(belief.game, belief.seat)
        self._belief = belief

    def observe(self, own_action: int | None, view: View) -> None:
        pass

    def sample(self, worlds: Bytes) -> None:
        self._belief.sample(worlds)

    def support(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        return self._belief.support(count)

    def health(self) -> Health | None:
        return self._belief.health()


def represented(game: Game) -> Game:
    """The same game with no actions but the representative ones."""
    few, table = copy.copy(game), game.table.copy()
    table[LEGAL], table[PLAYOUT] = table[REPRESENT], 0  # the composed playout would still play all of them
    few.__dict__["table"] = table
    return few
