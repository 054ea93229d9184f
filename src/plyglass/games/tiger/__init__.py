"""Tiger: two doors, one tiger; listen until you dare to open one."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.tiger import rules, view


class Tiger(Game):
    """Two doors, one tiger; listen until you dare to open one.

    Args:
        accuracy: probability that listening names the tiger's true door.
        steps: number of actions in a game.
        discount: discount of rewards per step.
    """

    name = "tiger"
    state = rules.State
    constants = rules.Constants
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.hide,
        rules.imagine,
        rules.prefer,
    )
    easier: ClassVar = {"easy": "random", "medium": "pomcp:iterations=50"}
    opponent = "pomcp:iterations=500"

    def __init__(self, accuracy: float = 0.85, steps: int = 90, discount: float = 0.95) -> None:
        if not 0.5 <= accuracy <= 1.0:
            raise ValueError(f"The accuracy of listening must be from 0.5 to 1, not {accuracy}.")
        super().__init__(
            players=1,
            most_actions=3,
            most_steps=steps,
            scores=(float(rules.EATEN * steps), float(rules.TREASURE * steps)),
            rewards=(float(rules.EATEN), float(rules.TREASURE)),
            discount=discount,
            constants={"hearing": (accuracy, 1.0 - accuracy), "steps": steps},
        )

    def limits(self) -> dict[str, tuple[float, float]]:
        steps = self.parameters["steps"]
        return {
            "reward": self.scores,
            "steps": (0, steps),
            "heard": (0, steps),
            "last": (rules.NOTHING, 1),
            "tiger": (-1, 1),
        }

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return view.action_path(action)

    def action_name(self, action: int) -> str:
        return ("listen", "open left", "open right")[action]

    def player_name(self, player: int) -> str:
        return "listener"
