"""The board of tic-tac-toe and its phantom variant: three by three cells, row by row.

Each player's marks are a set of cells, as bits.
"""

from collections.abc import Sequence

from plyglass.core.scene import Path, Point, Role, Shape, named
from plyglass.games.pieces import SIGNS, mark, sign_on

CELLS = 9


def text(marks: Sequence[int]) -> str:
    """Return the board as text; a cell without a mark shows its number."""
    cells = [sign_on(cell, marks, str(cell + 1)) for cell in range(CELLS)]
    rows = [" │ ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    return "\n──┼───┼──\n".join(rows)


def cell_key(cell: int) -> str:
    """Return the key of a cell in a scene."""
    return f"cell {cell + 1}"


def middle(cell: int) -> Point:
    """Return the middle of a cell in a scene."""
    return cell % 3 + 0.5, cell // 3 + 0.5


def owners(marks: Sequence[int], cell: int) -> list[int]:
    """Return a list with the player whose mark is on a cell; for a free cell, the list is empty."""
    return [player for player in range(2) if int(marks[player]) >> cell & 1]


def drawn_marks(marks: Sequence[int], viewer: int) -> list[Shape]:
    """Return all marks as crosses and noughts in the colours of a viewer."""
    shapes: list[Shape] = []
    for cell in range(CELLS):
        for player in owners(marks, cell):
            role: Role = "own" if player == viewer else "enemy"
            shapes += named(
                mark(player, *middle(cell), role, SIGNS[player]),
                cell_key(cell),
                f"{SIGNS[player]} on {cell_key(cell)}",
            )
    return shapes


def winning_line(lines: Sequence[int], marks: Sequence[int]) -> list[Shape]:
    """Return a line through three marks of one player; `lines` are sets of three cells."""
    for cells in marks:
        for line in lines:
            if int(cells) & line == line:
                ends = [cell for cell in range(9) if line >> cell & 1]
                (x, y), (far_x, far_y) = (middle(cell) for cell in (ends[0], ends[-1]))
                across, down = 0.12 * (far_x - x), 0.12 * (far_y - y)
                way = (x - across, y - down), (far_x + across, far_y + down)
                return [Path(way, width=0.07, role="goal", tip="three in a line")]
    return []
