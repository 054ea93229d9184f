"""Connect Four: drop discs into seven columns; four in a row wins."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.board import Board
from plyglass.core.scene import Imagined, Scene
from plyglass.games.connect_four import rules, view
from plyglass.games.pieces import SIGNS


class ConnectFour(Game):
    """Drop discs into seven columns; four in a row wins.

    Args:
        connect: number of discs in a line that wins.
    """

    name = "connect-four"
    opponent = "uct:seconds=0.5"
    state = rules.State
    constants = rules.Constants
    rules = (rules.start, rules.to_move, rules.legal, rules.apply, rules.score)
    easier: ClassVar = {
        "beginner": "random",
        "easy": "uct:iterations=20",
        "medium": "uct:iterations=80",
        "advanced": "uct:iterations=400",
    }

    def __init__(self, connect: int = 4) -> None:
        super().__init__(
            players=2,
            most_actions=rules.COLUMNS,
            most_steps=rules.ROWS * rules.COLUMNS,
            scores=(-1.0, 1.0),
            constants={"connect": connect},
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {
            "cell": (0, 2),
            "height": (0, rules.ROWS),
            "player": (0, 1),
            "winner": (0, rules.DRAW),
            "filled": (0, rules.ROWS * rules.COLUMNS),
        }

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, self.parameters["connect"], position.viewer)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return (view.column_key(action),)

    def board(self) -> Board:
        return Board(rules.ROWS, rules.COLUMNS, cells={"cell": (1, 2)})

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def player_name(self, player: int) -> str:
        return SIGNS[player]
