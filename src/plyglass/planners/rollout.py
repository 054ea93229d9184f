"""Rollout: try every action, play to the end of the turn, and choose the best result.

The algorithm comes from McKenney 2023a, section 2.6. Rollouts over several plies and the
multi-random policy come from McKenney 2023b.

Needs: an evaluator. Without an evaluator, the planner judges positions by the score so far.

`Rollout` cannot improve on its policy by more than one action, because the policy plays all later
actions.

Differs from the papers:

- The planner has a budget. An iteration is a round that tries every action once, in the same world
  with the same chance (`paired`). With one iteration, the planner is the same as in the papers.
  Over several rounds, the mean value of an action counts. With `keep="best"`, the best value of an
  action counts, which makes sense if nothing is uncertain.
- Other players are simulated in worlds of the belief. McKenney 2023b draws a new deck at the end of
  each turn.
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
    """A planner that chooses the action whose rollout ends in the best position.

    Attributes:
        policy: "random", "greedy" (best evaluation after each action), "multi-random" (the best of
            several random plies, judged for the player who plays them), or a policy of the game.
        plies: the number of plies that a rollout plays to the end. 1 is the current turn; 2 adds
            the opponent's next turn.
        tries: the number of random plies of which "multi-random" takes the best.
        keep: whether the "mean" value over rounds counts, or the "best" value.
        paired: whether all actions of a round are tried in the same world with the same chance.
        evaluator: the evaluator that judges positions: the name of an evaluator of the game,
            "score" for the score, or "" for the game's first evaluator (the score if the game has
            none).
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
                f"A rollout plays at least one ply, not {self.plies}; the planner greedy judges "
                "the next position."
            )
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TrialSearch:
        trials = Trials(self.options(), plies=self.plies, keep=self.keep)
        return TrialSearch(trials, game, seat, belief, seed)

    def options(self) -> TurnOptions:
        """Return the parameters of playing a ply."""
        several = self.policy == MULTI_RANDOM
        return TurnOptions(
            rollout="random" if several else self.policy,
            tries=self.tries if several else 1,
            evaluator=self.evaluator,
            tree=TurnTree(paired=self.paired),
        )
