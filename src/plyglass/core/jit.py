"""Compile kernels with Numba, if they do not come precompiled with Plyglass.

Nothing imports this module until something must be compiled, because importing Numba takes a
second. `module` compiles the rules of a game; the dispatchers here compile kernels that Python
calls and that are in no library.
"""

from __future__ import annotations

import contextlib
import warnings
import weakref
from collections.abc import Callable, Iterator
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any

from numba.core import config, event, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.errors import (
    NumbaError,
    NumbaExperimentalFeatureWarning,
    UnsupportedBytecodeError,
)
from numba.core.registry import CPUDispatcher, cpu_target

from plyglass.core import intrinsics
from plyglass.core.cache import is_kept, is_typed, say_not_writable
from plyglass.core.compile import Function, Kernel, Meaning, renamed, sources
from plyglass.core.mistakes import explain

INLINED = 360  # kernels with fewer bytes of bytecode are always inlined, because a call costs more
OPTIONS: dict[str, Any] = {"error_model": "numpy", "boundscheck": None}
COMPILER_ERRORS = (NumbaError, UnsupportedBytecodeError, AttributeError, KeyError)

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

_dispatchers: list[Any] = []
_twins: weakref.WeakKeyDictionary[Kernel, dict[str, tuple[Meaning | None, Any]]] = (
    weakref.WeakKeyDictionary()
)
_purpose = "twin"  # what kernels are compiled for at the moment: "twin", or a kind of module


def dispatcher(function: Function) -> Any:
    """A kernel that Python calls through a wrapper, which unpacks Python objects."""
    made = _dispatcher(function, kept=is_kept(sources(function)))
    _dispatchers.append(made)
    return made


def type_of(kernel: Kernel) -> Any:
    """Numba's type of a kernel, for calls from other kernels.

    Other kernels call a twin, which is the same function without a wrapper. Most kernels are called
    only by other kernels, so most wrappers are never compiled. Leaving out these wrappers saves a
    fifth of the compile time.
    """
    return types.Dispatcher(twin_of(kernel))


def twin_of(kernel: Kernel) -> Any:
    """The twin of a kernel, which other kernels call; see `type_of`."""
    # A twin keeps the code with which it was compiled. If a notebook cell that it uses was typed
    # anew, it must be compiled again.
    typed = is_typed(kernel.py_func.__code__.co_filename)
    meaning = Meaning(kernel.py_func) if typed else None
    twins = _twins.setdefault(kernel, {})
    if _purpose not in twins or twins[_purpose][0] != meaning:
        options: dict[str, Any] = {"no_cpython_wrapper": True}
        if _purpose == "uncounted":
            options["_nrt"] = False
        function = renamed(kernel.py_func, _purpose)
        linked = _purpose == "twin"  # Numba links the kernel on its own, and caches it on disk
        made = _dispatcher(function, linked and is_kept(sources(function)), **options)
        if linked:
            _dispatchers.append(made)
        twins[_purpose] = meaning, made
    return twins[_purpose][1]


@contextlib.contextmanager
def compiling_for(purpose: str) -> Iterator[None]:
    """Within the block, compile kernels for a module, instead of letting Numba link each kernel.

    With the purpose "uncounted", arrays are not reference counted, so no kernel in the module can
    allocate memory.
    """
    global _purpose
    before, _purpose = _purpose, purpose
    try:
        yield
    finally:
        _purpose = before


def type_of_intrinsic(name: str) -> Any:
    """The type of an intrinsic for Numba."""
    cpu_target.target_context.refresh()
    return cpu_target.typing_context.resolve_value_type(getattr(intrinsics, name))


def provide_runtime() -> None:
    """Make Numba's runtime known to object code that is loaded afterwards."""
    cpu_target.target_context.refresh()


def counts() -> dict[str, int]:
    """How many kernels Numba has compiled in this process, and how many it has loaded from disk."""
    hits = sum(sum(each.stats.cache_hits.values()) for each in _dispatchers)
    misses = sum(sum(each.stats.cache_misses.values()) for each in _dispatchers)
    return {"compiled": misses, "loaded": hits}


def tell_compiling(told: Callable[[bool], None]) -> None:
    """From now on, call `told(True)` before a kernel is compiled and `told(False)` afterwards."""
    event.register("numba:compile", _Compiling(told))


class _Compiling(event.Listener):  # type: ignore[misc]
    """Tells when Numba compiles; a kernel is compiled within the compilation of its caller."""

    def __init__(self, told: Callable[[bool], None]) -> None:
        self._told, self._depth = told, 0

    def on_start(self, event: Any) -> None:
        self._depth += 1
        if self._depth == 1:
            self._told(True)

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._told(False)


def _dispatcher(function: Function, kept: bool, **options: bool) -> Any:
    inlined = len(function.__code__.co_code) <= INLINED
    settings = {
        "nopython": True,
        "nogil": True,
        "forceinline": inlined,
        "no_cfunc_wrapper": True,
        **OPTIONS,
        **options,
    }
    compiled = Dispatcher(function, targetoptions=settings)
    if kept:
        compiled._cache = KernelCache(function)
    return compiled


class KernelCache(FunctionCache):  # type: ignore[misc]
    """The cache files of a kernel; if they cannot be used, the kernel is compiled in memory."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        names = self._impl
        stamp = names.locator.get_source_stamp()
        self._cache_file = SealedFiles(self._cache_path, names.filename_base, stamp)

    @contextlib.contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            say_not_writable(error.strerror or str(error))


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Cache files of Numba that end with a digest; a damaged file counts as missing."""

    @contextlib.contextmanager
    def _open_for_write(self, path: str) -> Iterator[BytesIO]:
        content = BytesIO()
        with super()._open_for_write(path) as file:
            yield content
            file.write(content.getvalue() + blake2b(content.getvalue()).digest())

    def _load_index(self) -> Any:
        return super()._load_index() if _is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not _is_whole(self._data_path(name)):
            raise FileNotFoundError(name)
        return super()._load_data(name)


def _is_whole(path: str) -> bool:
    """Whether a file exists and ends with the digest of all bytes before the digest."""
    if not Path(path).exists():
        return False
    content, size = Path(path).read_bytes(), blake2b().digest_size
    return blake2b(content[:-size]).digest() == content[-size:]


class Dispatcher(CPUDispatcher):  # type: ignore[misc]
    """A dispatcher of Numba that explains an error in a user's kernel in one sentence."""

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        try:
            return super()._compile_for_args(*args, **kws)
        except COMPILER_ERRORS as error:
            explained = explain(error, self.py_func, "function")
            if explained is None:
                raise
            raise explained from error
