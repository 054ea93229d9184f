"""The cache of compiled code, and why code in this cache is never stale.

Numba identifies a cached function by the text of its own file only. If the function calls a
function in another file, and that file changes, Numba silently loads the old machine code. So each
cache directory here is named after a digest of *all* sources that the function's module imports,
directly or indirectly. Only the sources of other installed libraries are left out. An edit leads to
a new directory. Undoing the edit leads back to the old directory, which is still filled.

A kernel that is typed into a notebook or an interpreter is not cached on disk. Notebook cells
change one by one and share their names, so no digest of a file identifies a kernel. `library`
caches the rules of a game by what their code does, even if a notebook defines the rules.

The cache files are pickles, so the directory belongs to its user alone (mode 0700).
`PLYGLASS_CACHE` names another directory, and `PLYGLASS_CACHE=0` turns the disk cache off.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import linecache
import os
import shutil
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]


def _library_folders() -> tuple[str, ...]:
    """The folders of installed libraries: those of the interpreter, and others on `sys.path`.

    A tool that builds a wheel puts the libraries that it needs in a folder of its own.
    """
    own = [sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")]
    others = [each for each in sys.path if Path(each).name in ("site-packages", "dist-packages")]
    return tuple({str(Path(each).resolve()) + os.sep for each in (*own, *others)})


LIBRARIES = _library_folders()


def root() -> Path | None:
    """The directory that holds all cache directories, or None if caching is off."""
    setting = os.environ.get("PLYGLASS_CACHE", "")
    if setting == "0":
        return None
    if setting:
        return Path(setting).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    return Path(base).expanduser() / "plyglass"


def directory_for(sources: Iterable[str]) -> Path | None:
    """The cache directory for code of these source files; None if such code is not kept on disk."""
    top = root()
    if top is None or not is_kept(sources):
        return None
    files = tuple(
        sorted({file for source in sources for file in closure(os.path.realpath(source))})
    )
    owner = Path(next(iter(sources)))
    label = owner.parent.name if owner.stem in ("rules", "__init__") else owner.stem
    return top / f"{label}-{_digest(files)}"


def is_kept(sources: Iterable[str]) -> bool:
    """Whether code of these sources is kept on disk."""
    return root() is not None and not any(map(is_typed, sources))


@functools.cache
def is_typed(file: str) -> bool:
    """Whether code with this file name was typed into a notebook cell or an interpreter."""
    # a debugger writes notebook cells to files, which still count as cells
    return not Path(file).is_file() or Path(file).parent.name.startswith("ipykernel_")


def source_text(file: str) -> bytes | None:
    """The source of a file or a notebook cell; None if the interpreter did not keep the source.

    Interpreters that keep the source, such as IPython, store it where tracebacks look for it.
    """
    if Path(file).is_file():
        return Path(file).read_bytes()
    return "".join(linecache.getlines(file)).encode() or None


def clear() -> tuple[int, int]:
    """Delete all cached files, and return the numbers (files, bytes) removed."""
    files, size = usage()
    top = root()
    if top is not None and top.is_dir():
        shutil.rmtree(top)
    return files, size


def usage() -> tuple[int, int]:
    """The numbers (files, bytes) in the cache now."""
    top = root()
    if top is None or not top.is_dir():
        return 0, 0
    sizes = [path.stat().st_size for path in top.rglob("*") if path.is_file()]
    return len(sizes), sum(sizes)


class SourceLocator:
    """Tells Numba where Plyglass caches kernels; for other functions, Numba itself decides."""

    def __init__(self, function: Any, directory: Path) -> None:
        self._directory = directory
        self._line = function.__code__.co_firstlineno
        self._py_file = function.__code__.co_filename

    @classmethod
    def from_function(cls, function: Any, file: str) -> SourceLocator | None:
        sources = getattr(function, "__plyglass_sources__", None)
        directory = directory_for(sources) if sources else None
        if directory is None:
            return None
        with contextlib.suppress(OSError):  # Numba makes the folder again before it writes
            make_private(directory)
        return cls(function, directory)

    def ensure_cache_path(self) -> None:
        make_private(self._directory)

    def get_cache_path(self) -> str:
        return str(self._directory)

    def get_source_stamp(self) -> str:
        return self._directory.name

    def get_disambiguator(self) -> str:
        return str(self._line)


class CacheNotWritable(UserWarning):
    """Compiled code cannot be kept on disk."""


def say_not_writable(problem: str) -> None:
    """Warn, once per directory, that compiled code cannot be kept there and stays in memory."""
    if (top := root()) not in _told:
        _told.add(top)
        warnings.warn(
            f"Compiled code cannot be kept in {top} ({problem}), so it is compiled again in every "
            "process. Set PLYGLASS_CACHE to a folder that Plyglass can write to.",
            CacheNotWritable,
            stacklevel=2,
        )


_told: set[Path | None] = set()


@functools.cache
def make_private(directory: Path) -> None:
    directory.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    directory.mkdir(exist_ok=True, mode=0o700)


@functools.cache
def _digest(files: tuple[str, ...]) -> str:
    seal = hashlib.blake2b(digest_size=10)
    seal.update(repr(settings()).encode())
    for file in files:
        seal.update(_name(file).encode())
        seal.update(Path(file).read_bytes())
    return seal.hexdigest()


@functools.cache
def settings() -> tuple[str | None, ...]:
    """The versions and switches on which the machine code of a source depends."""
    from importlib.metadata import version  # slow to import, and only compiling needs it

    switches = [os.environ.get(name) for name in ("NUMBA_BOUNDSCHECK", "NUMBA_OPT")]
    return version("numba"), sys.version, *switches


def _name(file: str) -> str:
    """The path of a file within Plyglass, or the name of any other file.

    Compiled code refers to modules by name, so it cannot be loaded under another name.
    """
    return os.path.relpath(file, PACKAGE) if file.startswith(str(PACKAGE)) else Path(file).name


@functools.cache
def closure(file: str) -> frozenset[str]:
    """`file` and all sources that it imports, also indirectly, except installed libraries."""
    found: set[str] = set()
    open_files = [file]
    while open_files:
        here = open_files.pop()
        if here not in found:
            found.add(here)
            open_files.extend(_imports(here))
    return frozenset(found)


@functools.cache
def _imports(file: str) -> tuple[str, ...]:
    tree = ast.parse(Path(file).read_bytes())
    names = [name for node in ast.walk(tree) for name in _imported_names(node, file)]
    return tuple(sorted({found for name in names if (found := _source_of(name, file)) is not None}))


def _imported_names(node: ast.AST, file: str) -> Iterator[str]:
    """Yield every module that a statement may import; `from a import b` may import module a.b."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        prefix = _package_of(file, node.level) if node.level else ""
        base = ".".join(part for part in (prefix, node.module) if part)
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)


def _package_of(file: str, level: int) -> str:
    """The package to which `level` leading dots of an import in `file` refer."""
    for name, module in list(sys.modules.items()):
        if os.path.realpath(getattr(module, "__file__", None) or "") == file:
            package = name if file.endswith("__init__.py") else name.rpartition(".")[0]
            return package.rsplit(".", level - 1)[0]
    return ""


def _source_of(module: str, importer: str) -> str | None:
    """The source of a module that the file `importer` imports; None if the cache ignores it.

    The cache ignores built-in and compiled modules, and modules of other installed libraries.
    """
    # A game imports only kernels of the core from `plyglass` itself, so the core is a source.
    name = "plyglass.core" if module == "plyglass" else module
    file = getattr(sys.modules.get(name), "__file__", None) or _own_file(name)
    if file is None or not file.endswith(".py"):
        return None
    path = os.path.realpath(file)
    watched = path.startswith(str(PACKAGE)) or not path.startswith(LIBRARIES)
    return path if watched or _library(path) == _library(importer) else None


def _own_file(module: str) -> str | None:
    """The file of a module of Plyglass, whether the module is loaded or not.

    Some modules are loaded only when something must be compiled. The name of a cache directory must
    not depend on which modules are loaded.
    """
    first, *others = module.split(".")
    path = PACKAGE.joinpath(*others)
    files = path.with_name(f"{path.name}.py"), path / "__init__.py"
    found = [str(file) for file in files if file.is_file()]
    return found[0] if first == "plyglass" and others and found else None


def _library(path: str) -> str | None:
    """The installed library that contains a file: the first folder or file below `LIBRARIES`."""
    folders = [folder for folder in LIBRARIES if path.startswith(folder)]
    return path[len(max(folders, key=len)) :].partition(os.sep)[0] if folders else None
