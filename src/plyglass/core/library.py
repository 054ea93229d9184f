"""Native libraries: machine code of games and kernels, compiled before it is needed.

The folder `native` comes with Plyglass. It holds a library for each game, and a library of the
kernels that Python calls. For each library, a manifest lists digests of its sources, and of what
its functions do. In a checkout, sources may change. A library is used as long as its sources are
unchanged. If a source has changed, the library is still used if its functions do the same as
before. If a game has no usable library, `module` compiles its rules once, and the cache keeps their
object code.

Importing Numba takes a second. Numba is imported only if something has to be compiled, or if object
code from the cache calls Numba's runtime. `PLYGLASS_PROCESSOR` selects the libraries for a
processor other than this machine's, such as x86-64-v2. `PLYGLASS_PROCESSOR=none` turns off the
libraries that came with Plyglass.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import importlib
import json
import logging
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyglass.core import cache
from plyglass.core.compile import CHECKED, JIT, Function, Kernel, Meaning, plain
from plyglass.lazy import named

FOLDER = cache.PACKAGE / "native"
KERNELS = "kernels"  # the name of the library with the kernels that Python calls
SEAL = b"plyglass object 1\n"
TOOLS = tuple(  # modules on whose versions the machine code of every function depends
    f"core/{name}.py" for name in ("module", "inference", "jit", "intrinsics")
)
Addresses = Callable[[str], int]
Root = tuple[str, Function]  # the shape of a function in `table.SIGNATURES`, and the function

SECONDS = "seconds"  # the folder in the cache with the times that games took to compile


class Step(NamedTuple):
    """A step of compiling a game.

    Attributes:
        game: the name of the game.
        done, total: the number of finished steps, and the number of all steps. The last step makes
            the machine code of all functions.
        name: the function that is being compiled; "machine code" in the last step, and "" after it.
        last: the seconds that the previous compilation of the game took; 0 if unknown.
    """

    game: str
    done: int
    total: int
    name: str
    last: float


log = logging.getLogger("plyglass")
_followers: list[Callable[[Step], None]] = []
_counts: Counter[str] = Counter()
_modules: dict[Meaning, Addresses] = {}  # compiled or loaded in this process
_engines: list[Any] = []  # the owners of the machine code


def counts() -> dict[str, int]:
    """How many functions of libraries this process has compiled, and how many it has loaded."""
    return {"compiled": _counts["compiled"], "loaded": _counts["loaded"]}


@contextlib.contextmanager
def followed_by(follower: Callable[[Step], None]) -> Iterator[None]:
    """Within the block, call `follower` before every step of compiling a game, and at the end."""
    _followers.append(follower)
    try:
        yield
    finally:
        _followers.remove(follower)


# -- libraries that came with Plyglass


def bundled(
    name: str, owner: str, identity: str, meaning: Callable[[], Meaning]
) -> Addresses | None:
    """The library that came with Plyglass for a game; None if no library fits these rules.

    `owner` names the module and the class of the game. `identity` is a digest of the game's records
    and of where its rules are defined. `meaning` returns what the rules do; `meaning` is called
    only if a source has changed.
    """
    found = _manifest()["games"].get(name)
    if found is None or found["owner"] != owner:
        return None
    same_sources = found["identity"] == identity and _unchanged(found["sources"])
    if same_sources or _means_the_same(found, meaning):
        return _open(name)
    log.info("%s differs from its compiled library, so it is compiled again", name)
    return None


def entry(kernel: Kernel) -> Function | None:
    """The Python function that calls a kernel's machine code; None if it is not precompiled."""
    about, address = _find("entries", kernel)
    if address is None:
        return None

    def compiled_for_other_types(*arguments: Any) -> Any:
        return kernel.dispatcher(*arguments)

    _counts["loaded"] += 1
    made: Function = _caller().make(
        address,
        about["takes"],
        about["arguments"],
        about["gives"],
        tuple(map(dtype_of, about["dtypes"])),
        compiled_for_other_types,
    )
    return made


def bundled_address(kernel: Function) -> int | None:
    """The address of a kernel for use in a table; None if the kernel is not precompiled."""
    return _find("addresses", kernel)[1]


def _find(section: str, kernel: Function) -> tuple[dict[str, Any], int | None]:
    """The manifest's entry for a kernel, and the address of the kernel's machine code or None."""
    name = label_of(kernel)
    about = _manifest()[section].get(name, {})
    if about and not _unchanged(about["sources"]):
        dtypes = about.get("dtypes", ())
        if not _means_the_same(about, lambda: meaning_of_kernel(kernel, dtypes)):
            log.info("%s differs from its compiled library, so it is compiled again", name)
            about = {}
    addresses = _open(KERNELS) if about else None
    return about, None if addresses is None else addresses(symbol_of(name))


def meaning_of_kernel(kernel: Function, dtypes: Iterable[str]) -> Meaning:
    """The meaning of a kernel with arguments of these dtypes."""
    return Meaning(kernel, about=repr([dtype_of(each) for each in dtypes]))


def _means_the_same(about: dict[str, Any], meaning: Callable[[], Meaning]) -> bool:
    """Whether functions still do what they did when their library was built."""
    wanted = about.get("meaning")  # libraries in a checkout may be older than this entry
    return bool(wanted) and _unchanged(_manifest()["tools"]) and meaning().digest == wanted


def label_of(function: Function) -> str:
    """The module and the name of a function, in the form that manifests use."""
    return f"{plain(function).__module__}:{plain(function).__name__}"


def symbol_of(label: str) -> str:
    """The C name of a function that has this label."""
    return "".join(letter if letter.isalnum() else "_" for letter in label)


def dtype_of(text: str) -> np.dtype[Any]:
    """The dtype of a name such as `uint8`, or of a reference to a dtype in a module."""
    return named(text) if ":" in text else np.dtype(text)


@functools.cache
def _manifest() -> dict[str, Any]:
    """The manifest of the libraries that this process can use; empty if there are none."""
    empty: dict[str, Any] = {"games": {}, "entries": {}, "addresses": {}}
    if not JIT or CHECKED or not processor():
        return empty
    try:
        manifest = json.loads((FOLDER / "manifest.json").read_text())
    except (OSError, ValueError):
        return empty
    return manifest if processor() in manifest["processors"] else empty


@functools.cache
def processor() -> str:
    """The processor whose libraries this process uses; "" if it uses no libraries."""
    wanted = os.environ.get("PLYGLASS_PROCESSOR", "")
    if _caller() is None:
        return ""
    return {"": str(_caller().processor()), "none": ""}.get(wanted, wanted)


@functools.cache
def _caller() -> Any:
    """The module that calls machine code; None in a wheel without machine code."""
    try:
        return importlib.import_module("plyglass.core._call")
    except ImportError:
        return None


@functools.cache
def _open(name: str) -> Addresses | None:
    path = FOLDER / processor() / f"{name}.so"
    try:
        if digest(path.read_bytes()) != _manifest()["digests"][processor()][name]:
            log.warning("%s is damaged, so %s is compiled again", path, name)
            return None
        library = ctypes.CDLL(str(path))
    except (OSError, KeyError) as error:
        log.warning("%s cannot be used (%s), so %s is compiled again", path, error, name)
        return None
    return lambda symbol: ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0


def _unchanged(numbers: Iterable[int]) -> bool:
    return all(map(_is_unchanged, numbers))


@functools.cache
def _is_unchanged(number: int) -> bool:
    file, wanted = _manifest()["sources"][number]
    try:
        return bool(digest((cache.PACKAGE / file).read_bytes()) == wanted)
    except OSError:
        return False


def digest(text: bytes) -> str:
    """The digest with which manifests and cache files identify their sources."""
    return hashlib.blake2b(text, digest_size=10).hexdigest()


# -- libraries that are compiled here


def compiled(name: str, roots: Mapping[str, Root], layout: Any) -> Addresses:
    """The machine code of a game's functions: from the cache, or compiled now.

    Machine code is never freed, so variants of a game share it.
    """
    meaning = meaning_of_roots(roots, layout)
    if meaning not in _modules:
        path = _place(name, meaning.digest)
        _modules[meaning] = _load_kept(path, len(roots)) or _compile(name, roots, layout, path)
    return _modules[meaning]


def meaning_of_roots(roots: Mapping[str, Root], layout: Any) -> Meaning:
    """The meaning of a game's functions, given its records."""
    shapes = [(name, shape) for name, (shape, _) in roots.items()]
    about = repr((shapes, layout.description))
    return Meaning(*(function for _, function in roots.values()), about=about)


def _place(name: str, meaning: str | None) -> Path | None:
    """The cache file for object code of this meaning; None if the code is not kept on disk."""
    top = cache.root()
    if top is None or meaning is None:
        return None
    compiler = [(cache.PACKAGE / each).read_bytes() for each in TOOLS]
    key = repr((meaning, host(), cache.settings(), compiler))
    return top / f"game-{digest(key.encode())}" / f"{name}.o"


def _compile(name: str, roots: Mapping[str, Root], layout: Any, path: Path | None) -> Addresses:
    from plyglass.core import module as modules

    began, last = time.monotonic(), _last_seconds(name)

    def tell(done: int, what: str) -> None:
        for follower in _followers:
            follower(Step(name, done, len(roots) + 1, what, last))

    made = modules.of_roots(name, roots, layout, tell)
    tell(len(roots), "machine code")
    code, foreign = modules.object_code(made, *host())
    tell(len(roots) + 1, "")
    _counts["compiled"] += len(roots)
    _keep_seconds(name, time.monotonic() - began)
    if path is not None:
        keep(path, bytes([bool(foreign)]) + code)
    return _load(code)


def _last_seconds(name: str) -> float:
    """The seconds that the previous compilation of a game took; 0 if unknown."""
    top = cache.root()
    try:
        return float((top / SECONDS / name).read_text()) if top else 0.0
    except (OSError, ValueError):
        return 0.0


def _keep_seconds(name: str, seconds: float) -> None:
    top = cache.root()
    if top is not None:
        with contextlib.suppress(OSError):  # the times are only for a progress bar
            cache.make_private(top / SECONDS)
            (top / SECONDS / name).write_text(f"{seconds:.1f}")


def _load_kept(path: Path | None, count: int) -> Addresses | None:
    content = None if path is None else kept(path)
    if content is None:
        return None
    if content[0]:  # the code calls the runtime of Numba
        importlib.import_module("plyglass.core.jit").provide_runtime()
    _counts["loaded"] += count
    return _load(content[1:])


def _load(code: bytes) -> Addresses:
    """Load object code into this process, where the code stays until the process ends."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=0, jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(f'target triple = "{triple}"'), machine)
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return lambda symbol: int(engine.get_function_address(symbol))


@functools.cache
def host() -> tuple[str, str]:
    """The name and the features of this machine's processor, as LLVM names them."""
    import llvmlite.binding as llvm

    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def keep(path: Path, content: bytes) -> None:
    """Write a cache file completely or not at all; if this is impossible, warn once."""
    try:
        cache.make_private(path.parent)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            try:
                file.write(SEAL + hashlib.blake2b(content).digest() + content)
                file.flush()
            except OSError:  # the disk is full
                Path(file.name).unlink()
                raise
        Path(file.name).replace(path)
    except OSError as error:
        log.info("%s cannot be kept: %s", path, error)
        cache.say_not_writable(error.strerror or str(error))


def kept(path: Path) -> bytes | None:
    """The content of a cache file; None if the file is missing or damaged."""
    try:
        whole = path.read_bytes()
    except OSError:
        return None
    checksum, content = whole[len(SEAL) : len(SEAL) + 64], whole[len(SEAL) + 64 :]
    if not whole.startswith(SEAL) or hashlib.blake2b(content).digest() != checksum:
        log.warning("%s is damaged, so its code is compiled again", path)
        return None
    return content
