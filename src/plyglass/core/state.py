"""States: flat records with a header, which the core owns, followed by the game's own fields.

Copying a state means copying its bytes. Hashes and equality skip the header. Narrow types are for
storage only: rules compute with 64-bit integers and doubles. In compiled code, Numba ensures that
rules compute with wide numbers. In interpreted code, `Fields` ensures this by returning Python
numbers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

HEADER = (
    ("luck", np.uint64),  # the seed of this world's future chance
    ("rng", np.uint64),  # the current stream, computed from `luck` at the start of every ply
    ("tape", np.int64),  # the address of a tape that dictates chance, or 0
    ("ply", np.int32),  # number of turns so far, including the current one
    ("drawn", np.int32),  # how often chance was drawn
)
HEADER_BYTES = 32

Field = tuple[str, Any] | tuple[str, Any, tuple[int, ...]]
Bytes = npt.NDArray[np.uint8]


def state_dtype(*fields: Field) -> np.dtype[Any]:
    """The record of a game's state.

    >>> state_dtype(("cell", np.int8, (6, 7)), ("player", np.int8))
    """
    taken = {name for name, _ in HEADER} & {field[0] for field in fields}
    if taken:
        raise ValueError(
            f"The state field {min(taken)!r} has a name of the header; choose another name."
        )
    return np.dtype([*HEADER, *fields], align=True)


def filled(dtype: np.dtype[Any], values: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    """One record of constants or a setup, filled from a mapping that names every field."""
    names = set(dtype.names or ())
    if names != set(values):
        missing, unknown = sorted(names - set(values)), sorted(set(values) - names)
        raise ValueError(
            f"The values do not fit the record: missing are {missing}, unknown are {unknown}."
        )
    record = np.zeros(1, dtype)
    for name, value in values.items():
        record[name][0] = value
    return record


def new_states(count: int, dtype: np.dtype[Any]) -> Bytes:
    """`count` states as rows of bytes, all zero."""
    return np.zeros((count, dtype.itemsize), np.uint8)


class Fields:
    """The fields of a record at an address, for interpreted rules.

    Reading a field gives a Python number. So a narrow number does not wrap around where compiled
    code would widen the number.
    """

    __slots__ = ("_fields", "_keep")

    def __init__(self, address: int, dtype: np.dtype[Any]) -> None:
        buffer = memoryview((ctypes.c_uint8 * dtype.itemsize).from_address(address))
        whole = np.frombuffer(buffer, dtype)
        object.__setattr__(self, "_keep", whole)
        object.__setattr__(self, "_fields", {name: whole[name] for name in dtype.names or ()})

    def __getattr__(self, name: str) -> Any:
        try:
            field = self._fields[name]
        except KeyError:
            raise AttributeError(f"the record has no field {name!r}") from None
        return _number(field[0]) if field.ndim == 1 else Cells(field[0], name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(f"the record has no field {name!r}")
        self._fields[name][0] = _fitting(value, self._fields[name].dtype)


class Cells:
    """An array field of `Fields`.

    An index that is negative or too large raises an error. With such an index, compiled code would
    read other memory.
    """

    __slots__ = ("_array", "_name")

    def __init__(self, array: np.ndarray[Any, Any], name: str) -> None:
        self._array, self._name = array, name

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self._array.shape)

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int | tuple[int, ...]) -> Any:
        found = self._array[self._checked(index)]
        return Cells(found, self._name) if isinstance(found, np.ndarray) else _number(found)

    def __setitem__(self, index: int | tuple[int, ...], value: Any) -> None:
        self._array[self._checked(index)] = _fitting(value, self._array.dtype)

    def _checked(self, index: int | tuple[int, ...]) -> tuple[int, ...]:
        place: Sequence[int] = index if isinstance(index, tuple) else (index,)
        for at, size in zip(place, self._array.shape, strict=False):
            if not 0 <= at < size:
                raise IndexError(
                    f"index {', '.join(map(str, place))} is outside of the field "
                    f"{self._name!r} with shape {self._array.shape}"
                )
        return tuple(place)


def _number(value: Any) -> Any:
    """A value as a Python number; 64-bit hashes stay `np.uint64`, to wrap as in machine code."""
    return value if isinstance(value, np.uint64) else value.item()


def _fitting(value: Any, dtype: np.dtype[Any]) -> Any:
    """`value` truncated to the width of the field, as in machine code."""
    if dtype.kind in "iu" and not isinstance(value, np.generic):
        return np.array(int(value) & (2 ** (8 * dtype.itemsize) - 1), np.uint64).astype(dtype)
    return value
