"""PIMC: perfect-information Monte Carlo. Sample worlds, search each as if everybody saw it, play
what is best on average.

Levy 1989, Ginsberg 2001; documents 003 appendix 1.4 and 001. The inner search is UCT (document
003), expectiminimax, or document 001's minimax that takes every turn to be a single action,
`Expectiminimax(alternating=True)`.

Needs: nothing of a game but what the inner search needs, and a belief.
Cannot: hide or find out. In every world all players see everything, so it never plays to learn, and
it takes itself to be able to play differently in worlds that it cannot tell apart (strategy
fusion). With a belief that knows every world and an exhaustive inner search it is exact, and in
Kuhn poker it still loses 1/6 of a chip to whoever knows how it plays.

Differs from the documents in:
- every world has its own tree, and root statistics are added, as the text of document 003 says; its
  algorithm 6 draws a new world for every iteration of one tree, which `redraw` does: nodes are
  sequences of actions, and those are selected from that are legal in the world;
- luck to come is averaged over, not foreseen, except by `Expectiminimax(luck="sampled")`;
  `Hindsight` always foresees it;
- iterations are dealt to the worlds in turn.
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
    """Perfect-information Monte Carlo: search sampled worlds as if everybody saw them, play what is
    best on average.

    Attributes:
        worlds: how many are sampled; a belief that knows all worlds gives all of them to an
            exhaustive search.
        inner: how each world is searched: `UCT` or `Expectiminimax` with parameters of their own.
        redraw: whether a new world is drawn for every iteration of one tree; how many `worlds`
            there are then makes no difference, and nothing of the tree is kept for the next
            decision.
        paired: whether all actions are compared in the same worlds; if not, each is tried in worlds
            of its own.
    """

    worlds: int = 10
    inner: UCT | Expectiminimax = UCT()  # noqa: RUF009 - frozen
    redraw: bool = False
    paired: bool = True

    name: ClassVar[str] = "pimc"

    def __post_init__(self) -> None:
        if not isinstance(self.inner, UCT | Expectiminimax):
            raise ValueError(  # noqa: TRY004 - as for text
                f"PIMC searches worlds by uct or expectiminimax; it cannot use {self.inner!r}."
            )
        sampling = Sampling(self.worlds, self.paired)
        if isinstance(self.inner, UCT) and not sampling.paired:
            raise ValueError(
                "UCT compares the actions of one tree, so they share its world; paired=false "
                "needs inner=expectiminimax."
            )
        if self.redraw and not isinstance(self.inner, UCT):
            raise ValueError(
                "Only UCT grows a tree by iterations, for each of which a world can be drawn; "
                "redraw=true needs inner=uct."
            )
        if (
            self.redraw
            and isinstance(self.inner, UCT)
            and (self.inner.trees > 1 or self.inner.patience or self.inner.optimistic)
        ):
            raise ValueError(
                "With redraw=true there is one tree; leave out `trees`, `patience` and "
                "`optimistic` of inner."
            )

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> Search:
        if self.redraw:
            return ISMCTSSearch(self.inner, "actions", game, seat, belief, seed, resample=1)
        if isinstance(self.inner, UCT):
            return replace(self.inner, trees=self.worlds).begin(game, seat, belief, seed)
        return self.inner.begin_in_worlds(
            Sampling(self.worlds, self.paired), game, seat, belief, seed
        )
