"""PIMC: perfect-information Monte Carlo; sample worlds, search each, play the best on average.

Levy 1989, Ginsberg 2001; described in Pipan 2021 (appendix 1.4) and McKenney 2023b. The inner
search is UCT (Pipan), expectiminimax, or McKenney's minimax, which takes every turn to be a single
action: `Expectiminimax(alternating=True)`.

    worlds <- sample(N)
    for each world: search it as if everybody saw it
    play the action with the best mean over the worlds

Needs: what the inner search needs, and a belief.

It cannot bluff or gather information. In every world all players see everything, so it never plays
to learn. It also assumes that it could play differently in worlds that it cannot tell apart
(strategy fusion). With an exact belief and an exhaustive inner search nothing is sampled. In Kuhn
poker it still loses 1/6 of a chip to a best-responding opponent.

Differs from the papers:
- Every world has its own tree, and root statistics are added, as Pipan's text says. Pipan's
  algorithm 6 draws a new world for every iteration of one tree; `redraw` does that. Nodes are then
  sequences of actions, and selection is among the actions that are legal in the world.
- Later chance is averaged, not foreseen, except by `Expectiminimax(luck="sampled")`. `Hindsight`
  always foresees it.
- Iterations are dealt to the worlds in turn.
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
    """Perfect-information Monte Carlo: search sampled worlds, play the best action on average.

    Attributes:
        worlds: how many worlds to sample; an exhaustive search gets all worlds if the belief knows
            them all.
        inner: how each world is searched: `UCT` or `Expectiminimax`, with their own parameters.
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
                "paired=false needs inner=expectiminimax: UCT compares the actions of one tree, "
                "which share its world."
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
