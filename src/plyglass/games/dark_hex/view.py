"""Dark Hex as text: rows lean to the right, and marks around the board show the players' sides."""

from typing import Any


def text(record: Any, size: int) -> str:
    rows = [
        f"{' ' * row}o {' '.join(_cell(record, row * size + column) for column in range(size))} o"
        for row in range(size)
    ]
    edge = " ".join("x" * size)
    return "\n".join([f" {edge}", *rows, f"{' ' * (size + 2)}{edge}"])


def _cell(record: Any, cell: int) -> str:
    owners = [
        mark for mark, stones in zip("XO", record["stones"], strict=True) if int(stones) >> cell & 1
    ]
    return owners[0] if owners else "·"


def cell_name(cell: int, size: int) -> str:
    """Return the name of a cell: a letter for its column and a number for its row."""
    return f"{'abcdefgh'[cell % size]}{cell // size + 1}"
