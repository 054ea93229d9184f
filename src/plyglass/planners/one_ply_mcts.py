"""One-ply MCTS: Monte Carlo tree search that stops at the end of the turn.

Document 000, algorithms 3 to 6 and section 2.4: "one-ply MCTS for CCGs"; document 001: rollouts
over several plies.

Needs: nothing of a game but its rules; an evaluator of the game's makes it strong, otherwise the
score so far judges the end of a turn.
Cannot: see what others will do about it, except, with `plies`, what the rollout's policy would do
in their place. Discounts are not applied: a turn is over before they matter.

Where the pseudo-code and the text of the document differ, the text is built: the pseudo-code backs
up nothing, the text the maximum over positions and action groups and the mean over the results of
an action.

Differs from the document in:
- positions are what the player sees, and every iteration has its own luck and, every `resample`
  iterations, another world of the belief; the mean over the results of an action weighs each by how
  often it came;
- `paired`: the n-th try of every action at the root has the same world and the same luck;
- `transpositions`: orders of actions that lead to the same view share one position;
- not only an end of the turn but every plan that is known for certain is left alone, where neither
  luck nor anything hidden has a say;
- confidence bounds are measured by the range of the values seen so far in the turn; `scale="raw"`
  with `exploration=10` is the document's;
- others are simulated in worlds of the belief, where document 001 draws a new deck whenever the
  turn passes;
- during the first `opening` turns (the mulligan) the search looks on through the next own turn. The
  others pass on the way, by the last action of theirs that ends their turn at once; the document
  knows the action by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.search import OwnTurnSearch, Turn
from plyglass.search.turn_tree.workspace import Backup, Choice, Scale, TurnOptions


@dataclass(frozen=True)
class OnePlyMCTS:
    """Monte Carlo tree search within the present turn, which ends with the evaluator's word.

    Attributes:
        rollout: how a turn is played to its end: "random", "greedy" (best evaluation after each
            action), or a policy of the game.
        plies: to the end of which ply a rollout goes; 1 is the present turn, 2 includes the
            opponent's next. The tree ends with the present turn all the same.
        backup: "max" makes a position worth its best plan, "mean" the mean of all that were tried.
        action_tree: whether an action is chosen by kind, then source, then target.
        transpositions: whether orders of actions that lead to the same view are merged.
        paired: whether the actions at the root are tried on the same worlds with the same luck.
        resample: iterations that share a world.
        exploration: the weight of the confidence bound.
        choice: what to play in the end: the action of the best value, or the one with the most
            visits.
        evaluator: which evaluator of the game judges; "" is its first, or the score if it has none;
            so is "score".
        scale: "range" measures confidence bounds by the range of values, "raw" takes values as they
            are.
        opening: how many of the first turns look on through the next one, as the mulligan does.
        most_nodes: how large the tree may grow; 48 bytes a node. The search of a decision ends when
            it is full.
    """

    rollout: str = "random"
    plies: int = 1
    backup: Backup = "max"
    action_tree: bool = False
    transpositions: bool = True
    paired: bool = True
    resample: int = 1
    exploration: float = 1.0
    choice: Choice = "value"
    evaluator: str = ""
    scale: Scale = "range"
    opening: int = 0
    most_nodes: int = 1_000_000

    name: ClassVar[str] = "one-ply-mcts"

    def __post_init__(self) -> None:
        refuse_other("choice", self.choice, get_args(Choice))
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> OnePlySearch:
        return OnePlySearch(self, Turn(game, self.options(), seed), game, seat, belief)

    def options(self) -> TurnOptions:
        """How a turn is searched."""
        return TurnOptions(
            exploration=self.exploration,
            backup=self.backup,
            rollout=self.rollout,
            plies=self.plies,
            action_tree=self.action_tree,
            transpositions=self.transpositions,
            paired=self.paired,
            resample=self.resample,
            evaluator=self.evaluator,
            scale=self.scale,
            most_nodes=self.most_nodes,
        )


class OnePlySearch(OwnTurnSearch):
    """A one-ply search of one seat in one match. The tree is kept from one action of a turn to
    the next (algorithm 4).
    """

    def plies(self, turn: int) -> int:
        return 2 if turn <= self.planner.opening else 1

    def grow(self, done: int, count: int) -> None:
        self.grow_own_turn(done, count)
