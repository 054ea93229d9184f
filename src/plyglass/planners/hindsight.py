"""Hindsight optimisation: plan in sampled worlds with known futures, and average the values.

Chong, Givan and Chang 2000 and Yoon, Fern, Givan and Kambhampati 2008 introduced the method. The
pseudo-code follows McKenney 2023a (algorithms 1 and 2):

    worlds <- sample(N), each with a seed for its chance
    for each action a:  Q(a) <- mean over worlds of  reward(a) + plan(world after a, horizon)
    plan(s, H):         best over actions a of  reward(a) + plan(s after a, H - 1),
                        depth first, with branch and bound

Needs: a belief. Branch and bound also needs opposed interests (others minimise the seat's score),
no discount, and an evaluator whose values stay within the declared scores.

`Hindsight` cannot gather information or hedge. Every plan knows all hidden information and all
later chance. Values are too high wherever this knowledge would help. In Leduc poker, `Hindsight` is
more exploitable than `PIMC`, which does not foresee chance.

Differs from the paper:
- Other players plan too, in the same known world (minimax). The paper's opponents are part of the
  transition function.
- `Hindsight` maximises values, and the paper minimises costs. `costs=true` gives the paper's branch
  and bound, which needs scores that never rise.
- The search deepens step by step up to the horizon, so it is anytime. An iteration is one position
  reached.
- A world's seed fixes the chance of each ply separately. So the same draw can have different
  outcomes in different plies. With `futures="all"`, the outcome of a draw depends only on the
  draw's position in the sequence of draws. The search covers every sequence of outcomes. The result
  is the exact limit of infinitely many samples. This option needs chance that does not depend on
  the actions; otherwise, the search raises an error.
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
        worlds: the number of worlds to sample, each with its own random seed.
        horizon: the number of actions to plan after the first, or "end" to plan to the end of the
            game.
        evaluator: the evaluator that judges the end of a plan: "score" for the score so far, the
            name of an evaluator, or "" for the game's first evaluator.
        costs: whether scores never rise, so the search can drop a plan once its cost reaches that
            of the best plan.
        futures: "sampled" searches one future of every world; "all" searches every future.
        paired: whether all actions are compared in the same worlds; otherwise each action has
            worlds of its own.
        memory: the number of positions to remember; 0 for none.
        ties: which of several equally good actions to play: the "first", the "last", or "uniform"
            for a random one. Actions count as equally good only if shallower searches also give
            them equal values.
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
            # With all futures, the search must check each dictated draw in every position, so it
            # must not prune.
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
