"""The table: one address per rule of a game, so planners are compiled once for all games.

A rule is a plain Python function of two records, the constants `r` and the state `s`. `SIGNATURES`
lists the rules that a game must have, the rules that it may have, and the functions that the core
composes from rules. A shared library written in C can fill the same table.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from plyglass.core import library, templates
from plyglass.core.compile import Function, compose, interpreted, plain
from plyglass.core.memory import callable_address
from plyglass.core.mistakes import line_of, refuse_silent
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
#   POSTPONED    the result is known except for a chance part, without which the turn can continue
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
_ELEMENTS: dict[str, Any] = {
    "out": ctypes.c_int32,
    "values": ctypes.c_double,
    "tracks": ctypes.c_double,
}
_NUMBA_NAMES: dict[Any, str] = {
    "void": "void",
    "int": "int64",
    "real": "float64",
    ctypes.c_int32: "int32",
    ctypes.c_double: "float64",
}


class Layout:
    """The records that a game's functions work on."""

    def __init__(
        self, constants: np.dtype[Any], setup: np.dtype[Any], state: np.dtype[Any]
    ) -> None:
        self.dtypes = {"r": constants, "setup": setup, "s": state, "seen": state}

    @property
    def description(self) -> str:
        """A text that lists the fields of all records with their types, offsets and sizes."""
        kinds = (self.dtypes[name] for name in ("r", "setup", "s"))
        return repr([(each.fields and dict(each.fields), each.itemsize) for each in kinds])

    def numba_signature(self, shape: str) -> Any:
        from numba import types

        names, result = SIGNATURES[shape]
        returned = getattr(types, _NUMBA_NAMES[result])
        return returned(*[self._numba_type(name) for name in names])

    def arguments(self, shape: str, values: Iterable[int], room: Mapping[str, int]) -> list[Any]:
        """Turn addresses into arguments of an interpreted function.

        `room` gives the number of elements that the function may write to each array.
        """
        return [
            self._python_value(name, int(value), room)
            for name, value in zip(SIGNATURES[shape][0], values, strict=True)
        ]

    def _numba_type(self, name: str) -> Any:
        from numba import from_dtype, types

        if name in self.dtypes:
            return from_dtype(self.dtypes[name])
        if name not in _ELEMENTS:
            return types.int64
        return types.CPointer(getattr(types, _NUMBA_NAMES[_ELEMENTS[name]]))

    def _python_value(self, name: str, value: int, room: Mapping[str, int]) -> Any:
        if name in self.dtypes:
            return Fields(value, self.dtypes[name])
        return (_ELEMENTS[name] * room[name]).from_address(value) if name in _ELEMENTS else value


class Addresses(Layout):
    """The layout of kernels that replace rules in a table; such kernels take addresses."""

    def __init__(self) -> None:
        nothing = np.dtype([])
        super().__init__(nothing, nothing, nothing)

    def _numba_type(self, name: str) -> Any:
        from numba import types

        return types.int64


class Functions:
    """All functions of a game that planners can call: rules, evaluators, policies and trackers.

    A rule keeps its own name here. Other functions get a prefix, such as `evaluator_stats` for the
    evaluator `stats`.
    """

    def __init__(self, rules: Mapping[str, Function], **offered: Mapping[str, Function]) -> None:
        self._given = {name: (name, function) for name, function in rules.items()}
        for shape, functions in offered.items():
            for name, function in functions.items():
                self._given[extra_name(shape, name)] = shape, function
        self._rules = rules

    @functools.cached_property
    def roots(self) -> dict[str, library.Root]:
        """All functions by name, including composed ones, each with its key in `SIGNATURES`."""
        if not self._rules:  # the rules are in a shared library
            return self._given
        composed = {
            name: (name, compose(*templates.composed(name, self._rules))) for name in COMPOSED
        }
        return {**self._given, **composed}

    def identity(self, layout: Layout) -> str:
        """A digest of the functions' names, of where they are defined, and of their records.

        The digest is the same in every process. The digest does not depend on what the functions
        do.
        """
        where = [
            (name, shape, library.label_of(each), plain(each).__code__.co_firstlineno)
            for name, (shape, each) in self._given.items()
        ]
        return library.digest(repr((where, layout.description)).encode())


def address_in_table(shape: str, kernel: Function) -> int:
    """The address of a kernel that can replace a rule in a game's table."""
    name = plain(kernel).__name__
    found = library.bundled_address(kernel)
    if found is None:
        found = library.compiled(name, {name: (shape, kernel)}, Addresses())(name)
    return found


def extra_name(shape: str, name: str) -> str:
    """The name of an evaluator, a policy or a tracker among all functions of a game."""
    return library.symbol_of(f"{shape}_{name}")


class CompiledRules:
    """Rules as machine code."""

    def __init__(self, name: str, owner: str, layout: Layout, functions: Functions) -> None:
        identity = functions.identity(layout)
        self._addresses = library.bundled(
            name, owner, identity, lambda: library.meaning_of_roots(functions.roots, layout)
        )
        if self._addresses is None:
            for shape, function in functions.roots.values():
                refuse_silent(function, shape, layout.dtypes)
            self._addresses = library.compiled(name, functions.roots, layout)

    def address(self, name: str) -> int:
        """The address of a function as machine code, valid until the process ends."""
        assert self._addresses is not None
        return self._addresses(name)


class InterpretedRules:
    """Rules that run as Python."""

    def __init__(self, layout: Layout, room: Mapping[str, int], functions: Functions) -> None:
        self._layout, self._room, self._functions = layout, room, functions

    def address(self, name: str) -> int:
        """A number that interpreted code uses as the address of a function."""
        shape, function = self._functions.roots[name]
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


def table_of(
    addresses: Mapping[str, int], constants: int, size: int, players: int
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The array that kernels take: an address per slot (0 if none), the constants and the sizes."""
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
