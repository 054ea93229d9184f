"""Greedy: the action after which the position is worth most.

Document 000, section 2.6 (Hillclimb): "simulates trying each action and chooses the one that leads
to the highest-valued state".

Needs: an evaluator of the game's to be of use; without one, the score so far judges.
Cannot: see beyond its own next action: it will not make a move that only prepares another.

Differs from the document in:
- every action is tried in several worlds of the belief with several lucks, the same ones for all
  actions, and the mean counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyglass.core.game import Game
from plyglass.search.flat_monte_carlo import TrialSearch
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.workspace import TurnOptions, refuse_less

NO_PLIES = 0  # the position is judged right after the action


@dataclass(frozen=True)
class Greedy:
    """The best evaluation one step ahead, on average over worlds and luck.

    Attributes:
        worlds: in how many worlds every action is tried, at most; a smaller budget of iterations
            tries fewer.
        evaluator: which evaluator of the game judges; "" is its first, or the score if it has none;
            so is "score".
    """

    worlds: int = 16
    evaluator: str = ""

    name: ClassVar[str] = "greedy"

    def __post_init__(self) -> None:
        refuse_less("worlds", self.worlds, 1)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TrialSearch:
        options = TurnOptions(evaluator=self.evaluator)
        return TrialSearch(
            game, seat, belief, seed, options, plies=NO_PLIES, keep="mean", most_rounds=self.worlds
        )
