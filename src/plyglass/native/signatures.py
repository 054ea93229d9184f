"""The types with which Python calls kernels, recorded as text and read back as Numba's types.

Numba learns the types of a kernel from its first call. A library is compiled before any call, so
`signatures.json` keeps the types, and `plyglass build --record` records them anew. Records and
named tuples are stored by their names in the sources, so a changed field does not change the text.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.np import numpy_support

from plyglass.core import jit
from plyglass.core.compile import Kernel
from plyglass.core.library import dtype_of, label_of
from plyglass.lazy import named

FILE = Path(__file__).with_name("signatures.json")
# A type is one of these words, ["array", dimensions, dtype], ["record", dtype], or
# ["tuple", class, members].
NUMBERS = {
    "int": types.int64,
    "word": types.uint64,
    "real": types.float64,
    "flag": types.boolean,
}


def recorded() -> dict[str, dict[str, Any]]:
    """The argument and result types of each kernel that Python calls."""
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text())
    return found


def record() -> int:
    """Write the types of all kernels that Python has called in this process.

    The recorded types of other kernels stay, as long as these kernels exist. Return the number of
    kernels with recorded types.
    """
    before = recorded()
    for name in before:  # a kernel of a module that was never imported exists all the same
        with contextlib.suppress(ModuleNotFoundError):
            importlib.import_module(name.partition(":")[0])
    kernels = {label_of(each): each for each in _kernels()}
    known = {name: about for name, about in before.items() if name in kernels}
    for name, kernel in kernels.items():
        for signature in _called_with(kernel):
            known[name] = {
                "takes": [_described(each) for each in signature.args],
                "gives": _described_result(signature.return_type),
            }
    lines = [f"{json.dumps(name)}: {json.dumps(about)}" for name, about in sorted(known.items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return len(known)


def numba_type(described: Any) -> Any:
    """The type that a description names."""
    if isinstance(described, str):
        return NUMBERS[described]
    if described[0] == "array":
        return types.Array(from_dtype(dtype_of(described[2])), described[1], "C")
    if described[0] == "record":
        return from_dtype(dtype_of(described[1]))
    return types.NamedTuple([numba_type(each) for each in described[2]], named(described[1]))


def _kernels() -> Iterator[Kernel]:
    """All kernels of Plyglass, each from the module that defines it."""
    for name, module in sorted(sys.modules.items()):
        if name.startswith("plyglass."):
            for value in list(vars(module).values()):
                if isinstance(value, Kernel) and value.py_func.__module__ == name:
                    yield value


def _called_with(kernel: Kernel) -> list[Any]:
    """The signatures with which Python has called a kernel in this process."""
    dispatcher = vars(kernel).get("dispatcher")
    overloads = dispatcher.overloads.values() if isinstance(dispatcher, jit.Dispatcher) else ()
    return [each.signature for each in overloads]


def _described(kind: Any) -> Any:
    if isinstance(kind, types.Array):
        return ["array", kind.ndim, _reference(numpy_support.as_dtype(kind.dtype))]
    if isinstance(kind, types.Record):
        return ["record", _reference(numpy_support.as_dtype(kind))]
    if isinstance(kind, types.NamedTuple):
        owner = kind.instance_class
        members = [_described(each) for each in kind.types]
        return ["tuple", f"{owner.__module__}:{owner.__qualname__}", members]
    return _described_number(kind)


def _described_number(kind: Any) -> str:
    if isinstance(kind, types.Boolean):
        return "flag"
    if isinstance(kind, types.Integer):
        return "int" if kind.signed else "word"
    if isinstance(kind, types.Float):
        return "real"
    raise TypeError(f"Python cannot call a kernel with {kind} without Numba.")


def _described_result(kind: Any) -> Any:
    if isinstance(kind, types.NoneType):
        return None
    if isinstance(kind, types.BaseTuple):
        return [_described_number(each) for each in kind.types]
    return _described_number(kind)


def _reference(dtype: np.dtype[Any]) -> str:
    """The name of a dtype: NumPy's name, or a reference to a record in a module of Plyglass."""
    if dtype.names is None:
        return dtype.name
    for name, module in sorted(sys.modules.items()):
        if name.startswith("plyglass."):
            for variable, value in vars(module).items():
                if isinstance(value, np.dtype) and value == dtype:
                    return f"{name}:{variable}"
    raise TypeError(
        f"No module of Plyglass has a variable for the record with the fields {dtype.names}; "
        "assign the record to a variable."
    )
