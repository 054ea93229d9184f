"""A pytest plugin that collects tests once, and tries each test on the faults that it reaches.

Importing Plyglass and collecting tests takes longer than most tests, so both happen once. A fork
runs one test with a marker at every fault that has no result yet. For each fault whose marker the
test reached, another fork plants the fault and runs the test again.

To plant a fault in functions that exist already, the plugin gives these functions another
`__code__`. The file on disk changes too, for the processes that a test starts.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import json
import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from _pytest.runner import runtestprotocol
from mutations import Mutant

MOST_BYTES = 8 << 30
LONGEST_WAIT = 400.0  # seconds by the clock, for a test that waits and does not compute


@dataclass
class Fault:
    """A fault that has no result yet."""

    number: int
    mutant: Mutant
    tests: int = 0
    seconds: float = 0.0  # CPU seconds of the tests that did not notice, without the fault
    by: str = ""


@dataclass(frozen=True)
class Limits:
    """Limits of CPU seconds.

    Attributes:
        test: a test that takes longer without a fault is not tried.
        fault: the limit of all tests for one fault together.
        slower, spare: with a fault, a test may take `slower` times its usual seconds, plus `spare`.
    """

    test: float
    fault: float
    slower: float = 3.0
    spare: float = 2.0


class TooLong(Exception):
    """A test has used its CPU time."""


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong


@dataclass(eq=False)
class Trial:
    """The plugin.

    Attributes:
        top: the copy of the tree; functions of its files are changed.
        faults: what to plant.
        limits: when to give up.
        notes: a file that keeps, for the next run, which faults each test reached.
        say: called with each fault that a test noticed, and in the end with each other fault.
    """

    top: Path
    faults: list[Fault]
    limits: Limits
    notes: Path
    say: Callable[[Fault], None]
    _functions: dict[str, list[FunctionType]] = field(default_factory=dict)

    def pytest_runtestloop(self, session: Any) -> bool:
        self._functions = self._functions_by_file()
        known = self._known()
        seconds = {
            each: known.get(_key(each), {"seconds": 0.5})["seconds"] for each in session.items
        }
        gc.freeze()  # forks share what exists
        for item in sorted(session.items, key=seconds.__getitem__):
            alive = self._alive()
            if not alive:
                break
            note = known.get(_key(item))
            if note is None or not set(note["asked"]) >= {_name(each) for each in alive}:
                note = self._reached(item, alive)
            for fault in alive:
                if note["passed"] and _name(fault) in note["reached"]:
                    self._try(item, fault, note["seconds"])
        for fault in self.faults:
            if not fault.by:
                self.say(fault)
        return True

    def _alive(self) -> list[Fault]:
        return [each for each in self.faults if not each.by and each.seconds < self.limits.fault]

    def _known(self) -> dict[str, dict[str, Any]]:
        lines = self.notes.read_text().splitlines() if self.notes.is_file() else []
        return {each["key"]: each for each in map(json.loads, lines)}

    def _functions_by_file(self) -> dict[str, list[FunctionType]]:
        """All functions that exist, by the file they come from."""
        found: dict[str, list[FunctionType]] = {each.mutant.path: [] for each in self.faults}
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                path = each.__code__.co_filename.removeprefix(f"{self.top}/")
                if path in found:
                    found[path].append(each)
        return found

    def _reached(self, item: Any, alive: list[Fault]) -> dict[str, Any]:
        """Run a test without a fault: whether it passes, and which faults it reaches."""

        def run() -> dict[str, Any]:
            builtins.faults_reached = set()  # type: ignore[attr-defined]
            for path in {each.mutant.path for each in alive}:
                here = [each for each in alive if each.mutant.path == path]
                tree = ast.parse((self.top / path).read_bytes())
                for each in here:
                    _note_at(tree, each)
                ast.fix_missing_locations(tree)
                self._replace(path, compile(tree, str(self.top / path), "exec"))
            began = time.process_time()
            outcomes = _outcomes(item, self.limits.test)
            return {
                "seconds": round(time.process_time() - began, 3),
                "passed": outcomes == {"passed"},
                "reached": sorted(builtins.faults_reached),  # type: ignore[attr-defined]
            }

        note = in_fork(run, self.limits.test) or {"seconds": 99.0, "passed": False, "reached": []}
        note |= {"key": _key(item), "asked": [_name(each) for each in alive]}
        with self.notes.open("a") as notes:
            notes.write(json.dumps(note) + "\n")
        return note

    def _try(self, item: Any, fault: Fault, seconds: float) -> None:
        """Run a test with a fault."""
        place = self.top / fault.mutant.path
        source, times = place.read_bytes(), place.stat()
        limit = self.limits.slower * seconds + self.limits.spare

        def run() -> dict[str, Any]:
            changed = fault.mutant.apply(source)
            self._replace(fault.mutant.path, compile(changed, str(place), "exec"))
            return {"failed": "failed" in _outcomes(item, limit)}

        changed_now = self.top / "changed"
        changed_now.write_text(fault.mutant.path)
        place.write_bytes(fault.mutant.apply(source))
        try:
            found = in_fork(run, limit)
        finally:
            place.write_bytes(source)
            os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
            changed_now.unlink()
        fault.tests += 1
        fault.seconds += seconds
        if found is None or found["failed"]:
            fault.by = item.nodeid
            self.say(fault)

    def _replace(self, path: str, module: CodeType) -> None:
        """Give the functions of a file the code that they have in a changed version of it."""
        codes = {_place(each): each for each in _all_codes(module)}
        for each in self._functions[path]:
            code = codes.get(_place(each.__code__))
            if code is not None and code.co_freevars == each.__code__.co_freevars:
                each.__code__ = code


def in_fork(work: Callable[[], dict[str, Any]], seconds: float) -> dict[str, Any] | None:
    """What `work` returns in a fork; None if the fork dies or does not end."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            most = int(2 * seconds) + 20
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            os.write(write, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(write)
    until = time.monotonic() + LONGEST_WAIT
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # what the test started and left
    os.set_blocking(read, False)
    try:
        text = os.read(read, 1 << 20)
    except BlockingIOError:
        text = b""
    os.close(read)
    return json.loads(text) if text else None


def _outcomes(item: Any, seconds: float) -> set[str]:
    """The outcomes of a test's phases; a test that takes more CPU seconds fails."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1.0)
    try:
        reports = runtestprotocol(item, log=False, nextitem=None)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return {each.outcome for each in reports}


def _note_at(tree: ast.Module, fault: Fault) -> None:
    """Put a marker before the innermost statement that contains a fault."""
    best: tuple[list[ast.stmt], ast.stmt] | None = None
    for node in ast.walk(tree):
        for _, body in ast.iter_fields(node):
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                for each in body:
                    if each.lineno <= fault.mutant.line <= (each.end_lineno or 0):
                        best = body, each  # the walk goes from the outside to the inside
    assert best is not None
    body, statement = best
    note = ast.parse(f"faults_reached.add({_name(fault)!r})").body[0]
    for each in ast.walk(note):
        if hasattr(each, "lineno"):
            each.lineno = each.end_lineno = statement.lineno
    body.insert(body.index(statement), note)


def _all_codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _all_codes(each)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _name(fault: Fault) -> str:
    """A name of a fault by its place in the source, without its number."""
    return f"{fault.mutant.path}:{fault.mutant.begin}"


def _key(item: Any) -> str:
    """A test, and the text of its file."""
    return f"{item.nodeid} {blake2b(item.path.read_bytes(), digest_size=6).hexdigest()}"
