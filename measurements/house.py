"""Measure the sizes of files and functions, and how much there is to read for each planner.

    python measurements/house.py [SOURCE]

SOURCE is the folder of the package, `src/plyglass` by default. Prints JSON. `house.json` beside
this file keeps the numbers from before and after the move to the present folders, and the current
numbers.
"""

from __future__ import annotations

import ast
import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PLANNERS = ("greedy", "uct", "plan_tournament")
SHARED = ("core", "stats")  # the vocabulary that a reader of any planner knows already
MOST_PARAMETERS = 8
SHORT = 30


def modules(top: Path) -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in top.rglob("*.py"):
        parts = [top.name, *path.relative_to(top).with_suffix("").parts]
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the package that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return (found & set(known)) - {name}


def functions(path: Path) -> Iterator[tuple[int, int]]:
    """(lines, parameters) of every function in a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            count = len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)
            yield (node.end_lineno or node.lineno) - node.lineno + 1, count


def to_read(start: str, graph: dict[str, set[str]], known: dict[str, Path]) -> dict[str, int]:
    """Files and lines that a planner imports, without those of the core."""
    found, waiting = set(), [start]
    while waiting:
        here = waiting.pop()
        if here not in found:
            found.add(here)
            waiting += [each for each in graph[here] if each.split(".")[1:2][0] not in SHARED]
    found = {each for each in found if _lines(known[each]) > 1}
    return {"files": len(found), "lines": sum(_lines(known[each]) for each in found)}


def measure(top: Path) -> dict[str, object]:
    known = modules(top)
    graph = {name: imports(name, path, known) - {top.name} for name, path in known.items()}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, used in graph.items():
        for each in used:
            importers[each].add(name)
    files = [path for path in known.values() if path.name != "__init__.py"]
    lengths = [_lines(path) for path in files]
    found = [each for path in known.values() for each in functions(path)]
    starts = {name: _planner(name, top, known) for name in PLANNERS}
    single = [name for name, path in known.items() if path in files and len(importers[name]) == 1]
    return {
        "modules": len(files),
        "lines": sum(lengths),
        "median_lines_of_a_file": statistics.median(lengths),
        "median_lines_of_a_function": statistics.median(lines for lines, _ in found),
        f"files_under_{SHORT}_lines": sum(length < SHORT for length in lengths),
        f"functions_with_more_than_{MOST_PARAMETERS}_parameters": sum(
            count > MOST_PARAMETERS for _, count in found
        ),
        "modules_with_one_importer": len(single),
        "to_read": {name: to_read(start, graph, known) for name, start in starts.items()},
    }


def _planner(name: str, top: Path, known: dict[str, Path]) -> str:
    """The module that defines a planner: its file, or `planner` in its folder."""
    inner = f"{top.name}.planners.{name}.planner"
    return inner if inner in known else f"{top.name}.planners.{name}"


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    source = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "src" / "plyglass"
    print(json.dumps(measure(Path(source)), indent=2))
