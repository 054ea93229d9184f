"""Tic-tac-toe as text: an empty cell shows the number of its action."""

from typing import Any

from plyglass.games.tic_tac_toe.rules import CELLS


def text(record: Any) -> str:
    cells = [_cell(record["marks"], cell) for cell in range(CELLS)]
    rows = [" │ ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    return "\n──┼───┼──\n".join(rows)


def _cell(marks: Any, cell: int) -> str:
    owners = [mark for mark, cells in zip("XO", marks, strict=True) if int(cells) >> cell & 1]
    return owners[0] if owners else str(cell + 1)
