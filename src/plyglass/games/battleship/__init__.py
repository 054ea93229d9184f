"""Battleship: fire at a hidden fleet of ships that do not touch, with as few shots as you can."""

from plyglass.core import Game, View
from plyglass.core.scene import Imagined, Scene
from plyglass.games.battleship import placing, rules, view

SMALLEST_SIZE = {
    2: 2,
    3: 4,
    4: 6,
    5: 7,
    6: 9,
}  # by the longest ship: on smaller seas the first ships can leave no place for the last


class Battleship(Game):
    """Fire at a hidden fleet of ships that do not touch, with as few shots as you can."""

    name = "battleship"
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
    )
    exact_imagine = False  # where many fleets are possible, one of a handful is taken

    def __init__(self, size: int = 10, longest: int = 6) -> None:
        if longest not in SMALLEST_SIZE:
            raise ValueError(
                f"The longest ship of Battleship has 2 to {placing.MOST_LENGTH} cells, not "
                f"{longest}."
            )
        if not SMALLEST_SIZE[longest] <= size <= placing.MOST_SIZE:
            limits = f"from {SMALLEST_SIZE[longest]} to {placing.MOST_SIZE}"
            raise ValueError(
                f"Battleship with ships of up to {longest} cells has a side {limits}, not {size}."
            )
        self.size, cells = size, size * size
        super().__init__(
            players=1,
            most_actions=cells,
            most_steps=cells,
            scores=(-float(cells), float(cells)),
            rewards=(-1.0, cells - 1.0),
            constants={"size": size, "longest": longest},
        )

    def text(self, position: View) -> str:
        return view.text(position.record, self.size)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.size, imagined)

    def action_name(self, action: int) -> str:
        return view.cell_name(action, self.size)

    def player_name(self, player: int) -> str:
        return "gunner"
