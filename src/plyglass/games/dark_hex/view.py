"""Dark Hex as text and as a scene: rows lean to the right, and edges show the players' sides."""

import math
from typing import Any

import numpy as np

from plyglass.core.scene import (
    Imagined,
    Label,
    Path,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
    named,
    regular,
)
from plyglass.games.pieces import SIGNS, sign_on, signed_disc, state_line, table

RADIUS = 1.0 / math.sqrt(3.0)  # of a hexagon that is one cell wide
STONE = 0.34  # radius of a stone
ROW = 1.5 * RADIUS  # the distance from one row of hexagons to the next


def text(record: Any, size: int) -> str:
    signs = [sign_on(cell, record["stones"], "·") for cell in range(size * size)]
    rows = [
        f"{' ' * row}o {' '.join(signs[row * size : (row + 1) * size])} o" for row in range(size)
    ]
    edge = " ".join("x" * size)
    return "\n".join([f" {edge}", *rows, f"{' ' * (size + 2)}{edge}"])


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell: a letter for its column and a number for its row."""
    return f"{'abcdefgh'[cell % size]}{cell // size + 1}"


def scene(record: Any, size: int, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the board of hexagons with the stones that the viewer knows or considers likely."""
    width, height = _extent(size)
    cells = range(size * size)
    there = _unseen(record, size, viewer, imagined)
    shapes = [
        table(width, height),
        *_sides(size, viewer),
        *(shape for cell in cells for shape in _hexagon(record, cell, size, viewer, there)),
    ]
    state = state_line(int(record["winner"]), int(record["player"]), SIGNS)
    caption = state if record["winner"] else f"{state}; grey cells may hide a stone"
    legend = "X connects top and bottom, O connects left and right"
    return Scene(width, height, tuple(shapes), f"Dark Hex, {SIGNS[viewer]}", (caption, legend))


def _middle(cell: int, size: int) -> Point:
    """Return the middle of a cell; each row lies half a cell to the right of the row above."""
    row, column = divmod(cell, size)
    width, height = _extent(size)
    left, top = (width - 1.5 * size + 1.5) / 2, (height - ROW * (size - 1)) / 2
    return round(left + column + 0.5 * row, 3), round(top + ROW * row, 3)


def _extent(size: int) -> tuple[int, int]:
    """Return the width and height of the scene, with room for the sides of the board."""
    return math.ceil(1.5 * size), math.ceil(ROW * (size - 1) + 2.0 * RADIUS + 0.3)


def _unseen(record: Any, size: int, viewer: int, imagined: Imagined | None) -> Any:
    """Return the probability of an unseen stone on each cell; None without a belief."""
    if imagined is None:
        return None
    stones = imagined.worlds["stones"][:, 1 - viewer, None].astype(np.int64)
    known = int(record["stones"][1 - viewer])
    hidden = stones & ~np.int64(known)
    return imagined.expected(hidden >> np.arange(size * size) & 1)


def _hexagon(record: Any, cell: int, size: int, viewer: int, there: Any) -> list[Shape]:
    """Return a cell with its stone, or with the probability that it hides a stone."""
    (x, y), name = _middle(cell, size), cell_name(cell, size)
    owners = [player for player in range(2) if int(record["stones"][player]) >> cell & 1]
    hidden = not owners and record["winner"] == 0
    outline = regular(x, y, 6, RADIUS)
    shapes: list[Shape] = [
        Polygon(outline, role="fog" if hidden else "plain", tip=name, key=name),
    ]
    if not owners:
        shapes.append(Label(x, y + 0.36, name, 0.19, role="muted", key=name))
    if there is not None and hidden and there[cell] > 0:
        chance, tip = float(there[cell]), f"{name}: a stone with {float(there[cell]):.0%}"
        if chance < 1.0:
            shade = Polygon(outline, role="heat", opacity=math.sqrt(chance), tip=tip, key=name)
            return [*shapes, shade, Label(x, y, f"{chance:.0%}", 0.24, role="ink", key=name)]
        return [*shapes, *named(signed_disc(1 - viewer, x, y, STONE, "ghost"), name)]
    if hidden and there is None:
        shapes.append(Label(x, y, "?", 0.28, role="muted", opacity=0.7, key=name))
    for player in owners:
        stone = signed_disc(player, x, y, STONE, "own" if player == viewer else "enemy")
        shapes += named(stone, name, f"{SIGNS[player]} on {name}")
    return shapes


def _sides(size: int, viewer: int) -> list[Shape]:
    """Return the sides of both players as thick lines along the outer hexagons."""
    shapes: list[Shape] = []
    for player in range(2):
        role: Role = "own" if player == viewer else "enemy"
        for place in range(size):
            ends = (place, size * (size - 1) + place)
            if player:
                ends = (size * place, size * place + size - 1)
            for far, cell in enumerate(ends):
                corners = regular(*_middle(cell, size), 6, RADIUS + 0.06)
                edge = _edge(player, far, place, size)
                way = tuple(corners[corner] for corner in edge)
                tip = f"a side of {SIGNS[player]}"
                shapes.append(Path(way, width=0.14, role=role, tip=tip))
    return shapes


def _edge(player: int, far: int, place: int, size: int) -> tuple[int, ...]:
    """Return those corners of an outer hexagon that lie along a side of the board.

    A corner is a number from 0 to 5, counted clockwise from the top corner.
    """
    if not player:
        return (2, 3, 4) if far else (5, 0, 1)
    if far:
        return (0, 1, 2) if place else (1, 2)
    return (3, 4, 5) if place < size - 1 else (4, 5)
