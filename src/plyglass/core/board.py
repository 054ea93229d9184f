"""The fields of a state that describe a board, so adapters can make input planes for networks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Things:
    """Fields with one entry for each thing, such as units or ships.

    Attributes:
        places: the field that holds the cell number of each thing. A number that belongs to no cell
            means that the thing is not on the board.
        values: further fields with one entry for each thing. Each field gets a plane that holds
            the value of each thing at the thing's cell. A field that the state lacks is taken from
            the constants.
        where: a field that is 0 for entries without a thing; "" if there is no such field.
        apart: whether each thing has planes of its own. Otherwise, all things along the last axis
            share planes.
    """

    places: str
    values: tuple[str, ...] = ()
    where: str = ""
    apart: bool = False


@dataclass(frozen=True)
class Board:
    """A board, and the fields of a state that describe it.

    Attributes:
        rows, columns: the size of the board.
        stride: the number of a cell is stride * row + column; a stride of 0 means `columns`.
        cells: maps each field with one entry per cell to the values that get a plane of their own.
            If there are no such values, one plane holds the numbers of the field.
        sets: fields that are sets of cells, with one bit for each cell.
        lines: fields with one entry for each row, in which each bit stands for a column.
        things: fields with one entry for each thing.
    """

    rows: int
    columns: int
    stride: int = 0
    cells: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sets: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    things: tuple[Things, ...] = ()
