"""Skirmish as text."""

from typing import Any

from plyglass.games.skirmish.rules import KINDS, UNSEEN

NAMES = ("soldier", "archer", "knight")
SIDES = ("south", "north")
FOG = "▒▒"


def cell_name(cell: int, size: int) -> str:
    """`b3` for the second column and the third row from the bottom."""
    return f"{'abcde'[cell % size]}{cell // size + 1}"


def text(record: Any, constants: Any, viewer: int) -> str:
    """The board with every unit as a letter and its health: capitals for south, small letters for north."""
    size = int(constants["size"])
    marks = {int(record["cell"][side, unit]): _mark(record, side, unit) for side in range(2) for unit in range(KINDS)}
    rows = [
        " ".join([str(row + 1), *[_cell(record, constants, viewer, marks, row * size + x) for x in range(size)]]) for row in range(size)
    ]
    return "\n".join([*reversed(rows), "  " + "  ".join("abcde"[:size]), *_lines_below(record, constants, viewer)])


def _mark(record: Any, side: int, unit: int) -> str:
    letter = NAMES[unit][0]
    return f"{letter if side else letter.upper()}{record['health'][side, unit]}"


def _cell(record: Any, constants: Any, viewer: int, marks: dict[int, str], cell: int) -> str:
    seen = any(here >= 0 and constants["distance"][here, cell] <= constants["sight"] for here in record["cell"][viewer])
    return marks.get(cell, ". " if seen or record["over"] else FOG)


def _lines_below(record: Any, constants: Any, viewer: int) -> list[str]:
    turn = int(record["turn"])
    state = "the game is over" if record["over"] else f"turn {turn + 1} of {constants['turns']}: {SIDES[turn % 2]}"
    hidden = [
        f"{NAMES[unit]} ({record['health'][1 - viewer, unit]})" for unit in range(KINDS) if record["cell"][1 - viewer, unit] == UNSEEN
    ]
    return [state, *([f"out of sight: {', '.join(hidden)}"] if hidden else [])]
