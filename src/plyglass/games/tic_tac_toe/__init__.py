"""Tic-tac-toe: three in a line on nine cells; a draw when both play well."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.board import Board
from plyglass.core.scene import Imagined, Scene
from plyglass.games import nine_cells
from plyglass.games.pieces import SIGNS
from plyglass.games.tic_tac_toe import rules, view


class TicTacToe(Game):
    """Three in a line on nine cells; a draw when both play well."""

    name = "tic-tac-toe"
    state = rules.State
    sets: ClassVar = {"marks": rules.CELLS}
    rules = (rules.start, rules.to_move, rules.legal, rules.apply, rules.score)
    easier: ClassVar = {
        "beginner": "random",
        "easy": "uct:iterations=10",
        "medium": "uct:iterations=50",
    }
    opponent = "uct:iterations=10000"

    def __init__(self) -> None:
        super().__init__(
            players=2, most_actions=rules.CELLS, most_steps=rules.CELLS, scores=(-1.0, 1.0)
        )

    def limits(self) -> dict[str, tuple[int, int]]:
        return {"marks": (0, rules.FULL), "player": (0, 1), "winner": (0, rules.DRAW)}

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, position.viewer)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return (nine_cells.cell_key(action),)

    def board(self) -> Board:
        return Board(3, 3, sets=("marks",))

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def player_name(self, player: int) -> str:
        return SIGNS[player]
