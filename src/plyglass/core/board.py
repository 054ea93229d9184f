"""Which fields of a state lie on a board, so adapters can turn views into planes for learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Things:
    """Fields with one entry for each thing, such as units or ships.

    Attributes:
        places: the field that holds the cell number of each thing. A number that belongs to no cell
            means that the thing is not on the board.
        values: further fields with one entry for each thing. Each field gets a plane that holds a
            thing's value at its cell. A field that the state lacks is taken from the constants.
        where: a field that is 0 for entries without a thing; "" if there is none.
        apart: whether each thing has planes of its own. Otherwise, all things along the last axis
            share planes.
    """

    places: str
    values: tuple[str, ...] = ()
    where: str = ""
    apart: bool = False


@dataclass(frozen=True)
class Board:
    """Which fields of a state lie on a board.

    Attributes:
        rows, columns: the size of the board.
        stride: the cell in a row and column has the number stride * row + column; 0 means
            `columns`.
        cells: fields with one entry for each cell, and the values that get a plane of their own.
            Without such values, one plane holds the numbers themselves.
        sets: fields whose bits are cells.
        lines: fields with one entry for each row, whose bits are columns.
        things: fields with one entry for each thing.
    """

    rows: int
    columns: int
    stride: int = 0
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sets: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    things: tuple[Things, ...] = ()
