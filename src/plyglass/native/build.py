"""This module builds the libraries that come with Plyglass, and libraries of users' games.

A separate process compiles each library that comes with Plyglass, for all processors in turn. Such
a library is not built again if its functions have not changed since the last build.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import multiprocessing
import os
import platform
import shutil
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import plyglass
from plyglass import games
from plyglass.arena.specs import game_from
from plyglass.core import Game, cache, library
from plyglass.core.compile import plain, sources
from plyglass.lazy import named

TABLED = {
    "plyglass.core.nets.value:net_value": "place",
    "plyglass.planners.representative_moves.classes:few_legal": "legal",
}
# These take longest, so they are built first.
HEAVY = ("kernels", "duelyst", "tubstap", "pandemic", "trading-cards")
DATA = (".json", ".toml", ".txt", ".csv", ".npz")
Told = Callable[[str], None]
Build = Callable[[str], dict[str, Any]]


def processors() -> tuple[str, ...]:
    """The processors for which libraries are built: those of a wheel, or one that a user names.

    The environment variable PLYGLASS_BUILD_FOR names a single processor. "host" is this machine's
    processor.
    """
    wanted = os.environ.get("PLYGLASS_BUILD_FOR", "")
    if wanted:
        return (_host() if wanted == "host" else wanted,)
    return ("x86-64-v2", "x86-64-v3") if platform.machine() in ("x86_64", "AMD64") else ("generic",)


def build_all(told: Told, jobs: int, again: bool = False, build: Build | None = None) -> int:
    """Build every library that is missing or out of date; return how many were built.

    Finished libraries are kept if another library fails or the command is stopped. `build` replaces
    `build_library`, so a caller can observe the builds.
    """
    build_caller()
    # Numba tries many overloads that fail, and colours an error message for each
    os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
    old = {} if again else _built()
    parts = {name: now for name, part in old.items() if (now := _current(name, part))}
    names = [name for name in _names() if name not in parts]
    # one process per library frees its memory, and no library depends on another library's types
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, max_tasks_per_child=1) as pool:
        running = {pool.submit(build or build_library, name): name for name in names}
        for number, future in enumerate(as_completed(running), start=1):
            name = running[future]
            try:
                parts[name] = future.result()
            except Exception:
                pool.shutdown(cancel_futures=True)
                raise
            _write("build.json", {"tools": _tools(), "parts": parts})
            told(f"{number} of {len(names)}: {name}, {parts[name]['seconds']:.1f} CPU s")
    _write("manifest.json", _manifest(parts))
    return len(names)


def build_game(game: Game, path: Path, processor: str) -> None:
    """Write a shared library with all functions of a game, as `plyglass.h` describes them.

    `processor` is a processor's name in LLVM; "" means this machine's processor.
    """
    from plyglass.core import module

    made = module.of_roots(game.name, game.functions.roots, game.layout)
    _link(made, processor, path, game.name)


def build_caller() -> None:
    """Compile `_call.c`, unless it is already compiled."""
    source = cache.PACKAGE / "core/_call.c"
    target = cache.PACKAGE / "core/_call.abi3.so"
    if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
        return
    folders = [f"-I{sysconfig.get_path('include')}", f"-I{np.get_include()}"]
    _run([*_compiler(), "-O2", "-shared", "-fPIC", *folders, str(source), "-o", str(target)])


def _host() -> str:
    importlib.invalidate_caches()  # the extension may have just been built
    return str(importlib.import_module("plyglass.core._call").processor())


def _names() -> list[str]:
    found = [library.KERNELS, *games.names()]
    return sorted(found, key=lambda name: HEAVY.index(name) if name in HEAVY else len(HEAVY))


def build_library(name: str) -> dict[str, Any]:
    """Compile one library in this process, for all processors; return the library's description."""
    gc.disable()  # a compiler keeps most objects, so garbage collection would waste time
    made = _kernels_module() if name == library.KERNELS else _game_module(name)
    about = {**_described(name), "digests": {}}
    for processor in processors():
        path = library.FOLDER / processor / f"{name}.so"
        _link(made, processor, path, name)
        about["digests"][processor] = library.digest(path.read_bytes())
    about["seconds"] = time.process_time()
    return about


def _game_module(name: str) -> Any:
    from plyglass.core import module

    game = game_from(name)
    return module.of_roots(game.name, game.functions.roots, game.layout)


def _kernels_module() -> Any:
    from numba import types

    from plyglass.core import module
    from plyglass.core.table import Addresses

    made = module.Module(library.KERNELS)
    for name, entry in _entries().items():
        made.add(library.symbol_of(name), entry.function, types.void(types.int64))
    for name, shape in TABLED.items():
        function = plain(named(name))
        made.add(library.symbol_of(name), function, Addresses().numba_signature(shape))
    return made.finish()


def _entries() -> dict[str, Any]:
    from plyglass.native import signatures
    from plyglass.native.entries import Entry

    return {
        name: Entry(named(name), known["takes"], known["gives"])
        for name, known in signatures.recorded().items()
    }


# -- what a library is made of


def _described(name: str) -> dict[str, Any]:
    """The description of a library before it is compiled, without digests and build time."""
    return _described_kernels() if name == library.KERNELS else _described_game(name)


def _described_game(name: str) -> dict[str, Any]:
    game = game_from(name)
    kind = type(game)
    files = {file for _, each in game.functions.roots.values() for file in sources(each)}
    return {
        "owner": f"{kind.__module__}:{kind.__qualname__}",
        "identity": game.functions.identity(game.layout),
        "meaning": library.meaning_of_roots(game.functions.roots, game.layout).digest,
        "sources": _sources(files) | _data_beside(Path(inspect.getfile(kind))),
    }


def _described_kernels() -> dict[str, Any]:
    entries, addresses = {}, {}
    for name, entry in _entries().items():
        block = {each: getattr(entry, each) for each in ("takes", "gives", "arguments", "dtypes")}
        entries[name] = {**block, **_described_kernel(name, entry.dtypes)}
    for name in TABLED:
        addresses[name] = _described_kernel(name, ())
    parts = [*entries.values(), *addresses.values()]
    used = [Path(__file__).with_name(each) for each in ("entries.py", "signatures.json")]
    files = {_relative(str(each)): library.digest(each.read_bytes()) for each in used}
    meanings = [part["meaning"] for part in parts]
    return {
        "entries": entries,
        "addresses": addresses,
        "meaning": library.digest(repr((files, meanings)).encode()) if all(meanings) else None,
        "sources": files | {file: wanted for p in parts for file, wanted in p["sources"].items()},
    }


def _described_kernel(name: str, dtypes: Iterable[str]) -> dict[str, Any]:
    kernel = named(name)
    return {
        "meaning": library.meaning_of_kernel(kernel, dtypes).digest,
        "sources": _sources(sources(kernel)),
    }


def _sources(files: Iterable[str]) -> dict[str, str]:
    """The digests of files, of everything that these import, and of the modules that compile."""
    whole = {each for file in files for each in cache.closure(os.path.realpath(file))}
    whole |= {str(cache.PACKAGE / tool) for tool in library.TOOLS}
    return {_relative(each): library.digest(Path(each).read_bytes()) for each in sorted(whole)}


def _data_beside(module: Path) -> dict[str, str]:
    """The digests of the data in a game's folder, because compiled rules may contain this data."""
    if module.name != "__init__.py":
        return {}
    files = [each for each in sorted(module.parent.rglob("*")) if each.suffix in DATA]
    return {_relative(str(each)): library.digest(each.read_bytes()) for each in files}


def _relative(file: str) -> str:
    return Path(file).relative_to(cache.PACKAGE).as_posix()


def _link(made: Any, processor: str, path: Path, name: str) -> None:
    from plyglass.core import module

    chosen = (processor,) if processor else library.host()
    code, foreign = module.object_code(made, *chosen)
    if foreign:
        raise TypeError(
            f"{name} needs Python at run time ({', '.join(foreign)}), so it cannot be a library. "
            "Most likely one of its functions allocates an array. Let the caller pass the array, "
            "or use `stack_ints` and `stack_reals`."
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        objects = Path(folder) / "code.o"
        objects.write_bytes(code)
        linked = Path(folder) / "code.so"
        _run([*_compiler(), "-shared", "-s", str(objects), "-lm", "-o", str(linked)])
        linked.replace(path)


def _compiler() -> Sequence[str]:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise OSError(
            "No C compiler was found to link the libraries. Install gcc or clang, or name a "
            "compiler in the environment variable CC."
        )
    return (compiler,)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)} failed:\n{done.stderr}")


# -- what was built, and the manifest


def _built() -> dict[str, Any]:
    """The libraries that were built with the present versions of all tools, by name."""
    try:
        found = json.loads((library.FOLDER / "build.json").read_text())
    except (OSError, ValueError):
        return {}
    return dict(found["parts"]) if found["tools"] == _tools() else {}


def _current(name: str, part: dict[str, Any]) -> dict[str, Any] | None:
    """The description of a library that is up to date; None if the library must be built.

    If its sources have changed, a library is still up to date as long as its functions do the same.
    """
    made = {f"native/{each}/{name}.so": wanted for each, wanted in part["digests"].items()}
    if not part["digests"].keys() >= set(processors()) or not _unchanged(made):
        return None
    if _unchanged(part["sources"]):
        return part
    now = _described(name)
    same = now["meaning"] is not None and now["meaning"] == part.get("meaning")
    return {**part, **now} if same else None


def _unchanged(files: dict[str, str]) -> bool:
    paths = {cache.PACKAGE / file: wanted for file, wanted in files.items()}
    return all(
        path.exists() and library.digest(path.read_bytes()) == wanted
        for path, wanted in paths.items()
    )


def _tools() -> list[str]:
    """The versions of all tools that turn sources into libraries."""
    digests = [library.digest((cache.PACKAGE / tool).read_bytes()) for tool in library.TOOLS]
    return [*(version(each) for each in ("numba", "llvmlite")), *digests]


def _manifest(parts: dict[str, Any]) -> dict[str, Any]:
    """The manifest that `core.library` reads, in which each source is named once."""
    files = sorted({item for part in parts.values() for item in part["sources"].items()})
    number = {file: at for at, (file, _) in enumerate(files)}
    kernels = parts[library.KERNELS]
    built = sorted(set.intersection(*(set(part["digests"]) for part in parts.values())))

    def numbered(about: dict[str, Any]) -> dict[str, Any]:
        kept = {name: value for name, value in about.items() if name not in ("digests", "seconds")}
        return {**kept, "sources": [number[file] for file in about["sources"]]}

    return {
        "version": plyglass.__version__,
        "processors": built,
        "digests": {
            each: {name: part["digests"][each] for name, part in parts.items()} for each in built
        },
        "sources": files,
        "tools": [number[tool] for tool in library.TOOLS],
        "games": {name: numbered(parts[name]) for name in games.names()},
        "entries": {name: numbered(each) for name, each in kernels["entries"].items()},
        "addresses": {name: numbered(each) for name, each in kernels["addresses"].items()},
    }


def _write(name: str, content: Any) -> None:
    path = library.FOLDER / name
    path.with_suffix(".new").write_text(json.dumps(content))
    path.with_suffix(".new").replace(path)
