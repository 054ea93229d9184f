"""Measure which lines of kernels and rules Numba compiles, with Numba's own coverage support.

    python measurements/compiled_lines.py FOLDER

Builds the native libraries that are out of date, as `plyglass build` does, notes in FOLDER which
lines of each library were compiled, and prints how many lines of kernels are in some library.

Numba compiles a function as a whole. So a missing line is in a kernel that nothing calls, or in a
branch that Numba has pruned. Numba itself reports the compiled lines, which costs no time. A tracer
would slow down the compiler.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType
from typing import Any

os.environ["NUMBA_JIT_COVERAGE"] = "1"

import numba.misc.coverage_support as support
from numba.core.ir import Loc

from plyglass.native.build import build_all, build_library

TOP = Path(__file__).resolve().parents[1] / "src" / "plyglass"
FOLDER = "PLYGLASS_COMPILED_LINES"  # the environment variable that tells processes where to write
SHOWN = 10  # names of kernels that nothing compiled
MARKS = ("kernel",)  # decorators of what is compiled; rules are compiled by their place in a game


class Notes(support.NotifyLocBase):
    """Lines that were compiled, by file."""

    def __init__(self) -> None:
        self.lines: dict[str, set[int]] = defaultdict(set)

    def notify(self, loc: Loc) -> None:
        if loc.filename.startswith(str(TOP)):
            self.lines[os.path.relpath(loc.filename, TOP)].add(loc.line)

    def close(self) -> None:
        pass


def build_and_note(name: str) -> dict[str, Any]:
    """Build a library, and write down the lines that this compiles."""
    notes = Notes()
    support._the_registry.append(lambda: notes)
    about = build_library(name)
    lines = {file: sorted(found) for file, found in notes.lines.items()}
    (Path(os.environ[FOLDER]) / f"{name}.json").write_text(json.dumps(lines))
    return about


def kernels(path: Path) -> Iterator[tuple[str, set[int]]]:
    """(name, lines with code) of every function that is marked as compiled."""
    text = path.read_text(encoding="utf-8")
    marked = {
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(each).partition("(")[0] in MARKS for each in node.decorator_list)
    }
    waiting = [compile(text, str(path), "exec")]
    while waiting:
        code = waiting.pop()
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
        if code.co_name in marked:
            found = {line for _, _, line in code.co_lines() if line}
            yield code.co_name, found - {code.co_firstlineno}


def report(noted: Mapping[str, set[int]]) -> str:
    """Compiled lines and all lines of kernels, by folder, and kernels without a compiled line."""
    done: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    unused = []
    for path in sorted(TOP.rglob("*.py")):
        name = str(path.relative_to(TOP))
        for kernel, lines in kernels(path):
            folder = name.partition("/")[0]
            total[folder] += len(lines)
            done[folder] += len(lines & noted.get(name, set()))
            if not lines & noted.get(name, set()):
                unused.append(f"{name}: {kernel}")
    parts = [f"{folder} {done[folder] / total[folder]:.1%}" for folder in sorted(total)]
    whole = f"{sum(done.values()) / sum(total.values()):.1%} of {sum(total.values()):,}"
    few = "".join(f"\n  nothing compiled {each}" for each in unused[:SHOWN])
    more = f"\n  ... and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
    return f"lines of kernels compiled: {whole} ({', '.join(parts)}){few}{more}"


def main(folder: Path) -> None:
    """Build, and print which share of all lines was compiled."""
    folder.mkdir(parents=True, exist_ok=True)
    os.environ[FOLDER] = str(folder)
    build_all(lambda line: print(line, flush=True), os.cpu_count() or 1, build=build_and_note)
    merged: dict[str, set[int]] = defaultdict(set)
    for file in folder.glob("*.json"):
        for name, lines in json.loads(file.read_text()).items():
            merged[name] |= set(lines)
    print(report(merged))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
