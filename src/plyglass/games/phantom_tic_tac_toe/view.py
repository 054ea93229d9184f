"""Phantom tic-tac-toe as text and as a scene; in the text, an untried cell shows its number."""

from typing import Any

import numpy as np

from plyglass.core.scene import Imagined, Label, Role, Scene, Shape, Tile, heat_map, named, spots
from plyglass.games.phantom_tic_tac_toe.rules import CELLS, LINES
from plyglass.games.pieces import mark, three_by_three


def text(record: Any) -> str:
    cells = [_cell(record["marks"], cell) for cell in range(CELLS)]
    rows = [" │ ".join(cells[first : first + 3]) for first in range(0, CELLS, 3)]
    return "\n──┼───┼──\n".join(rows)


def _cell(marks: Any, cell: int) -> str:
    owners = [mark for mark, cells in zip("XO", marks, strict=True) if int(cells) >> cell & 1]
    return owners[0] if owners else str(cell + 1)


def scene(record: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the board with all marks that the viewer knows, and likely marks elsewhere."""
    unknown = [cell for cell in range(CELLS) if record["winner"] == 0 and not _owners(record, cell)]
    fog: list[Shape] = [Tile(cell % 3, cell // 3, role="fog") for cell in unknown]
    shapes = [
        *fog,
        *_unseen(unknown, viewer, imagined),
        *spots(3, 3, lambda x, y: cell_key(3 * y + x)),
        *(shape for cell in range(CELLS) for shape in _mark(record, cell, viewer)),
        *three_by_three(LINES, record["marks"]),
    ]
    return Scene(3, 3, tuple(shapes), f"Phantom tic-tac-toe, {'XO'[viewer]}", (_state(record),))


def cell_key(cell: int) -> str:
    return f"cell {cell + 1}"


def _state(record: Any) -> str:
    ends = ("", "X has won", "O has won", "a draw")
    turn = f"{'XO'[int(record['player'])]} to move; grey cells may hide a mark"
    return ends[int(record["winner"])] or turn


def _owners(record: Any, cell: int) -> list[int]:
    return [player for player in range(2) if int(record["marks"][player]) >> cell & 1]


def _unseen(unknown: list[int], viewer: int, imagined: Imagined | None) -> list[Shape]:
    """Return what may be on unknown cells: question marks, a heat map, or the true marks."""
    if imagined is None:
        return [
            Label(cell % 3 + 0.5, cell // 3 + 0.5, "?", 0.3, role="muted", opacity=0.7)
            for cell in unknown
        ]
    there = imagined.worlds["marks"][:, 1 - viewer, None] >> np.arange(CELLS) & 1
    there[:, [cell for cell in range(CELLS) if cell not in unknown]] = 0
    if (there == there[:1]).all():
        return [
            shape
            for cell in np.flatnonzero(there[0]).tolist()
            for shape in mark(
                1 - viewer, cell % 3 + 0.5, cell // 3 + 0.5, "ghost", "a mark that is not seen"
            )
        ]
    return heat_map(imagined, there.reshape(-1, 3, 3), "a mark")


def _mark(record: Any, cell: int, viewer: int) -> list[Shape]:
    for player in _owners(record, cell):
        role: Role = "own" if player == viewer else "enemy"
        shapes = mark(player, cell % 3 + 0.5, cell // 3 + 0.5, role, "XO"[player])
        return named(shapes, cell_key(cell), f"{'XO'[player]} on {cell_key(cell)}")
    return []
