"""Leduc poker: six cards, two rounds of betting and a public card between them."""

from typing import Any, ClassVar

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.leduc_poker import rules, view


class LeducPoker(Game):
    """Six cards, two rounds of betting and a public card between them."""

    name = "leduc-poker"
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
    easier: ClassVar = {
        "beginner": "random",
        "easy": "uct:iterations=20",
        "medium": "mo-ismcts:iterations=200",
    }
    opponent = "mo-ismcts:iterations=2000"

    def __init__(self) -> None:
        super().__init__(
            players=2,
            most_actions=3,
            most_steps=rules.ROUNDS * rules.MOST_TURNS,
            scores=(-13.0, 13.0),
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        card = rules.UNKNOWN, rules.CARDS - 1
        return {
            "card": card,
            "public": card,
            "round": (0, rules.ROUNDS - 1),
            "history": (0, rules.RAISE),
            "turns": (0, rules.MOST_TURNS),
            "raises": (0, rules.MOST_RAISES),
            "chips": (rules.ANTE, 13),
            "ended": (0, rules.FOLDED),
        }

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, position.viewer, imagined)

    def facts(self, worlds: Any, viewer: int) -> dict[str, Any]:
        ranks = worlds["card"][:, 1 - viewer] // rules.SUITS
        other = self.player_name(1 - viewer)
        return {f"{other} holds a {name}": ranks == rank for rank, name in enumerate("JQK")}

    def action_name(self, action: int) -> str:
        return view.ACTIONS[action]
