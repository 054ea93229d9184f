"""Skirmish as text and as a scene."""

from typing import Any

import numpy as np

from plyglass.core.actions import unpack
from plyglass.core.scene import (
    Bar,
    Disc,
    Imagined,
    Label,
    Polygon,
    Role,
    Scene,
    Shape,
    Tile,
    coordinates,
    heat_map,
    named,
    regular,
    spots,
)
from plyglass.games.skirmish.rules import ATTACK, END, KINDS, UNSEEN

NAMES = ("soldier", "archer", "knight")
SIDES = ("south", "north")
FOG = "▒▒"


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell: `b3` is the second column and the third row from the bottom."""
    return f"{'abcde'[cell % size]}{cell // size + 1}"


def text(record: Any, constants: Any, viewer: int) -> str:
    """Return the board, with each unit as a letter (a capital for south) and its health."""
    size = int(constants["size"])
    marks = {
        int(record["cell"][side, unit]): _mark(record, side, unit)
        for side in range(2)
        for unit in range(KINDS)
    }
    rows = [
        " ".join(
            [
                str(row + 1),
                *[_cell(record, constants, viewer, marks, row * size + x) for x in range(size)],
            ]
        )
        for row in range(size)
    ]
    return "\n".join(
        [
            *reversed(rows),
            "  " + "  ".join("abcde"[:size]),
            *_lines_below(record, constants, viewer),
        ]
    )


def _mark(record: Any, side: int, unit: int) -> str:
    letter = NAMES[unit][0]
    return f"{letter if side else letter.upper()}{record['health'][side, unit]}"


def _cell(record: Any, constants: Any, viewer: int, marks: dict[int, str], cell: int) -> str:
    return marks.get(cell, ". " if _sees(record, constants, viewer, cell) else FOG)


def _sees(record: Any, constants: Any, viewer: int, cell: int) -> bool:
    near = any(
        here >= 0 and constants["distance"][here, cell] <= constants["sight"]
        for here in record["cell"][viewer]
    )
    return bool(near or record["over"])


def _lines_below(record: Any, constants: Any, viewer: int) -> list[str]:
    turn = int(record["turn"])
    state = (
        "the game is over"
        if record["over"]
        else f"turn {turn + 1} of {constants['turns']}: {SIDES[turn % 2]}"
    )
    hidden = [
        f"{NAMES[unit]} ({record['health'][1 - viewer, unit]})"
        for unit in range(KINDS)
        if record["cell"][1 - viewer, unit] == UNSEEN
    ]
    return [state, *([f"out of sight: {', '.join(hidden)}"] if hidden else [])]


def scene(record: Any, constants: Any, viewer: int, imagined: Imagined | None) -> Scene:
    """Return the board with fog, possible places of unseen enemies, and units with health."""
    size = int(constants["size"])
    cells = range(size * size)
    fog = [
        Tile(*_place(cell, size), role="fog")
        for cell in cells
        if not _sees(record, constants, viewer, cell)
    ]
    units = [
        shape
        for side in range(2)
        for unit in range(KINDS)
        if record["cell"][side, unit] >= 0
        for shape in _unit(record, constants, side, unit, "own" if side == viewer else "enemy")
    ]
    names = coordinates("abcde"[:size], [str(size - row) for row in range(size)])
    floor = spots(size, size, lambda x, y: cell_name((size - 1 - y) * size + x, size))
    shapes = (*fog, *floor, *_unseen(record, constants, viewer, imagined), *units, *names)
    return Scene(
        size,
        size,
        shapes,
        f"Skirmish, {SIDES[viewer]}",
        tuple(_lines_below(record, constants, viewer)),
    )


def action_path(record: Any, size: int, viewer: int, action: int) -> tuple[str, ...]:
    """Return the acting unit's cell, and the cell where the unit goes or strikes."""
    kind, unit, target = unpack(action)
    if kind == END:
        return ()
    goal = int(record["cell"][1 - viewer, target]) if kind == ATTACK else target
    return cell_name(int(record["cell"][viewer, unit]), size), cell_name(goal, size)


def _place(cell: int, size: int) -> tuple[int, int]:
    """Return the column and row of a cell in the scene, whose first row is on top."""
    return cell % size, size - 1 - cell // size


def _unseen(record: Any, constants: Any, viewer: int, imagined: Imagined | None) -> list[Shape]:
    """Return a heat map of unseen enemies, and every unseen enemy whose cell is certain."""
    if imagined is None:
        return []
    size, places = int(constants["size"]), imagined.worlds["cell"][:, 1 - viewer]
    hidden = [unit for unit in range(KINDS) if record["cell"][1 - viewer, unit] == UNSEEN]
    certain = [unit for unit in hidden if (places[:, unit] == places[0, unit]).all()]
    unsure = places[:, [unit for unit in hidden if unit not in certain]]
    counts = (
        (unsure[:, :, None] == np.arange(size * size)).sum(axis=1).reshape(-1, size, size)[:, ::-1]
    )
    units = [
        shape
        for unit in certain
        for shape in _unit(imagined.worlds[0], constants, 1 - viewer, unit, "ghost")
    ]
    return [*heat_map(imagined, counts, "enemies out of sight"), *units]


def _unit(record: Any, constants: Any, side: int, unit: int, role: Role) -> list[Shape]:
    """Return a disc for a soldier, a triangle for an archer, or a diamond for a knight.

    The shape is fainter if the unit has moved and attacked in this turn.
    """
    column, row = _place(int(record["cell"][side, unit]), int(constants["size"]))
    x, y, health = column + 0.5, row + 0.44, int(record["health"][side, unit])
    done = record["moved"][side, unit] and record["attacked"][side, unit]
    tip = (
        f"{NAMES[unit]} of {SIDES[side]}: health {health} of "
        f"{constants['health']}{', done for this turn' if done else ''}"
    )
    body: Shape = Disc(x, y, 0.3, role=role, opacity=0.55 if done else 1.0, tip=tip)
    if unit:
        points = regular(
            x, y + (0.06 if unit == 1 else 0.0), 3 if unit == 1 else 4, 0.4 if unit == 1 else 0.37
        )
        body = Polygon(points, role=role, opacity=0.55 if done else 1.0, tip=tip)
    letter = Label(
        x, y + (0.08 if unit == 1 else 0.0), NAMES[unit][0].upper(), 0.26, role="grid", tip=tip
    )
    bar = Bar(x, row + 0.88, health / int(constants["health"]), role=role, tip=tip)
    key = cell_name(int(record["cell"][side, unit]), int(constants["size"]))
    return named((body, letter, bar), key, f"{SIDES[side]} {NAMES[unit]}")
