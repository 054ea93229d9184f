"""Run each test file at its full size, and keep the last result of every file."""

from __future__ import annotations

import ast
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
KEPT = TOP / "measurements" / "nightly.json"


def sources() -> str:
    """A digest of everything that decides how a test ends; comments and docstrings do not."""
    names = subprocess.run(
        ["git", "ls-files", "src", "tests", "measurements/c", "pyproject.toml"],
        cwd=TOP,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    seal = hashlib.blake2b(digest_size=6)
    for name in sorted(names):
        if (TOP / name).is_file():
            seal.update(name.encode() + b"\0" + meaning(TOP / name))
    return seal.hexdigest()


def meaning(path: Path) -> bytes:
    """What a file says to a computer: the syntax tree of Python, or else all bytes."""
    if path.suffix != ".py":
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and ast.get_docstring(node) is not None
        ):
            node.body[0] = ast.Pass()
    return ast.dump(tree).encode()


def files() -> list[str]:
    """Test files with something that only runs at night."""
    found = sorted((TOP / "tests").rglob("test_*.py"))
    return [
        str(path.relative_to(TOP))
        for path in found
        if re.search(r"mark\.nightly|\bsized\(", path.read_text(encoding="utf-8"))
    ]


def run(name: str, digest: str) -> dict[str, object]:
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--timeout=7200", "-p", "no:cacheprovider", name],
        cwd=TOP,
        env={**os.environ, "NIGHTLY": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    closing = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-200:]
    if done.returncode:
        print(done.stdout[-4000:])
    return {
        "passed": done.returncode == 0,
        "closing": re.sub(r" in [\d.]+s.*", "", closing),
        "minutes": round((time.monotonic() - began) / 60, 1),
        "date": datetime.date.today().isoformat(),
        "sources": digest,
    }


def results() -> dict[str, dict[str, object]]:
    """The last result of every file that still has something for the night."""
    if not KEPT.is_file():
        return {}
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    return {name: kept[name] for name in files() if name in kept}


def keep(name: str, result: dict[str, object]) -> None:
    """Write the result of a file beside those that another run may have written meanwhile."""
    kept = {**results(), name: result}
    text = json.dumps({each: kept[each] for each in sorted(kept)}, indent=1)
    KEPT.write_text(text + "\n", encoding="utf-8")


def due(names: list[str], digest: str) -> list[str]:
    """The files that have not passed for this code; those that took longest come first."""
    last = results()
    passed = {n for n, each in last.items() if each["passed"] and each["sources"] == digest}
    waiting = [name for name in names if name not in passed]
    return sorted(waiting, key=lambda name: -float(str(last.get(name, {}).get("minutes", 0))))


def main() -> int:
    digest, names = sources(), sys.argv[1:] or files()
    pool = ThreadPoolExecutor(os.cpu_count())
    running = {pool.submit(run, name, digest): name for name in due(names, digest)}
    try:
        for number, done in enumerate(as_completed(running)):
            name, result = running[done], done.result()
            keep(name, result)
            print(f"{number + 1} of {len(running)}: {name}", flush=True)
            print(f"    {result['closing']} ({result['minutes']} min)", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    kept = results()
    failed = [name for name in names if not kept[name]["passed"]]
    print(f"{len(names) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
