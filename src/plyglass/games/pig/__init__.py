"""Pig: roll as often as you dare; a one loses all points of the turn."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.pig import rules, view


class Pig(Game):
    """Roll as often as you dare; a one loses all points of the turn.

    Args:
        goal: number of points that wins.
        turns: number of turns, both players counted together, after which the game is a draw.
    """

    name = "pig"
    state = rules.State
    constants = rules.Constants
    rules = (rules.start, rules.to_move, rules.legal, rules.apply, rules.score)
    easier: ClassVar = {
        "easy": "random",
        "medium": "uct:iterations=100",
    }
    opponent = "uct:iterations=3000"

    def __init__(self, goal: int = 100, turns: int = 1000) -> None:
        if goal < 1 or turns < 1:
            raise ValueError(
                f"Pig needs a goal and a number of turns of at least 1, not {goal} and {turns}."
            )
        self.goal = goal
        # A roll that does not end the turn brings at least two points, so a turn has at most
        # goal / 2 rolls and a hold.
        super().__init__(
            players=2,
            most_actions=2,
            most_steps=turns * (goal // 2 + 1),
            scores=(-1.0, 1.0),
            constants={"goal": goal, "turns": turns},
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {
            "points": (0, self.goal + rules.SIDES - 1),
            "total": (0, self.goal - 1),
            "turn": (0, self.parameters["turns"]),
            "player": (0, 1),
            "winner": (0, rules.DRAW),
        }

    def text(self, position: View) -> str:
        return view.text(position.record, self.goal)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.goal, position.viewer)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return ((view.DIE, view.BANK)[action],)

    def action_name(self, action: int) -> str:
        return ("roll", "hold")[action]
