"""One-ply MCTS: Monte Carlo tree search that stops at the end of the turn.

The algorithm comes from McKenney 2023a, algorithms 3 to 6 and section 2.4 ("one-ply MCTS for
CCGs"). Rollouts over several plies come from McKenney 2023b.

Needs: only the rules of a game. An evaluator makes the search strong. Without an evaluator, the
score so far judges the position at the end of a turn.

`OnePlyMCTS` cannot see how others will answer the turn. With `plies=2` or more, it sees only how
the rollout's policy would answer. Discounts are not applied, because a turn is over before they
matter.

Where the pseudo-code and the text of the paper differ, the planner follows the text. The
pseudo-code backs up nothing. The text backs up the maximum over positions and action groups, and
the mean over the results of an action.

Differs from the paper:

- Positions in the tree are views of the player. Every iteration has its own random seed. After
  every `resample` iterations, the search takes another world of the belief. The mean over the
  results of an action weights each result by its frequency.
- With `paired`, the n-th try of every action at the root has the same world and the same chance.
- With `transpositions`, action orders that lead to the same view share one position.
- Once the value of a plan is certain, the plan is not tried again. A value is certain if neither
  chance nor hidden information affects it. The paper excludes only positions at the end of the
  turn.
- Confidence bounds are scaled by the range of the values seen so far in the turn. `scale="raw"`
  with `exploration=10` gives the paper's bounds.
- Other players are simulated in worlds of the belief. McKenney 2023b draws a new deck at the end of
  each turn.
- During the first `opening` turns (the mulligan), the search continues through the player's next
  turn. Between these two turns, the other players pass. To pass, a player plays the last of the
  legal actions that immediately end the turn. The paper names the action that passes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, get_args

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.search import OwnTurnSearch, Turn
from plyglass.search.turn_tree.workspace import (
    USUAL_TREE,
    Choice,
    Scale,
    TurnOptions,
    TurnTree,
)


@dataclass(frozen=True)
class OnePlyMCTS:
    """Monte Carlo tree search within the current turn; the evaluator judges final positions.

    Attributes:
        rollout: how a turn is played to its end: "random", "greedy" (best evaluation after each
            action), or a policy of the game.
        plies: the number of plies that a rollout plays to the end. 1 is the current turn; 2 adds
            the opponent's next turn. The tree always covers only the current turn.
        exploration: the weight of the exploration term in the confidence bound.
        scale: "range" scales confidence bounds by the range of values; "raw" uses values as they
            are.
        choice: the action to play: the one with the best "value", or the one with the most
            "visits".
        evaluator: the evaluator that judges positions: the name of an evaluator of the game,
            "score" for the score, or "" for the game's first evaluator (the score if the game has
            none).
        opening: for how many turns from the start of the game the search also covers the player's
            next turn. This option is for the mulligan.
        tree: the parameters of growing the tree.
    """

    rollout: str = "random"
    plies: int = 1
    exploration: float = 1.0
    scale: Scale = "range"
    choice: Choice = "value"
    evaluator: str = ""
    opening: int = 0
    tree: TurnTree = USUAL_TREE

    name: ClassVar[str] = "one-ply-mcts"
    moved: ClassVar[Mapping[str, str]] = {
        "backup": "tree.backup",
        "action_tree": "tree.action_tree",
        "transpositions": "tree.transpositions",
        "paired": "tree.paired",
        "resample": "tree.resample",
        "most_nodes": "tree.most_nodes",
    }

    def __post_init__(self) -> None:
        refuse_other("choice", self.choice, get_args(Choice))
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> OnePlySearch:
        turn = Turn(game, self.options(), seed, belief.clock)
        return OnePlySearch(self, turn, game, seat, belief)

    def options(self) -> TurnOptions:
        """Return the parameters of searching a turn."""
        return TurnOptions(
            exploration=self.exploration,
            rollout=self.rollout,
            plies=self.plies,
            evaluator=self.evaluator,
            scale=self.scale,
            tree=self.tree,
        )


class OnePlySearch(OwnTurnSearch):
    """A one-ply search of one seat in one match.

    The tree is kept from one action of a turn to the next (algorithm 4).
    """

    def plies(self, turn: int) -> int:
        return 2 if turn <= self.planner.opening else 1

    def grow(self, done: int, count: int) -> None:
        self.grow_own_turn(done, count)
