"""Kuhn poker: three cards, one bet; the smallest poker with bluffing."""

from typing import Any, ClassVar

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.kuhn_poker import rules, view


class KuhnPoker(Game):
    """Three cards, one bet: the smallest poker with bluffing."""

    name = "kuhn-poker"
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
        super().__init__(players=2, most_actions=2, most_steps=3, scores=(-2.0, 2.0))

    def limits(self) -> dict[str, tuple[int, int]]:
        return {"card": (-1, rules.CARDS - 1), "history": (0, 1), "length": (0, 3), "ended": (0, 1)}

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, position.viewer, imagined)

    def facts(self, worlds: Any, viewer: int) -> dict[str, Any]:
        held = worlds["card"][:, 1 - viewer]
        other = self.player_name(1 - viewer)
        return {
            f"{other} holds the {view.NAMES[card]}": held == card for card in range(rules.CARDS)
        }

    def action_name(self, action: int) -> str:
        return ("pass", "bet")[action]
