"""Hindsight optimisation: plan in sampled worlds with known futures, play the best on average.

Chong, Givan and Chang 2000; Yoon, Fern, Givan and Kambhampati 2008. As in McKenney 2023a
(algorithms 1 and 2):

    worlds <- sample(N), each with a seed for its chance
    for each action a:  Q(a) <- mean over worlds of  reward(a) + plan(world after a, horizon)
    plan(s, H):         best over actions a of  reward(a) + plan(s after a, H - 1),
                        depth first, with branch and bound

Needs: a belief. Branch and bound also needs opposed interests (others minimise what the seat
maximises), no discount, and an evaluator within the declared scores.

It cannot gather information or hedge. Every plan knows what is hidden and what chance will bring.
Values are too high wherever knowledge would help. In Leduc poker it is more exploitable than
`PIMC`, which does not foresee chance.

Differs from the paper:
- Other players plan too, in the same known world (minimax). The paper's opponents are part of the
  transition function.
- Values are maximised instead of costs minimised. `costs=true` gives the paper's branch and bound,
  which needs scores that never rise.
- The plan deepens step by step up to the horizon, so the search is anytime. An iteration is one
  position reached.
- A world's seed fixes its chance for each ply. Two plans that make the same draw in different plies
  get different results. `futures="all"` numbers the draws instead and looks at every future. That
  is the exact limit if chance does not depend on play.
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
    """Hindsight optimisation: plan in sampled worlds with known futures.

    Attributes:
        worlds: how many worlds to sample, each with its own chance.
        horizon: how many actions to plan after the first, or to the "end" of the game.
        evaluator: what judges the end of a plan: "score" for the score so far, the name of an
            evaluator, or "" for the game's first.
        costs: whether scores never rise, so a plan that costs as much as the best can be dropped.
        futures: "sampled", one for every world, or "all" of them.
        paired: whether all actions are compared in the same worlds; otherwise each action has
            worlds of its own.
        memory: how many positions to remember; 0 for none.
        ties: which of several best actions to play if shallower looks find them equal too: the
            "first", the "last", or "uniform" for a random one, by the seed.
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
            # Every dictated draw is checked wherever it is made, so all futures need a search
            # that skips nothing.
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
