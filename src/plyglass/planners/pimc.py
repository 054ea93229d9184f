"""PIMC: perfect-information Monte Carlo, which searches sampled worlds and averages the values.

Levy 1989 and Ginsberg 2001 introduced this method. Pipan 2021 (appendix 1.4) and McKenney 2023b
describe it. The inner search is UCT (Pipan), expectiminimax, or McKenney's minimax,
`Expectiminimax(alternating=True)`, which treats every turn as a single action.

    worlds <- sample(N)
    for each world: search it as if everybody saw it
    play the action with the best mean over the worlds

Needs: a belief, and what the inner search needs.

`PIMC` cannot bluff or gather information, because in every searched world all players see
everything. `PIMC` also assumes that it could play differently in worlds that it cannot distinguish
(strategy fusion). With an exact belief and an exhaustive inner search, nothing is sampled. Even
with nothing sampled, `PIMC` loses 1/6 of a chip to a best-responding opponent in Kuhn poker.

Differs from the papers:
- Every world has its own tree, and the root statistics of all trees are added, as Pipan's text
  says. Pipan's algorithm 6 instead draws a new world for every iteration of one tree, as `redraw`
  does. With `redraw`, nodes are sequences of actions, and an iteration selects among the actions
  that are legal in its world.
- Later chance is averaged, not foreseen, except by `Expectiminimax(luck="sampled")`. `Hindsight`
  always foresees later chance.
- The worlds take turns to get an iteration.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyglass.core.game import Game
from plyglass.planners.expectiminimax import Expectiminimax
from plyglass.planners.ismcts import ISMCTSSearch
from plyglass.planners.uct import UCT
from plyglass.search.expectimax.search import Sampling
from plyglass.search.interface import LiveBelief, Search


@dataclass(frozen=True)
class PIMC:
    """Perfect-information Monte Carlo: search sampled worlds and play the best average action.

    Attributes:
        worlds: the number of worlds to sample. An exhaustive inner search gets all possible worlds
            if the belief knows all of them.
        inner: the planner that searches each world: `UCT` or `Expectiminimax`, with its own
            parameters.
        redraw: whether to grow one tree with a new world for every iteration. `worlds` then has no
            effect, and the tree is not kept for the next decision.
        paired: whether all actions are compared in the same worlds; otherwise each action has
            worlds of its own.
    """

    worlds: int = 10
    inner: UCT | Expectiminimax = UCT()  # noqa: RUF009 - frozen
    redraw: bool = False
    paired: bool = True

    name: ClassVar[str] = "pimc"

    def __post_init__(self) -> None:
        if not isinstance(self.inner, UCT | Expectiminimax):
            raise ValueError(  # noqa: TRY004 - as for text
                f"PIMC cannot search worlds by {self.inner!r}; give inner=uct or "
                "inner=expectiminimax."
            )
        sampling = Sampling(self.worlds, self.paired)
        if isinstance(self.inner, UCT) and not sampling.paired:
            raise ValueError(
                "paired=false needs inner=expectiminimax, because UCT compares actions within one "
                "tree, which has one world."
            )
        if self.redraw and not isinstance(self.inner, UCT):
            raise ValueError(
                "redraw=true needs inner=uct, which can draw a world for each iteration of its "
                "tree."
            )
        if (
            self.redraw
            and isinstance(self.inner, UCT)
            and (self.inner.trees > 1 or self.inner.patience or self.inner.optimistic)
        ):
            raise ValueError(
                "redraw=true grows one plain tree; leave out `trees`, `patience` and `optimistic` "
                "of inner."
            )

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> Search:
        if self.redraw:
            return ISMCTSSearch(self.inner, "actions", game, seat, belief, seed, resample=1)
        if isinstance(self.inner, UCT):
            return replace(self.inner, trees=self.worlds).begin(game, seat, belief, seed)
        return self.inner.begin_in_worlds(
            Sampling(self.worlds, self.paired), game, seat, belief, seed
        )
