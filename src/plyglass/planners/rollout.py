"""Rollout: play on after every action to the end of the turn, and choose the action that led to the
best end.

Document 000, section 2.6, and document 001: rollouts over several plies, and the multi-random
policy.

Needs: an evaluator of the game's to be of use; without one, the score so far judges.
Cannot: improve on its policy by more than one action: what follows is played as the policy plays.

Differs from the documents in:
- budgets: an iteration is a round in which every action is tried once, in the same world with the
  same luck (`paired`). One iteration is the documents' planner. Over rounds the mean counts, or
  with `keep="best"` the best end, which is right where nothing is uncertain;
- others are simulated in worlds of the belief, where document 001 draws a new deck whenever the
  turn passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.flat_monte_carlo import TrialSearch
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.workspace import TurnOptions

MULTI_RANDOM = "multi-random"


@dataclass(frozen=True)
class Rollout:
    """The best end of the turn, reached by a simple policy after every action.

    Attributes:
        policy: "random", "greedy" (best evaluation after each action), "multi-random" (the best of
            several random plies, by the judgement of whoever plays them), or a policy of the game.
        plies: to the end of which ply is played on; 1 is the present turn, 2 includes the
            opponent's next.
        tries: how many random plies "multi-random" takes the best of.
        keep: whether the mean over rounds counts or the best.
        paired: whether all actions of a round are tried in the same world with the same luck.
        evaluator: which evaluator of the game judges; "" is its first, or the score if it has none;
            so is "score".
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
                "looks at the next position."
            )
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TrialSearch:
        return TrialSearch(
            game,
            seat,
            belief,
            seed,
            self.options(),
            plies=self.plies,
            keep=self.keep,
            most_rounds=None,
        )

    def options(self) -> TurnOptions:
        """How a ply is played."""
        several = self.policy == MULTI_RANDOM
        return TurnOptions(
            rollout="random" if several else self.policy,
            tries=self.tries if several else 1,
            paired=self.paired,
            evaluator=self.evaluator,
        )
