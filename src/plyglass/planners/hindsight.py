"""Hindsight optimisation: in each sampled world, with its luck to come, plan as if it were known;
play what is best on average.

Chong, Givan and Chang 2000; Yoon, Fern, Givan and Kambhampati 2008. Document 000 algorithms 1 and
2:

    worlds <- sample(N), each with a seed for its luck for each action a:  Q(a) <- mean over worlds
    of  reward(a) + plan(world after a, horizon) plan(s, H):         the best over actions a of
    reward(a) + plan(s after a, H - 1), depth first, with branch and bound

Needs: a belief. For branch and bound across luck-free play, opposed interests (the others minimise
what the seat maximises), no discount, and an evaluator within the declared scores.
Cannot: learn or hedge. Every plan knows what is hidden and what luck will bring, so its values are
too high wherever knowing would help (in Leduc poker it is more exploitable than `PIMC`, which does
not foresee luck).

Differs from the document in:
- other players plan too, in the same known world (minimax), where the document has its opponents in
  the transition function;
- values are maximised instead of costs minimised; `costs=true` gives the document's branch and
  bound, which needs scores that never rise;
- the plan looks one step further each time up to the horizon, so that it is anytime; an iteration
  is a position reached;
- a world's seed fixes its luck for each ply, so two plans that come to the same draw in different
  plies find different luck; `futures="all"` instead numbers the draws and looks at every future,
  which is the exact limit where luck does not depend on play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.expectimax.frames import DICTATED, FORESEEN, Terms
from plyglass.search.expectimax.search import ExhaustiveSearch, Sampling
from plyglass.search.interface import LiveBelief
from plyglass.search.values import TIES, Ties


@dataclass(frozen=True)
class Hindsight:
    """Hindsight optimisation: plan in sampled worlds whose luck to come is known, play what is best
    on average.

    Attributes:
        worlds: how many are sampled, each with its luck; all actions are tried in the same ones.
        horizon: how many actions to plan after the first, or to the "end" of the game.
        evaluator: what judges the end of a plan: "score" for the score so far, the name of an
            evaluator, "" for the game's first.
        costs: whether scores never rise, so that a plan that cost as much as the best one can be
            dropped.
        futures: "sampled", one for every world, or "all" of them.
        paired: whether all actions are compared in the same worlds; if not, each is tried in worlds
            of its own.
        memory: how many positions are remembered; 0 for none.
        ties: which of several best actions to play, if looks that were less deep find them equal
            too: the "first", the "last", or "uniform" for any, by the seed.
    """

    worlds: int = 30
    horizon: int | Literal["end"] = 5
    evaluator: str = "score"
    costs: bool = False
    futures: Literal["sampled", "all"] = "sampled"
    paired: bool = True
    memory: int = 1 << 14
    ties: Ties = "first"

    name: ClassVar[str] = "hindsight"

    def __post_init__(self) -> None:
        refuse_other("futures", self.futures, ("sampled", "all"))
        refuse_other("ties", self.ties, TIES)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ExhaustiveSearch:
        every = self.futures == "all"
        terms = Terms(
            depth=None if self.horizon == "end" else self.horizon + 1,
            evaluator=self.evaluator,
            # A dictated draw is compared wherever it is made, so all futures need a search that
            # skips nothing.
            pruning="none" if every or game.discount != 1.0 else "alpha-beta",
            luck=DICTATED if every else FORESEEN,
            costs=self.costs,
            memory=self.memory,
        )
        return ExhaustiveSearch(
            terms,
            Sampling(self.worlds, self.paired),
            game,
            seat,
            belief,
            seed,
            deepening=True,
            ties=self.ties,
        )
