"""Phantom tic-tac-toe: you see a mark of the opponent only when you hit it."""

from typing import ClassVar

from plyglass.core import Game, View
from plyglass.core.board import Board
from plyglass.core.scene import Imagined, Scene
from plyglass.games import nine_cells
from plyglass.games.phantom_tic_tac_toe import rules, view
from plyglass.games.pieces import SIGNS


class PhantomTicTacToe(Game):
    """Tic-tac-toe in the dark: you see a mark of the opponent only when you hit it."""

    name = "phantom-tic-tac-toe"
    state = rules.State
    sets: ClassVar = {"marks": rules.CELLS, "known": rules.CELLS}
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
        "medium": "mo-ismcts:iterations=100",
    }
    opponent = "mo-ismcts:iterations=5000"

    def __init__(self) -> None:
        # There are nine marks, and each player can hit at most four marks of the opponent.
        super().__init__(players=2, most_actions=rules.CELLS, most_steps=17, scores=(-1.0, 1.0))

    def limits(self) -> dict[str, tuple[int, int]]:
        cells = 0, rules.FULL
        return {"marks": cells, "known": cells, "player": (0, 1), "winner": (0, rules.DRAW)}

    def text(self, position: View) -> str:
        return view.text(position.record)

    def scene(self, position: View, imagined: Imagined | None = None) -> Scene:
        return view.scene(position.record, position.viewer, imagined)

    def action_path(self, position: View, action: int) -> tuple[str, ...]:
        return (nine_cells.cell_key(action),)

    def board(self) -> Board:
        return Board(3, 3, sets=("marks", "known"))

    def action_name(self, action: int) -> str:
        return str(action + 1)

    def player_name(self, player: int) -> str:
        return SIGNS[player]
