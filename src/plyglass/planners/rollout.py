"""Rollout: after every action play to the end of the turn, and choose the best end.

McKenney 2023a, section 2.6; McKenney 2023b: rollouts over several plies, and the multi-random
policy.

Needs: an evaluator to be of use; without one, the score so far judges.

It cannot improve on its policy by more than one action. What follows is played by the policy.

Differs from the papers in:

- Budgets: an iteration is a round that tries every action once, in the same world with the same
  chance (`paired`). One iteration is the papers' planner. Over several rounds, the mean counts.
  With `keep="best"` the best end counts, which is right if nothing is uncertain.
- Others are simulated in worlds of the belief. McKenney 2023b draws a new deck whenever the turn
  passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.flat_monte_carlo import Trials, TrialSearch
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.workspace import TurnOptions, TurnTree

MULTI_RANDOM = "multi-random"


@dataclass(frozen=True)
class Rollout:
    """The best end of the turn, reached by a simple policy after every action.

    Attributes:
        policy: "random", "greedy" (best evaluation after each action), "multi-random" (the best of
            several random plies, judged for the player who plays them), or a policy of the game.
        plies: how many plies a rollout plays to the end; 1 is the current turn, 2 includes the
            opponent's next.
        tries: random plies of which "multi-random" takes the best.
        keep: whether the "mean" over rounds counts, or the "best" end.
        paired: whether all actions of a round are tried in the same world with the same chance.
        evaluator: the evaluator of the game that judges; "" is its first, or the score if it has
            none; "score" is the score.
    """

    policy: str = "random"
    plies: int = 1
    tries: int = 3
    keep: Literal["mean", "best"] = "mean"
    paired: bool = True
    evaluator: str = ""

    name: ClassVar[str] = "rollout"

    def __post_init__(self) -> None:
        refuse_other("keep", self.keep, ("mean", "best"))
        if self.plies < 1:
            raise ValueError(
                f"A rollout goes on for at least one ply, not {self.plies}; the planner greedy "
                "judges the next position."
            )
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TrialSearch:
        trials = Trials(self.options(), plies=self.plies, keep=self.keep)
        return TrialSearch(trials, game, seat, belief, seed)

    def options(self) -> TurnOptions:
        """How a ply is played."""
        several = self.policy == MULTI_RANDOM
        return TurnOptions(
            rollout="random" if several else self.policy,
            tries=self.tries if several else 1,
            evaluator=self.evaluator,
            tree=TurnTree(paired=self.paired),
        )
