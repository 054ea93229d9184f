"""The table: one address per rule of a game, so planners are compiled once for all games.

A rule is a plain Python function on two records, the constants `r` and the state `s`. `SIGNATURES`
lists the rules that a game must have, the rules that it may have, and the functions that the core
composes from rules. A shared library written in C can fill the same table.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types

from plyglass.core import templates
from plyglass.core.compile import Function, compose, interpreted, plain, pointer
from plyglass.core.memory import callable_address
from plyglass.core.mistakes import COMPILER_ERRORS, explain, line_of, refuse_silent
from plyglass.core.state import Fields

REQUIRED = ("start", "to_move", "legal", "apply", "score")
HIDING = ("hide", "imagine")
OPTIONAL = ("represent", "prefer", "perturb", "features", "after", "place")
COMPOSED = ("step", "playout")

SLOTS = (*REQUIRED, *HIDING, *OPTIONAL, *COMPOSED)
(
    START,
    TO_MOVE,
    LEGAL,
    APPLY,
    SCORE,
    HIDE,
    IMAGINE,
    REPRESENT,
    PREFER,
    PERTURB,
    FEATURES,
    AFTER,
    PLACE,
    STEP,
    PLAYOUT,
) = range(len(SLOTS))
CONSTANTS, SIZE, PLAYERS = len(SLOTS), len(SLOTS) + 1, len(SLOTS) + 2
TABLE_WORDS = len(SLOTS) + 3

# What the rule `after` knows about an action without drawing chance:
#   SURE         the action draws no chance, so its result is known
#   BEFORE_LUCK  the result is known up to the point where chance is drawn
#   UNTOLD       nothing is known
#   POSTPONED    the result is known except for what chance adds, and the turn can go on without it
# `verbs.after` returns SAMPLED for an UNTOLD action that has drawn chance.
SURE, BEFORE_LUCK, UNTOLD, POSTPONED, SAMPLED = range(5)

# For each function, the names that its parameters must have, and what it returns.
SIGNATURES: dict[str, tuple[tuple[str, ...], str]] = {
    "start": (("r", "setup", "s"), "void"),
    "to_move": (("r", "s"), "int"),
    "legal": (("r", "s", "out"), "int"),
    "apply": (("r", "s", "action"), "void"),
    "score": (("r", "s", "player"), "real"),
    "hide": (("r", "s", "viewer"), "void"),
    "imagine": (("r", "s", "viewer"), "void"),
    "represent": (("r", "s", "out"), "int"),
    "prefer": (("r", "s", "out"), "int"),
    "perturb": (("r", "s", "viewer"), "int"),
    "features": (("r", "s", "player", "values"), "int"),
    "after": (("r", "s", "action"), "int"),
    "place": (("r", "s", "viewer", "tracks"), "real"),
    "step": (("r", "s", "player", "action"), "int"),
    "playout": (("r", "s", "player", "out", "stream", "limit"), "int"),
    "evaluator": (("r", "s", "player"), "real"),
    "policy": (("r", "s", "stream"), "int"),
    "tracker": (("r", "s", "seen", "viewer", "tracks"), "int"),
}
# The types of the elements that a rule writes to an address: actions or numbers.
_ELEMENTS: dict[str, tuple[Any, Any]] = {
    "out": (types.int32, ctypes.c_int32),
    "values": (types.float64, ctypes.c_double),
    "tracks": (types.float64, ctypes.c_double),
}
_NUMBA_RESULT = {"void": types.void, "int": types.int64, "real": types.float64}


class Layout:
    """The records that a game's functions work on."""

    def __init__(
        self, constants: np.dtype[Any], setup: np.dtype[Any], state: np.dtype[Any]
    ) -> None:
        self.dtypes = {"r": constants, "setup": setup, "s": state, "seen": state}

    def numba_signature(self, shape: str) -> Any:
        names, result = SIGNATURES[shape]
        return _NUMBA_RESULT[result](*[self._numba_type(name) for name in names])

    def arguments(self, shape: str, values: Iterable[int], room: Mapping[str, int]) -> list[Any]:
        """Turn addresses into arguments of an interpreted function.

        `room` gives the number of elements that the function may write to each array.
        """
        return [
            self._python_value(name, int(value), room)
            for name, value in zip(SIGNATURES[shape][0], values, strict=True)
        ]

    def _numba_type(self, name: str) -> Any:
        if name in self.dtypes:
            return from_dtype(self.dtypes[name])
        return types.CPointer(_ELEMENTS[name][0]) if name in _ELEMENTS else types.int64

    def _python_value(self, name: str, value: int, room: Mapping[str, int]) -> Any:
        if name in self.dtypes:
            return Fields(value, self.dtypes[name])
        return (_ELEMENTS[name][1] * room[name]).from_address(value) if name in _ELEMENTS else value


class CompiledRules:
    """Rules as machine code."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._keep: list[Any] = []

    def address(self, shape: str, function: Function) -> int:
        """The address of `function` as machine code, valid while this object lives."""
        refuse_silent(function, shape, self._layout.dtypes)
        try:
            compiled = pointer(function, self._layout.numba_signature(shape))
        except COMPILER_ERRORS as error:
            result = SIGNATURES[shape][1]
            explained = explain(error, function, shape, result, self._layout.dtypes)
            if explained is None:
                raise
            raise explained from error
        self._keep.append(compiled)
        return compiled.address  # type: ignore[no-any-return]


class InterpretedRules:
    """Rules that run as Python."""

    def __init__(self, layout: Layout, room: Mapping[str, int]) -> None:
        self._layout, self._room = layout, room

    def address(self, shape: str, function: Function) -> int:
        """A number by which interpreted code calls `function`, as if it were an address."""
        twin = interpreted(function)

        def call(*arguments: int) -> Any:
            return twin(*self._layout.arguments(shape, arguments, self._room))

        return callable_address(call)


class SharedLibrary:
    """Rules in C, or in another language that exports C functions; see `SIGNATURES`."""

    def __init__(self, path: str | Path) -> None:
        self._library = ctypes.CDLL(str(path))
        self.addresses = {
            name: self._address(name) for name in SLOTS if hasattr(self._library, name)
        }
        missing = [name for name in REQUIRED if name not in self.addresses]
        if missing:
            raise TypeError(
                f"{path} does not export {missing[0]!r}; a game needs {', '.join(REQUIRED)}."
            )
        if ("hide" in self.addresses) != ("imagine" in self.addresses):
            raise TypeError(
                f"{path} must export both hide and imagine, or neither if nothing is hidden."
            )

    def _address(self, name: str) -> int:
        return ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0


def addresses_of(
    functions: Mapping[str, Function], rules: CompiledRules | InterpretedRules
) -> dict[str, int]:
    """An address for every rule of a game, and for every function composed from its rules."""
    whole = {
        **functions,
        **{name: compose(*templates.composed(name, functions)) for name in COMPOSED},
    }
    return {name: rules.address(name, function) for name, function in whole.items()}


def table_of(
    addresses: Mapping[str, int], constants: int, size: int, players: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The array that kernels take: an address (or 0) per slot, the constants and the sizes."""
    table = np.zeros(TABLE_WORDS, np.int64)
    for slot, name in enumerate(SLOTS):
        table[slot] = addresses.get(name, 0)
    table[CONSTANTS], table[SIZE], table[PLAYERS] = constants, size, players
    return table


def rules_by_name(functions: Iterable[Function], owner: str) -> dict[str, Function]:
    """A game's rules by name; missing or unknown rules and wrongly named parameters are errors."""
    found = {plain(function).__name__: function for function in functions}
    for name, function in found.items():
        if name not in SIGNATURES or name in COMPOSED:
            raise TypeError(
                f"{line_of(function)}: {owner} has a rule {name!r}, but the rules are "
                f"{', '.join((*REQUIRED, *HIDING, *OPTIONAL))}."
            )
        given = tuple(inspect.signature(plain(function)).parameters)
        if given != SIGNATURES[name][0]:
            raise TypeError(
                f"{line_of(function)}: {owner}: rule {name}({', '.join(given)}) must take "
                f"({', '.join(SIGNATURES[name][0])})."
            )
    missing = [name for name in REQUIRED if name not in found]
    if missing:
        raise TypeError(f"{owner} has no rule {missing[0]!r}; a game needs {', '.join(REQUIRED)}.")
    if ("hide" in found) != ("imagine" in found):
        raise TypeError(f"{owner} needs both hide and imagine, or neither if nothing is hidden.")
    return found
