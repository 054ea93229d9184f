"""Views as numbers: by field, as one flat vector, or as planes of a board.

All three forms are made from the fields of a state in which `hide` has erased the hidden parts.
Names and bounds of numbers come from the state's fields, `Game.sets` and `Game.board`. The header
of the state is left out.

A layout consists of two tables, which a kernel reads. Each row of the first table is a run: numbers
or bits at equal distances in the state, which are read in the same way and copied to the next
indices of the vector. Each row of the second table belongs to a thing on the board, and adds a
number to a plane at the cell of this thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from plyglass.core.board import Board, Things
from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import borrow, read_int, read_real, read_word
from plyglass.core.state import HEADER
from plyglass.core.world import View

Kind = Literal["flat", "planes"]
Vector = npt.NDArray[np.float32]

# How a number is read. A row of a table is (word of the state, shift, bits, way, argument).
SIGNED, UNSIGNED, REAL, BIT, EQUALS, CONSTANT = range(6)
WORD, SHIFT, BITS, WAY, ARGUMENT = range(5)
READ = 5  # the number of columns that say how a number is read
BASE = 3 * READ  # a thing's plane is in this column, after the thing's cell, condition and value
# The columns of a run: how its numbers are read, how many there are, and where they are, in bits.
RUN_WAY, RUN_ARGUMENT, RUN_BITS, RUN_LENGTH, RUN_START, RUN_STRIDE = range(6)
RUN = 6  # the number of columns of a run


@dataclass(frozen=True)
class Field:
    """One field of the state, without the header."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    offset: int

    @property
    def bounds(self) -> tuple[float, float]:
        limits = np.finfo(np.float32) if self.dtype.kind == "f" else np.iinfo(self.dtype)
        return float(limits.min), float(limits.max)

    def entries(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield (index, offset in bytes) of every entry."""
        for number, index in enumerate(np.ndindex(self.shape)):
            yield index, self.offset + number * self.dtype.itemsize

    def label(self, index: tuple[int, ...]) -> str:
        return self.name + (f"[{','.join(map(str, index))}]" if index else "")


def fields_of(game: Game) -> dict[str, Field]:
    """The fields of a game's state by name."""
    found, places = {}, game.state.fields
    assert places is not None, "a state is a record"
    for name in game.state.names or ():
        dtype, offset = places[name][:2]
        if name not in dict(HEADER):
            found[name] = Field(name, dtype.shape, dtype.base, offset)
    return found


def by_field(view: View) -> dict[str, npt.NDArray[Any]]:
    """The fields of a view by name, as arrays."""
    record = view.record
    return {name: np.asarray(record[name]) for name in fields_of(view.game)}


class Layout:
    """The layout of a view as a vector: which number of the view goes to which index.

    `kind` is "flat" or "planes". With "planes", the vector begins with planes x rows x columns
    numbers, and ends with the fields that are not on the board.

    Attributes:
        names: a name for each number of a flat vector. With planes, there is a name for each plane,
            and then for each number after the planes.
        low, high: the bounds of each number.
        board: (planes, rows, columns). None for a flat vector.
        size: the length of the vector.
    """

    def __init__(self, game: Game, kind: Kind = "flat") -> None:
        self.game = game
        self._fields = fields_of(game)
        self._gather: list[list[int]] = []
        self._scatter: list[list[int]] = []
        self._low: list[float] = []
        self._high: list[float] = []
        self.names: list[str] = []
        self.board: tuple[int, int, int] | None = None
        used: set[str] = set()
        if kind == "planes":
            board = game.board()
            if board is None:
                raise ValueError(
                    f"{game.name} does not say how its state lies on a board; choose "
                    "observation='flat', or give the game a method `board`."
                )
            used = self._add_board(board)
        for name, field in self._fields.items():
            if name not in used:
                self._add_field(field)
        self.runs = np.array(list(_runs(self._gather)), np.int64).reshape(-1)
        self.scatter = np.array(self._scatter, np.int64).reshape(-1)
        self.low, self.high = np.array(self._low, np.float32), np.array(self._high, np.float32)
        self.size = len(self._gather)
        self.grid = np.array([0, 0, 0], np.int64)
        if self.board is not None and board is not None:
            self.grid[:] = board.stride or board.columns, board.rows, board.columns

    def encode(self, view: View) -> Vector:
        """A view as a vector."""
        row = view.row()
        out = np.empty(self.size, np.float32)
        encode(row.ctypes.data, self.runs, self.scatter, self.grid, out, 0)
        return out

    def split(self, vector: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """Split a vector, or many vectors in rows, into its planes and its other numbers."""
        assert self.board is not None, "only planes have parts"
        count = int(np.prod(self.board))
        planes = vector[..., :count].reshape(*vector.shape[:-1], *self.board)
        return {"planes": planes, "rest": vector[..., count:]}

    def _add(self, row: list[int], low: float, high: float) -> None:
        self._gather.append(row)
        self._low.append(low)
        self._high.append(high)

    def _add_field(self, field: Field) -> None:
        members = self.game.sets.get(field.name)
        for index, place in field.entries():
            if members is None:
                self._add(_read(field, place), *field.bounds)
                self.names.append(field.label(index))
            else:
                for bit in range(min(members, 8 * field.dtype.itemsize)):
                    self._add(_bit(place, bit), 0.0, 1.0)
                    self.names.append(f"{field.label(index)} has {bit}")

    def _add_board(self, board: Board) -> set[str]:
        """Add all planes, and return the fields that they show."""
        begun, stride = len(self._gather), board.stride or board.columns
        cells = [(row, column) for row in range(board.rows) for column in range(board.columns)]
        for name, values in board.cells.items():
            self._add_cells(self._fields[name], values, stride, cells)
        for name in board.sets:
            for index, place in self._fields[name].entries():
                self.names.append(self._fields[name].label(index))
                for row, column in cells:
                    self._add(_bit(place, stride * row + column), 0.0, 1.0)
        for name in board.lines:
            self.names.append(name)
            places = dict(self._fields[name].entries())
            for row, column in cells:
                self._add(_bit(places[(row,)], column), 0.0, 1.0)
        used = {*board.cells, *board.sets, *board.lines}
        for things in board.things:
            used |= self._add_things(things, len(cells))
        planes = (len(self._gather) - begun) // len(cells)
        self.board = (planes, board.rows, board.columns)
        return used

    def _add_cells(
        self, field: Field, values: tuple[int, ...], stride: int, cells: list[tuple[int, int]]
    ) -> None:
        """Add a plane for each value of a field that has one entry for each cell."""
        flat = len(field.shape) == 1
        places = dict(field.entries())
        for value in values or (None,):
            self.names.append(field.name if value is None else f"{field.name} is {value}")
            for row, column in cells:
                place = places[(stride * row + column,) if flat else (row, column)]
                if value is None:
                    self._add(_read(field, place), *field.bounds)
                else:
                    self._add([*_read(field, place)[:WAY], EQUALS, value], 0.0, 1.0)

    def _add_things(self, things: Things, cells: int) -> set[str]:
        """Add a plane that counts a group's things, and a plane for each value that things have."""
        places = self._fields[things.places]
        groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
        for index, _ in places.entries():
            groups.setdefault(index if things.apart else index[:-1], []).append(index)
        for group, indices in groups.items():
            for name in ("", *things.values):
                label = f"{things.places}{list(group) if group else ''}"
                self.names.append(f"{label} {name}" if name else label)
                base = len(self._gather)
                low, high = (0.0, float(len(indices)))
                for index in indices:
                    read, bounds = self._value_of(name, index)
                    self._scatter.append(
                        [*self._at(places, index), *self._where(things, index), *read, base]
                    )
                    low, high = min(low, bounds[0]), max(high, bounds[1])
                for _ in range(cells):
                    self._add([0, 0, 0, CONSTANT, 0], low * len(indices), high * len(indices))
        return {
            name for name in (things.places, things.where, *things.values) if name in self._fields
        }

    def _at(self, field: Field, index: tuple[int, ...]) -> list[int]:
        return _read(field, dict(field.entries())[index])

    def _where(self, things: Things, index: tuple[int, ...]) -> list[int]:
        if not things.where:
            return _constant(1)
        return self._at(self._fields[things.where], index)

    def _value_of(self, name: str, index: tuple[int, ...]) -> tuple[list[int], tuple[float, float]]:
        if not name:
            return _constant(1), (0.0, 1.0)
        if name in self._fields:
            return self._at(self._fields[name], index), self._fields[name].bounds
        value = int(self.game.constants_record[name][0][index])
        return _constant(value), (min(0.0, value), max(0.0, value))


def _read(field: Field, place: int) -> list[int]:
    """The table columns that say how to read the number at the byte `place` of the state."""
    bits = 8 * field.dtype.itemsize
    if field.dtype.kind == "f" and bits != 64:
        raise ValueError(
            f"The field {field.name!r} has type {field.dtype}; learning libraries are given whole "
            "numbers and float64."
        )
    way = {"i": SIGNED, "b": UNSIGNED, "u": UNSIGNED, "f": REAL}[field.dtype.kind]
    return [place // 8, 8 * (place % 8), bits, way, 0]


def _bit(place: int, bit: int) -> list[int]:
    """The table columns that say how to read a bit of the number at the byte `place`."""
    at = 8 * place + bit
    return [at // 64, at % 64, 1, BIT, 0]


def _constant(value: int) -> list[int]:
    return [0, 0, 0, CONSTANT, value]


def _runs(reads: list[list[int]]) -> Iterator[list[int]]:
    """Join reads that only differ by an equal distance to the read before."""
    run: list[int] = []
    for read in reads:
        how, at = [read[WAY], read[ARGUMENT], read[BITS]], 64 * read[WORD] + read[SHIFT]
        if run and run[:RUN_LENGTH] == how:
            if run[RUN_LENGTH] == 1:
                run[RUN_STRIDE] = at - run[RUN_START]
            if at == run[RUN_START] + run[RUN_LENGTH] * run[RUN_STRIDE]:
                run[RUN_LENGTH] += 1
                continue
        if run:
            yield run
        run = [*how, 1, at, 0]
    if run:
        yield run


@kernel
def _number(s, way, argument, bits, word, shift):
    """Read a number from the state at `s`."""
    if way == CONSTANT:
        return np.float64(argument)
    if way == REAL:
        return read_real(s, word)
    if bits == 64 and way == UNSIGNED:
        return np.float64(read_word(s, word))
    value = (read_int(s, word) << (64 - bits - shift)) >> (64 - bits)
    if way == EQUALS:
        return 1.0 if value == argument else 0.0
    if way in (UNSIGNED, BIT):
        value &= (1 << bits) - 1
    return np.float64(value)


@kernel
def _listed(s, table, first):
    """Read a number from the state at `s`; the `READ` columns from `first` on say how."""
    return _number(
        s,
        table[first + WAY],
        table[first + ARGUMENT],
        table[first + BITS],
        table[first + WORD],
        table[first + SHIFT],
    )


@kernel
def _copy_run(s, runs, first, out, base):
    """Copy the numbers of a run to `out`, from index `base` on; return the index after them.

    Most numbers of boards are small and compared with a value, so these have a loop of their own.
    """
    way, argument, bits = runs[first], runs[first + RUN_ARGUMENT], runs[first + RUN_BITS]
    at, stride = runs[first + RUN_START], runs[first + RUN_STRIDE]
    end = base + runs[first + RUN_LENGTH]
    if way == EQUALS and bits < 64:
        mask = (1 << bits) - 1
        for place in range(base, end):
            out[place] = (read_int(s, at >> 6) >> (at & 63)) & mask == argument & mask
            at += stride
    elif way == BIT:
        for place in range(base, end):
            out[place] = (read_int(s, at >> 6) >> (at & 63)) & 1
            at += stride
    else:
        for place in range(base, end):
            out[place] = _number(s, way, argument, bits, at >> 6, at & 63)
            at += stride
    return end


@kernel
def encode(s, runs, scatter, grid, out, base):
    """Write the view at `s` to `out`, from index `base` on; `runs` and `scatter` are the tables.

    `grid` is (stride, rows, columns).
    """
    runs, scatter, out = borrow(runs), borrow(scatter), borrow(out)
    place = base
    for first in range(0, len(runs), RUN):
        place = _copy_run(s, runs, first, out, place)
    for line in range(0, len(scatter), BASE + 1):
        cell = np.int64(_listed(s, scatter, line))
        if cell >= 0 and _listed(s, scatter, line + READ) != 0.0:
            row, column = cell // grid[0], cell % grid[0]
            if row < grid[1] and column < grid[2]:
                place = base + scatter[line + BASE] + row * grid[2] + column
                out[place] += np.float32(_listed(s, scatter, line + 2 * READ))
