"""Dark Hex: connect your sides of the board; you see an enemy stone only when you hit it."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.board import Board
from plyglass.core.scene import Imagined, Scene
from plyglass.games.dark_hex import rules, view
from plyglass.games.pieces import SIGNS


class DarkHex(Game):
    """Connect your sides of the board; you see an enemy stone only when you hit it.

    Args:
        size: the board has size x size cells.
    """

    name = "dark-hex"
    state = rules.State
    sets: ClassVar = {"stones": rules.MOST_SIZE**2, "known": rules.MOST_SIZE**2}
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
    easier: ClassVar = {
        "beginner": "random",
        "easy": "so-ismcts:iterations=15",
        "medium": "so-ismcts:iterations=60",
        "advanced": "mo-ismcts:iterations=300",
    }
    opponent = "mo-ismcts:iterations=3000"

    def __init__(self, size: int = 3) -> None:
        if not rules.LEAST_SIZE <= size <= rules.MOST_SIZE:
            raise ValueError(
                f"Dark Hex has a side from {rules.LEAST_SIZE} to {rules.MOST_SIZE}, not {size}."
            )
        self.size = size
        north, west = (1 << size) - 1, sum(1 << row * size for row in range(size))
        south, east = north << size * (size - 1), west << size - 1
        super().__init__(
            players=2,
            most_actions=size * size,
            # Each cell gets a stone once. The opponent may hit each stone once, except the last.
            most_steps=2 * size * size - 1,
            scores=(-1.0, 1.0),
            constants={
                "size": size,
                "near": (north, west),
                "far": (south, east),
                "west": west,
                "east": east,
            },
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        board = (1 << self.size * self.size) - 1
        return {"stones": (0, board), "known": (0, board), "player": (0, 1), "winner": (0, 2)}

    def text(self, position: View) -> str:
        return view.text(position.record, self.size)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.size, position.viewer, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return (view.cell_name(action, self.size),)

    def board(self) -> Board:
        return Board(self.size, self.size, sets=("stones", "known"))

    def action_name(self, action: int) -> str:
        return view.cell_name(action, self.size)

    def player_name(self, player: int) -> str:
        return SIGNS[player]
