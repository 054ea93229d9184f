"""Representative moves: search a few moves that represent classes of similar moves.

The algorithm comes from Taucer, Polk and Oommen 2018, section 3. The game's rule `represent` lists
one action for each class. Alternatively, `classes` finds classes in every position by clustering
the results of actions, an idea that section 8 of the paper leaves open. The inner search then plans
in a game with these actions only, for all players. With fewer actions, the inner search reaches a
greater depth.

Needs: a game with the rule `represent`. Clusters need `features` or an evaluator, because most
actions look alike by the score alone.

`RepresentativeMoves` cannot find an action that represents no class, however good the action is.

Differs from the paper:
- A game may list real actions, so every searched position can occur in a match. A game may also
  list averages of the actions of a class, as the paper does. The rule `realize` then gives the real
  action to play for such an average.
- The inner search can be any planner, not expectiminimax alone.
- Chance outcomes are not grouped into classes, unless the game's averages include chance.
- With `classes="game"`, playouts also play only representative actions. With clusters, playouts
  play all actions, because clustering takes longer than a playout.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.core.state import Bytes
from plyglass.core.table import LEGAL, PLAYOUT, PREFER, REPRESENT
from plyglass.core.world import View
from plyglass.planners.expectiminimax import Expectiminimax
from plyglass.planners.representative_moves.classes import Classes, few_actions
from plyglass.search.interface import Budget, Decision, Health, LiveBelief, Planner, Search

ClassSource = Literal["game", "clusters"]


@dataclass(frozen=True)
class RepresentativeMoves:
    """A planner that searches a few moves, each representing a class of similar moves.

    Attributes:
        inner: the planner that searches the representative moves.
        classes: the source of the classes: the "game", or "clusters" of the results of moves.
        count: with clusters, the number of moves to keep.
        worlds: with clusters, the number of imagined worlds in which every move is tried, each with
            its own random seed.
        rounds: with clusters, the largest number of rounds in which representatives are replaced by
            the medoids of their classes; 0 keeps the first choice.
        evaluator: with clusters, the evaluator that finds the best move, which is always kept; ""
            is the game's first evaluator.
    """

    inner: Planner = Expectiminimax(depth=3)  # noqa: RUF009 - frozen
    classes: ClassSource = "game"
    count: int = 5
    worlds: int = 4
    rounds: int = 4
    evaluator: str = ""

    name: ClassVar[str] = "representative-moves"

    def __post_init__(self) -> None:
        refuse_other("classes", self.classes, get_args(ClassSource))
        _ = self._clusters  # raises an error now if parameters are impossible

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> RepresentativeSearch:
        few = self._few(game)
        return RepresentativeSearch(few, belief, self.inner.begin(few, seat, Shared(belief), seed))

    @property
    def _clusters(self) -> Classes:
        return Classes(self.count, self.worlds, self.rounds, self.evaluator)

    def _few(self, game: Game) -> Game:
        """Return the game that is searched."""
        if self.classes == "clusters":
            return few_actions(game, self._clusters)
        if not game.represents:
            raise ValueError(
                f"{game.name} names no representative moves by a rule `represent`; give "
                "classes=clusters."
            )
        return represented(game)


class RepresentativeSearch(Search):
    """A search of one seat in one match; the inner search runs on a game with fewer actions."""

    def __init__(self, few: Game, belief: LiveBelief, inner: Search) -> None:
        self._few, self._belief, self._inner = few, belief, inner

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._view, self._legal = view, tuple(view.legal())
        seen = copy.copy(view)  # the same bytes with other rules, so nothing more is revealed
        seen.game = self._few
        self._inner.observe(own_action, seen)

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        if len(self._legal) > 1:
            self._inner.run(budget, cancelled)

    def decision(self) -> Decision:
        """Return the decision of the inner search, translated to real actions."""
        if len(self._legal) == 1:
            return Decision(action=self._legal[0], actions=self._legal)
        found = self._inner.decision()
        real = [self._realized(action) for action in found.actions]
        if tuple(real) == found.actions:
            return found
        action = self._realized(found.action)
        values = _best_of_each(self._legal, real, found.values)
        return replace(
            found,
            action=action,
            actions=self._legal,
            values=values,
            visits=(),
            spread=(),
            line=((self._view.viewer, action),),
        )

    def _realized(self, action: int) -> int:
        return self._view.game.realize(self._view, action)


def _best_of_each(
    legal: Sequence[int], real: Sequence[int], values: Sequence[float | None]
) -> tuple[float | None, ...]:
    """For each legal action, return the best value of the actions that stand for it, or None."""
    known: dict[int, float] = {}
    for action, value in zip(real, values, strict=True):
        if value is not None:
            known[action] = max(value, known.get(action, value))
    return tuple(known.get(action) for action in legal)


class Shared(LiveBelief):
    """The belief of the inner search, which the outer search updates by the rules of the full game.

    The belief must not assume that others play only representative moves.
    """

    def __init__(self, belief: LiveBelief) -> None:
        super().__init__(belief.game, belief.seat)
        self._belief, self.clock = belief, belief.clock

    def observe(self, own_action: int | None, view: View) -> None:
        pass

    def sample(self, worlds: Bytes) -> None:
        self._belief.sample(worlds)

    def support(self, count: int) -> tuple[Bytes, npt.NDArray[np.float64]]:
        return self._belief.support(count)

    def health(self) -> Health | None:
        return self._belief.health()


def represented(game: Game) -> Game:
    """Return a copy of the game that has only representative actions."""
    few, table = copy.copy(game), game.table.copy()
    table[LEGAL] = table[REPRESENT]
    table[PREFER] = table[PLAYOUT] = 0  # a composed playout would still play all actions
    few.__dict__["table"] = table
    return few
