"""Measure which lines of kernels and rules Numba has compiled, with Numba's own coverage support.

    python measurements/compiled_lines.py --out FILE COMMAND...   run a `plyglass` command
    python measurements/compiled_lines.py --report FILE...        print what they compiled

Numba compiles a function as a whole, so a line that is missing here is one that no call reaches: a
kernel that nothing uses, or a branch that Numba has pruned. The cache must be empty: what is loaded
from disk is not compiled. Numba notifies us of lines itself, which costs nothing, whereas a tracer
would slow the compiler down.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType

os.environ["NUMBA_JIT_COVERAGE"] = "1"

import numba.misc.coverage_support as support
from numba.core.ir import Loc

TOP = Path(__file__).resolve().parents[1] / "src" / "plyglass"
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


def run(out: Path, command: Sequence[str]) -> int:
    """Run a command of `plyglass` and write down the lines that were compiled meanwhile."""
    from plyglass.__main__ import main

    notes = Notes()
    support._the_registry.append(lambda: notes)
    sys.argv = ["plyglass", *command]
    try:
        main()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    out.write_text(json.dumps({name: sorted(lines) for name, lines in notes.lines.items()}))
    return code


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
    """Lines compiled of all lines in kernels, by folder, and kernels that nothing compiled."""
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


if __name__ == "__main__":
    if sys.argv[1] == "--out":
        sys.exit(run(Path(sys.argv[2]), sys.argv[3:]))
    merged: dict[str, set[int]] = defaultdict(set)
    for file in sys.argv[2:]:
        for name, lines in json.loads(Path(file).read_text()).items():
            merged[name] |= set(lines)
    print(report(merged))
