"""Bear: one decision about a bear whose species is unknown."""

from collections.abc import Sequence
from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.bear import rules, view


class Bear(Game):
    """One decision about a bear of unknown species.

    Bear is the smallest game in which more knowledge would change the best action.
    """

    name = "bear"
    state = rules.State
    rules = (
        rules.start,
        rules.to_move,
        rules.legal,
        rules.apply,
        rules.score,
        rules.hide,
        rules.imagine,
    )
    easier: ClassVar = {"easy": "random"}
    opponent = "uct:iterations=2000"

    def __init__(self) -> None:
        super().__init__(players=2, most_actions=2, most_steps=2, scores=(-1.0, 1.0))

    def limits(self) -> dict[str, tuple[int, int]]:
        return {"species": (-1, 1), "tried": (-1, 1), "succeeded": (0, 1), "answer": (-1, 3)}

    def text(self, position: View) -> str:
        return view.text(position.record)

    def vocabulary(self) -> Sequence[int]:
        return range(4)  # two actions by the hiker, two by the bear

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return view.action_path(action)

    def action_name(self, action: int) -> str:
        return ("climb", "intimidate", "attack", "leave")[action]

    def player_name(self, player: int) -> str:
        return ("hiker", "bear")[player]
