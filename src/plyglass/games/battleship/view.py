"""Battleship as text: hits, misses and cells not fired at; letters name columns, numbers rows."""

from typing import Any

HIT, MISS, UNKNOWN, SHIP = "X", "~", "·", "#"


def text(record: Any, size: int) -> str:
    header = "   " + " ".join(_letter(column) for column in range(size))
    rows = [f"{row + 1:2} {' '.join(_cell(record, row, column) for column in range(size))}" for row in range(size)]
    return "\n".join([header, *rows, f"{int(record['fired'])} shots, {int(record['left'])} cells of ships left"])


def _cell(record: Any, row: int, column: int) -> str:
    ship, shot = (int(record[name][row]) >> column & 1 for name in ("fleet", "shots"))
    if shot:
        return HIT if ship else MISS
    return SHIP if ship else UNKNOWN


def cell_name(cell: int, size: int) -> str:
    return f"{_letter(cell % size)}{cell // size + 1}"


def _letter(column: int) -> str:
    return chr(ord("a") + column)
