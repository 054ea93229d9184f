"""Greedy: play the action that leads to the best position.

McKenney 2023a, section 2.6, calls this planner Hillclimb: it "simulates trying each action and
chooses the one that leads to the highest-valued state".

Needs: an evaluator. Without an evaluator, the planner judges positions by the score so far.

`Greedy` cannot see beyond its own next action. `Greedy` never plays an action that only prepares a
later action.

Differs from the paper:

- Every action is tried in several worlds of the belief with several chance samples. The worlds and
  samples are the same for all actions, and an action's value is the mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.search.flat_monte_carlo import Trials, TrialSearch
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.workspace import TurnOptions

NO_PLIES = 0  # the position is judged right after the action


@dataclass(frozen=True)
class Greedy:
    """A planner that plays the action with the best evaluation, averaged over worlds.

    Attributes:
        worlds: the largest number of worlds in which every action is tried. A smaller budget of
            iterations means fewer worlds.
        evaluator: the evaluator that judges positions: the name of an evaluator of the game,
            "score" for the score, or "" for the game's first evaluator (the score if the game has
            none).
    """

    worlds: int = 16
    evaluator: str = ""

    name: ClassVar[str] = "greedy"

    def __post_init__(self) -> None:
        refuse_less("worlds", self.worlds, 1)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TrialSearch:
        options = TurnOptions(evaluator=self.evaluator)
        trials = Trials(options, plies=NO_PLIES, keep="mean", most_rounds=self.worlds)
        return TrialSearch(trials, game, seat, belief, seed)
