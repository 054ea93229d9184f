"""Tic-tac-toe as text and as a scene; in the text, an empty cell shows its number."""

from typing import Any

from plyglass.core.scene import Role, Scene, Shape, named, spots
from plyglass.games.pieces import mark, three_by_three
from plyglass.games.tic_tac_toe.rules import CELLS, LINES


def text(record: Any) -> str:
    cells = [_cell(record["marks"], cell) for cell in range(CELLS)]
    rows = [" │ ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    return "\n──┼───┼──\n".join(rows)


def _cell(marks: Any, cell: int) -> str:
    owners = [mark for mark, cells in zip("XO", marks, strict=True) if int(cells) >> cell & 1]
    return owners[0] if owners else str(cell + 1)


def scene(record: Any, viewer: int) -> Scene:
    """Return the board with crosses and noughts, and a line through three of them."""
    shapes = [
        *spots(3, 3, lambda x, y: cell_key(3 * y + x)),
        *(shape for cell in range(CELLS) for shape in _mark(record, cell, viewer)),
        *three_by_three(LINES, record["marks"]),
    ]
    return Scene(3, 3, tuple(shapes), "Tic-tac-toe", (state_line(record),))


def cell_key(cell: int) -> str:
    return f"cell {cell + 1}"


def state_line(record: Any) -> str:
    """Return whose turn it is, or who has won."""
    ends = ("", "X has won", "O has won", "a draw")
    return ends[int(record["winner"])] or f"{'XO'[int(record['player'])]} to move"


def _mark(record: Any, cell: int, viewer: int) -> list[Shape]:
    for player in range(2):
        if int(record["marks"][player]) >> cell & 1:
            role: Role = "own" if player == viewer else "enemy"
            shapes = mark(player, cell % 3 + 0.5, cell // 3 + 0.5, role, "XO"[player])
            return named(shapes, cell_key(cell), f"{'XO'[player]} on {cell_key(cell)}")
    return []
