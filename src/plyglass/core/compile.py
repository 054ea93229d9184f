"""Kernels: functions that run as machine code. This module works without Numba.

A kernel never raises, allocates or touches a Python object. With `NUMBA_DISABLE_JIT=1`, the same
functions run as plain Python. In a process that compiles, `interpreted` returns a plain Python
version of one kernel, so tests can compare both versions.

Kernels and games of Plyglass come precompiled (see `library`). Importing Numba takes a second, so
`compile`, `memory` and `bits` do not import Numba: they only describe what can be compiled. `jit`
and `intrinsics` import Numba, and they are imported only when something must be compiled.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import os
import sys
import types as python_types
import zlib
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)


def _switch(name: str) -> bool:
    """Whether a switch of Numba is on, as Numba reads it from the environment."""
    return os.environ.get(name, "").strip() not in ("", "0")


JIT = not _switch("NUMBA_DISABLE_JIT")
CHECKED = JIT and _switch("NUMBA_BOUNDSCHECK")  # whether compiled code checks indices

if not JIT:
    np.seterr(over="ignore")  # streams and hashes wrap around on purpose

# Python versions by the `id` of the original function. The dictionary also keeps the original, so
# the original's `id` stays valid.
_python_twins: dict[int, tuple[Any, Function]] = {}


def kernel(function: F) -> F:
    """Compile `function` at its first call, for this call's argument types, and cache the code."""
    function.__plyglass_sources__ = (function.__code__.co_filename,)  # type: ignore[attr-defined]
    return Kernel(function) if JIT else function  # type: ignore[return-value]


class Kernel:
    """A function that runs as machine code, for Python and for other kernels.

    Python calls the machine code that comes with Plyglass. If there is no machine code for a kernel
    or for its argument types, Numba compiles the kernel.
    """

    def __init__(self, function: Function) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._call: Function | None = None

    def __call__(self, *arguments: Any) -> Any:
        if self._call is None:
            self._call = self._entry()
        return self._call(*arguments)

    def _entry(self) -> Function:
        from plyglass.core.library import entry

        return entry(self) or self.dispatcher

    @functools.cached_property
    def dispatcher(self) -> Any:
        """Numba's dispatcher of the kernel, for calls from Python."""
        from plyglass.core import jit

        return jit.dispatcher(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """Numba's type of the kernel, for calls from other kernels."""
        from plyglass.core import jit

        return jit.type_of(self)


class Intrinsic:
    """A few machine instructions that Numba lacks; `intrinsics` defines them for Numba."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.__name__} can be called only in a kernel; this is Python.")

    @property
    def _numba_type_(self) -> Any:
        from plyglass.core import jit

        return jit.type_of_intrinsic(self.__name__)


def intrinsic(name: str) -> Any:
    """The intrinsic of this name."""
    return Intrinsic(name)


def compose(template: Function, parts: dict[str, Function], values: dict[str, Any]) -> Function:
    """`template` with global names bound to a game's functions and values.

    The result compiles to one function without calls between its parts. A closure could bind the
    names too, but Numba cannot load the machine code of a closure from disk.
    """
    bound = python_types.FunctionType(
        template.__code__, {**template.__globals__, **parts, **values}, template.__name__
    )
    # The name distinguishes compositions, because one file may define several games with the same
    # record and different rules.
    identity = [
        (name, plain(part).__qualname__, plain(part).__code__.co_firstlineno)
        for name, part in parts.items()
    ]
    bound.__qualname__ = f"{template.__name__}_{zlib.crc32(repr((identity, values)).encode()):08x}"
    files = [file for part in parts.values() for file in sources(part)]
    bound.__plyglass_sources__ = (*dict.fromkeys(files), template.__code__.co_filename)  # type: ignore[attr-defined]
    return bound


def plain(function: Function) -> Function:
    """The Python function behind a kernel."""
    return getattr(function, "py_func", function)


def interpreted(function: Function) -> Function:
    """A Python version of `function` and of all kernels that it calls, even with `JIT`."""
    key = id(function)
    if key not in _python_twins:
        original = plain(function)
        scope: dict[str, Any] = {}
        twin = python_types.FunctionType(
            original.__code__, scope, original.__name__, original.__defaults__
        )
        _python_twins[key] = function, twin
        scope.update(
            {
                name: _interpreted_value(original.__globals__[name])
                for name in _names(original)
                if name in original.__globals__
            }
        )
        scope["__builtins__"] = original.__globals__["__builtins__"]
    return _python_twins[key][1]


def stands_for(intrinsic: Any) -> Callable[[F], F]:
    """Mark a Python function as the one that interpreted code calls instead of an intrinsic."""

    def remember(function: F) -> F:
        _python_twins[id(intrinsic)] = intrinsic, function
        return function

    return remember


def reaches(function: Function, targets: tuple[Function, ...]) -> bool:
    """Whether `function` calls one of `targets`, directly or through other kernels."""
    wanted, seen, waiting = {id(plain(target)) for target in targets}, set(), [plain(function)]
    while waiting:
        here = waiting.pop()
        if id(here) in wanted:
            return True
        if id(here) not in seen:
            seen.add(id(here))
            waiting += [
                plain(value)
                for value in values_used(here)
                if hasattr(plain(value), "__plyglass_sources__")
            ]
    return False


def compilations() -> dict[str, int]:
    """How many functions this process has compiled, and how many it has loaded from disk."""
    import sys

    jit, library = sys.modules.get("plyglass.core.jit"), sys.modules.get("plyglass.core.library")
    counts = {"compiled": 0, "loaded": 0}
    for module in (jit, library):
        for name, count in module.counts().items() if module else ():
            counts[name] += count
    return counts


def renamed(function: Function, suffix: str) -> Function:
    """A copy of a function under another name.

    The same function is compiled for several purposes with different machine code, so the results
    must not share a name.
    """
    parts = (
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy = python_types.FunctionType(*parts)
    copy.__qualname__ = f"{function.__qualname__}.{suffix}"
    copy.__plyglass_sources__ = sources(function)  # type: ignore[attr-defined]
    return copy


def sources(function: Function) -> tuple[str, ...]:
    """The files that define a function, including its parts if `compose` made it."""
    original = plain(function)
    return getattr(original, "__plyglass_sources__", (original.__code__.co_filename,))


def _interpreted_value(value: Any) -> Any:
    if id(value) in _python_twins:
        return _python_twins[id(value)][1]
    if hasattr(value, "py_func"):
        return interpreted(value)
    if (
        isinstance(value, python_types.ModuleType)
        and value.__name__.partition(".")[0] == "plyglass"
    ):
        return ModuleTwin(value)
    return value


def values_used(function: Function) -> Iterable[Any]:
    """The values of the global names that a function uses, including names within modules."""
    names = sorted(set(_names(function)))
    for name in names:
        if name in function.__globals__:
            yield from _with_members(function.__globals__[name], names)


def _with_members(value: Any, names: list[str]) -> Iterable[Any]:
    """Yield a value; if it is a module, first yield its members that have these names."""
    if isinstance(value, python_types.ModuleType):
        # `plyglass` imports each of its names only when the name is first used
        ours = value.__name__.partition(".")[0] == "plyglass"
        for each in names:
            if each in vars(value) or (ours and hasattr(value, each)):
                member = getattr(value, each)
                yield from _with_members(member, names) if member is not value else ()
    yield value


def _names(function: Function) -> Iterable[str]:
    """The global names that a function uses, including those in nested code."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        yield from code.co_names
        codes.extend(each for each in code.co_consts if isinstance(each, python_types.CodeType))


class Meaning:
    """What functions do: their code, their global values, and all kernels that they call.

    If two meanings are equal, the functions compile to the same machine code. File names, line
    numbers and docstrings do not count. `about` is another text on which the machine code depends.

    Attributes:
        digest: a digest of the meaning, which is the same in every process with this version of
            Python; None if a value can be identified only within this process.
    """

    def __init__(self, *functions: Function, about: str = "") -> None:
        # objects known only by their `id`, kept alive because an `id` ends with its object
        self._kept: list[Any] = []
        parts: list[Any] = [about]
        seen, waiting = set(), [plain(function) for function in functions]
        while waiting:
            here = waiting.pop()
            if id(here) not in seen:
                seen.add(id(here))
                used = list(values_used(here))
                used += [cell.cell_contents for cell in here.__closure__ or ()]
                defaults = here.__defaults__, tuple((here.__kwdefaults__ or {}).items())
                parts += [_content(here.__code__), *map(self._mark, (*defaults, *used))]
                waiting += [
                    plain(value) for value in used if hasattr(plain(value), "__plyglass_sources__")
                ]
        self._parts = tuple(parts)

    @property
    def digest(self) -> str | None:
        text = repr((sys.implementation.cache_tag, self._parts))
        return None if self._kept else hashlib.blake2b(text.encode(), digest_size=10).hexdigest()

    def _mark(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return repr(value.dtype), value.shape, value.strides, value.tobytes()
        if isinstance(value, tuple):
            return getattr(value, "_fields", ()), *map(self._mark, value)
        if value is None or isinstance(value, bool | int | float | str | np.generic | np.dtype):
            return repr(value)
        if isinstance(value, python_types.ModuleType | Intrinsic):
            return value.__name__
        if isinstance(value, type) and issubclass(value, tuple):
            defaults = getattr(value, "_field_defaults", {})
            return value.__name__, getattr(value, "_fields", ()), self._mark((*defaults.items(),))
        if isinstance(value, enum.EnumType):
            members: Iterable[enum.Enum] = value.__members__.values()
            return tuple((each.name, self._mark(each.value)) for each in members)
        if hasattr(plain(value), "__plyglass_sources__"):
            return plain(value).__name__
        if _is_of_a_library(value):
            return f"{value.__module__}.{value.__qualname__}"
        self._kept.append(value)
        return id(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meaning) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)


def _content(code: python_types.CodeType) -> tuple[Any, ...]:
    """What a code object does, without its docstring and its place in a file."""
    described = [
        _content(each) if isinstance(each, python_types.CodeType) else repr(each)
        for each in code.co_consts[_has_docstring(code) :]
    ]
    return code.co_code, code.co_names, code.co_varnames, code.co_argcount, *described


def _has_docstring(code: python_types.CodeType) -> bool:
    """Whether the first constant is a docstring; comprehensions have none."""
    flag: int = getattr(inspect, "CO_HAS_DOCSTRING", 0)  # since Python 3.13
    marked = not flag or bool(code.co_flags & flag)
    first = code.co_consts[0] if code.co_consts else None
    return marked and not code.co_name.startswith("<") and isinstance(first, str)


def _is_of_a_library(value: Any) -> bool:
    """Whether a function or type comes from Python, NumPy or Numba, so a name identifies it."""
    module = getattr(value, "__module__", None) or ""
    named = hasattr(value, "__qualname__")
    return named and module.partition(".")[0] in ("builtins", "math", "numpy", "numba")


class ModuleTwin:
    """A module whose kernels run as Python."""

    def __init__(self, module: python_types.ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = _interpreted_value(getattr(self._module, name))
        if not callable(value):
            return value

        def call(*arguments: Any) -> Any:
            with np.errstate(over="ignore"):  # streams and hashes wrap around on purpose
                return value(*arguments)

        setattr(self, name, call)
        return call
