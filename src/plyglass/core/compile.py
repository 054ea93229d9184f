"""The only module that compiles; all others use `@kernel` or `pointer`.

A kernel never raises, allocates or touches a Python object. With `NUMBA_DISABLE_JIT=1`, the same
functions run as plain Python. In a process that compiles, `interpreted` returns a version of one
kernel that runs as plain Python, so tests can compare the two.
"""

from __future__ import annotations

import types as python_types
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core import config, types
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.registry import CPUDispatcher

from plyglass.core.cache import directory_for, is_kept, is_typed

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)

JIT = not config.DISABLE_JIT
INLINED = 360  # kernels with fewer bytes of bytecode are always inlined, because a call costs more
OPTIONS = {"error_model": "numpy", "boundscheck": None}

if not config.CACHE_LOCATOR_CLASSES:
    config.CACHE_LOCATOR_CLASSES = (
        "plyglass.core.cache.SourceLocator,UserProvidedCacheLocator,InTreeCacheLocator,"
        "UserWideCacheLocator,IPythonCacheLocator"
    )
# Code compiled for one record may be used for a longer record that begins with the same fields,
# because the offsets of these fields are the same. So the warning about it is not needed.
warnings.filterwarnings(
    "ignore", ".*has been considered a subtype of", category=NumbaExperimentalFeatureWarning
)
if not JIT:
    np.seterr(over="ignore")  # streams and hashes wrap around on purpose

_kernels: list[Any] = []
_pointers: dict[tuple[Any, ...], Any] = {}
_origins: Counter[str] = Counter()  # how many pointers were compiled, and how many were loaded
# By the `id` of the original function. The function is kept too, so its `id` stays valid.
_python_twins: dict[int, tuple[Any, Function]] = {}


def kernel(function: F) -> F:
    """Compile `function` at its first call, for the argument types of this call, and cache it."""
    function.__plyglass_sources__ = (function.__code__.co_filename,)  # type: ignore[attr-defined]
    return _dispatcher(function) if JIT else function


def pointer(function: Function, signature: Any) -> Any:
    """Compile `function` to a C function pointer now, or load it from disk.

    The pointer is valid while the result is kept. Variants of a game share the pointers of their
    rules, because Numba never frees code that it has loaded.
    """
    original = plain(function)
    code, place = original.__code__, directory_for(_sources(original))
    key: tuple[Any, ...] = place, code.co_filename, original.__qualname__, code, signature
    typed = any(map(is_typed, _sources(original)))
    if typed:
        key = signature, Meaning(original)
    if key in _pointers:
        return _pointers[key]
    compiled = numba.cfunc(signature, cache=place is not None, **OPTIONS)(
        _renamed(original, "pointer")
    )
    _origins["loaded" if compiled.cache_hits else "compiled"] += 1
    # the key does not cover a closure's variables
    if (typed or place is not None) and not code.co_freevars:
        _pointers[key] = compiled
    return compiled


def compose(template: Function, parts: dict[str, Function], values: dict[str, Any]) -> Function:
    """`template` with global names bound to a game's functions and values.

    The result compiles to one function without calls between its parts. A closure could do the
    same, but Numba cannot load the machine code of a closure from disk.
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
    sources = [source for part in parts.values() for source in _sources(part)]
    bound.__plyglass_sources__ = (*dict.fromkeys(sources), template.__code__.co_filename)  # type: ignore[attr-defined]
    return bound


def plain(function: Function) -> Function:
    """The Python function behind a kernel."""
    return getattr(function, "py_func", function)


def interpreted(function: Function) -> Function:
    """A version of `function`, and of all kernels it calls, that runs as Python even with `JIT`."""
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
    """Mark a Python function as the version of an intrinsic that interpreted code calls."""

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
    """The number of functions that this process has compiled, and has loaded from disk."""
    hits = sum(sum(each.stats.cache_hits.values()) for each in _kernels)
    misses = sum(sum(each.stats.cache_misses.values()) for each in _kernels)
    return {"compiled": misses + _origins["compiled"], "loaded": hits + _origins["loaded"]}


def _dispatcher(function: Function, **options: bool) -> Any:
    inlined = len(function.__code__.co_code) <= INLINED
    settings = {
        "nopython": True,
        "nogil": True,
        "forceinline": inlined,
        "no_cfunc_wrapper": True,
        **OPTIONS,
        **options,
    }
    compiled = Kernel(function, targetoptions=settings)
    if is_kept(_sources(function)):
        compiled.enable_caching()
    _kernels.append(compiled)
    return compiled


def _renamed(function: Function, suffix: str) -> Function:
    """A copy of a function under another name.

    The pointer and the kernel of one function have different machine code, so they must not share a
    cache file.
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
    copy.__plyglass_sources__ = _sources(function)  # type: ignore[attr-defined]
    return copy


def _sources(function: Function) -> tuple[str, ...]:
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
    names = set(_names(function))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        if isinstance(value, python_types.ModuleType):
            # `plyglass` imports each of its names only when the name is first used
            ours = value.__name__.partition(".")[0] == "plyglass"
            yield from (
                getattr(value, each)
                for each in names
                if each in vars(value) or (ours and hasattr(value, each))
            )
        yield value


def _names(function: Function) -> Iterable[str]:
    """The global names that a function uses, including those in nested code."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        yield from code.co_names
        codes.extend(each for each in code.co_consts if isinstance(each, python_types.CodeType))


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function that Python calls through a wrapper, which unpacks Python objects.

    Other kernels call `twin`, the same function without a wrapper. Most kernels are called only by
    kernels, so most wrappers are never compiled. This saves a fifth of the compile time.
    """

    _twin: tuple[Meaning | None, Any] | None = None

    @property
    def twin(self) -> Any:
        """The same kernel without a wrapper, as other kernels call it."""
        # a cell that it uses may have been typed anew; a twin keeps what it was compiled with
        typed = is_typed(self.py_func.__code__.co_filename)
        meaning = Meaning(self.py_func) if typed else None
        if self._twin is None or self._twin[0] != meaning:
            twin = _dispatcher(_renamed(self.py_func, "twin"), no_cpython_wrapper=True)
            self._twin = meaning, twin
        return self._twin[1]

    @property
    def _numba_type_(self) -> Any:
        return types.Dispatcher(self.twin)

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Compile for a call from Python; explain an error in a user's kernel in one sentence."""
        from plyglass.core.mistakes import COMPILER_ERRORS, explain

        try:
            return super()._compile_for_args(*args, **kws)
        except COMPILER_ERRORS as error:
            explained = explain(error, self.py_func, "function")
            if explained is None:
                raise
            raise explained from error


class Meaning:
    """What a function computes: its code, its global values, and all kernels that it calls.

    Two of them are equal if nothing was typed anew in between. A file name says less: the cells of
    a notebook share their names, and change one by one.
    """

    def __init__(self, function: Function) -> None:
        self._kept: list[Any] = []  # an identity holds only while the object lives
        parts: list[Any] = []
        seen, waiting = set(), [plain(function)]
        while waiting:
            here = waiting.pop()
            if id(here) not in seen:
                seen.add(id(here))
                used = {name: here.__globals__.get(name) for name in sorted(set(_names(here)))}
                parts += [here.__code__, here.__defaults__, *map(self._mark, used.values())]
                waiting += [
                    plain(value)
                    for value in values_used(here)
                    if hasattr(plain(value), "__plyglass_sources__")
                ]
        self._parts = tuple(parts)

    def _mark(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return value.tobytes()
        if isinstance(value, bool | int | float | tuple | np.generic):
            return repr(value)
        self._kept.append(value)
        return id(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meaning) and self._parts == other._parts

    def __hash__(self) -> int:
        return hash(self._parts)


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
