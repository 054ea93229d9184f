"""Tic-tac-toe as text and as a scene; in the text, an empty cell shows its number."""

from typing import Any

from plyglass.core.scene import Scene, spots
from plyglass.games import nine_cells
from plyglass.games.pieces import SIGNS, state_line
from plyglass.games.tic_tac_toe.rules import LINES


def text(record: Any) -> str:
    return nine_cells.text(record["marks"])


def scene(record: Any, viewer: int) -> Scene:
    """Return the board with crosses and noughts, and a line through three of them."""
    shapes = [
        *spots(3, 3, lambda x, y: nine_cells.cell_key(3 * y + x)),
        *nine_cells.drawn_marks(record["marks"], viewer),
        *nine_cells.winning_line(LINES, record["marks"]),
    ]
    state = state_line(int(record["winner"]), int(record["player"]), SIGNS)
    return Scene(3, 3, tuple(shapes), "Tic-tac-toe", (state,))
