"""Phantom tic-tac-toe as text and as a scene; in the text, an untried cell shows its number."""

from typing import Any

import numpy as np

from plyglass.core.scene import Imagined, Label, Scene, Shape, Tile, heat_map, spots
from plyglass.games import nine_cells
from plyglass.games.nine_cells import middle
from plyglass.games.phantom_tic_tac_toe.rules import CELLS, LINES
from plyglass.games.pieces import SIGNS, mark, state_line


def text(record: Any) -> str:
    return nine_cells.text(record["marks"])


def scene(record: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the board with all marks that the viewer knows, and likely marks elsewhere."""
    marks, over = record["marks"], record["winner"] != 0
    unknown = [cell for cell in range(CELLS) if not over and not nine_cells.owners(marks, cell)]
    fog: list[Shape] = [Tile(cell % 3, cell // 3, role="fog") for cell in unknown]
    shapes = [
        *fog,
        *_unseen(unknown, viewer, imagined),
        *spots(3, 3, lambda x, y: nine_cells.cell_key(3 * y + x)),
        *nine_cells.drawn_marks(marks, viewer),
        *nine_cells.winning_line(LINES, marks),
    ]
    state = state_line(int(record["winner"]), int(record["player"]), SIGNS)
    caption = state if over else f"{state}; grey cells may hide a mark"
    return Scene(3, 3, tuple(shapes), f"Phantom tic-tac-toe, {SIGNS[viewer]}", (caption,))


def _unseen(unknown: list[int], viewer: int, imagined: Imagined | None) -> list[Shape]:
    """Return what may be on unknown cells: question marks, a heat map, or the true marks."""
    if imagined is None:
        return [Label(*middle(cell), "?", 0.3, role="muted", opacity=0.7) for cell in unknown]
    there = imagined.worlds["marks"][:, 1 - viewer, None] >> np.arange(CELLS) & 1
    there[:, [cell for cell in range(CELLS) if cell not in unknown]] = 0
    if (there == there[:1]).all():
        return [
            shape
            for cell in np.flatnonzero(there[0]).tolist()
            for shape in mark(1 - viewer, *middle(cell), "ghost", "a mark that is not seen")
        ]
    return heat_map(imagined, there.reshape(-1, 3, 3), "a mark")
