"""Plant faults in the source one by one, and look whether a test notices.

    python measurements/mutation/run.py draw            draw the faults, by a fixed seed
    python measurements/mutation/run.py cover           note which test calls which function
    python measurements/mutation/run.py run             test what has no result yet
    python measurements/mutation/run.py run --survivors test those again that no test has noticed
    python measurements/mutation/run.py judge N REASON  fault N changes nothing, and why
    python measurements/mutation/run.py report          count, also in CONTRIBUTING.md, and list
    python measurements/mutation/run.py planted         test the faults of `planted.json`

`mutants.json` keeps the faults and their results, and everything can be stopped and continued.
`planted.json` is written by hand: faults that take from an algorithm what defines it, each with the
test that notices.

Why not `mutmut`: it runs the whole suite, or the tests of coverage contexts, in a new process for
every fault. Numba names its cache after the source, so every fault in a kernel would be compiled
with all that calls it, for minutes. Here tests of planners, beliefs and search run interpreted
(`NUMBA_DISABLE_JIT=1`), where a kernel is plain Python. Tests of stats and arena run compiled:
their faults touch no kernel. A process that has imported everything but Plyglass forks for every
fault. Only tests that call the changed function run, the quickest first, until one fails. Where
no noted test calls it, those of up to two test files that name its module are noted first.

A fault counts as noticed if a test fails, if it cannot be imported, or if it runs out of CPU time
or memory. The source is that of the commit at which the faults were drawn; the tests are those of
the working tree.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mutations import Mutant, draw, function_at  # noqa: E402

KEPT = HERE / "mutants.json"
PLANTED = HERE / "planted.json"
GUIDE = TOP / "CONTRIBUTING.md"
BEGIN, END = "<!-- mutation counts: written by run.py report -->", "<!-- end of mutation counts -->"
COPY = Path(os.environ.get("MUTATION_COPY", Path(tempfile.gettempdir()) / "plyglass-mutation"))
CHANGED = COPY / "changed"  # names the file that has a fault now
AREAS = ("planners", "beliefs", "search", "stats", "arena")
SEED, COUNT = 27, 175
INTERPRETED, COMPILED = "interpreted", "compiled"
TESTS = {
    INTERPRETED: [
        "tests/planners/test_definitions.py",
        "tests/search",
        "tests/planners",
        "tests/beliefs",
    ],
    COMPILED: [
        "tests/stats",
        "tests/arena",
        "tests/experiments/test_claims.py",
        "tests/report/test_tables.py",
        "--ignore=tests/arena/runners/test_ray.py",
        "--ignore=tests/arena/runners/test_ray_driver.py",
    ],
}
MODES = {area: COMPILED if area in ("stats", "arena") else INTERPRETED for area in AREAS}
LONGEST = {INTERPRETED: 1.5, COMPILED: 5.0}  # CPU seconds; tests that take longer are left out
MOST = 15.0  # CPU seconds of tests for one fault
SLOWER, SPARE = 3.0, 2.0  # a test may take so many times its CPU seconds, and so many more
MOST_BYTES = 8 << 30
FIELDS = [field.name for field in fields(Mutant)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--seed", type=int, default=SEED)
    drawing.add_argument("--count", type=int, default=COUNT)
    covering = commands.add_parser("cover")
    covering.add_argument("tests", nargs="*")
    covering.add_argument("--mode", choices=list(TESTS))
    running = commands.add_parser("run")
    running.add_argument("--survivors", action="store_true")
    running.add_argument("--only", type=int, nargs="*")
    running.add_argument("--area", choices=AREAS)
    judging = commands.add_parser("judge")
    judging.add_argument("number", type=int)
    judging.add_argument("reason")
    commands.add_parser("report")
    planting = commands.add_parser("planted")
    planting.add_argument("words", nargs="*", help="only faults whose sentence has one of these")
    given = parser.parse_args()
    if given.command == "draw":
        draw_faults(given.count, given.seed)
    elif given.command == "cover":
        for mode in [given.mode] if given.mode else TESTS:
            cover(mode, given.tests)
    elif given.command == "run":
        run(given.survivors, given.only, given.area)
    elif given.command == "judge":
        kept = json.loads(KEPT.read_text())
        kept["mutants"][given.number]["equivalent"] = given.reason
        keep(kept)
    elif given.command == "planted":
        return planted(given.words)
    else:
        print(report())
    return 0


# --- The copy of the tree ---


def prepare(commit: str) -> None:
    """A copy with the source of a commit and the tests of the working tree."""
    mark = COPY / "commit"
    if not mark.is_file() or mark.read_text() != commit:
        shutil.rmtree(COPY, ignore_errors=True)
        COPY.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", commit, "src", "pyproject.toml", "measurements", "examples", "docs"],
            cwd=TOP,
            check=True,
            capture_output=True,
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(COPY)], input=archive, check=True)
        # Children write no bytecode, so a fault can never be loaded from an old file.
        subprocess.run([sys.executable, "-m", "compileall", "-q", "src"], cwd=COPY, check=True)
        mark.write_text(commit)
    if CHANGED.is_file():  # a run was stopped here: take its fault out again
        (COPY / CHANGED.read_text()).write_bytes(original(commit, CHANGED.read_text()))
        CHANGED.unlink()
    subprocess.run(
        ["cp", "-r", "--update", "--preserve=timestamps", "tests", "README.md", str(COPY)],
        cwd=TOP,
        check=True,
    )


def original(commit: str, path: str) -> bytes:
    """A file as it is in a commit."""
    return subprocess.run(
        ["git", "show", f"{commit}:{path}"], cwd=TOP, check=True, capture_output=True
    ).stdout


def head() -> str:
    done = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=TOP, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def draw_faults(count: int, seed: int) -> None:
    if KEPT.is_file():
        raise SystemExit(f"{KEPT.name} exists; remove it to begin anew.")
    commit = head()
    prepare(commit)
    mutants = [asdict(each) for each in draw(COPY, AREAS, count, seed)]
    keep({"commit": commit, "seed": seed, "mutants": mutants})
    print(f"{len(mutants)} faults at {commit[:10]}")


def keep(kept: dict[str, Any]) -> None:
    for number, each in enumerate(kept["mutants"]):
        each["number"] = number
    beside = KEPT.with_suffix(".new")
    beside.write_text(json.dumps(kept, indent=1) + "\n")
    beside.replace(KEPT)


# --- Tests in a process of their own ---


def in_child(mode: str, work: Any, seconds: float = 0.0) -> int:
    """Do `work` in a fork with Plyglass from the copy; returns the child's status."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            if seconds:
                resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
                resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            os.environ["NUMBA_DISABLE_JIT"] = "1" if mode == INTERPRETED else "0"
            os.environ["PYTHONPATH"] = f"{COPY / 'src'}:{COPY}"
            numba.core.config.reload_config()
            os.chdir(COPY)
            sys.path[:0] = [str(COPY / "src"), str(COPY)]
            code = int(work())
        finally:
            sys.stdout.flush()
            os._exit(code)
    return os.waitpid(child, 0)[1]


def pytest_quietly(words: list[str], plugin: Any) -> int:
    """Run pytest; what it prints goes to a log."""
    log = os.open(COPY / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    return int(pytest.main([*words, "-p", "no:cacheprovider", "-W", "default"], plugins=[plugin]))


def cover(mode: str, tests: list[str]) -> None:
    """Note which functions every test calls; with names of tests, note these again."""
    prepare(json.loads(KEPT.read_text())["commit"])
    notes = COPY / f"{mode}.jsonl"
    if tests and notes.is_file():
        lines = notes.read_text().splitlines(keepends=True)
        named = tuple(tests)
        notes.write_text("".join(x for x in lines if not json.loads(x)["name"].startswith(named)))
    note_tests(mode, tests or TESTS[mode])
    good = [each for each in covered(mode) if each["passed"]]
    print(f"{mode}: {len(good)} tests, {sum(each['seconds'] for each in good):.0f} s")


def note_tests(mode: str, tests: list[str]) -> None:
    """Note the tests among these that have no note yet."""
    import watch

    out = COPY / f"{mode}.jsonl"
    in_child(mode, lambda: pytest_quietly(tests, watch.Coverage(COPY, out, LONGEST[mode])))


def covered(mode: str) -> list[dict[str, Any]]:
    """What is noted about each test."""
    notes = COPY / f"{mode}.jsonl"
    lines = notes.read_text().splitlines() if notes.is_file() else []
    return [json.loads(line) for line in lines]


def chosen_tests(mutant: Mutant, mode: str) -> dict[str, float]:
    """The tests that call the function of a fault, the quickest first, with their CPU seconds."""
    line = function_at((COPY / mutant.path).read_bytes(), mutant.line)
    chosen: dict[str, float] = {}
    for test in sorted(covered(mode), key=lambda each: each["seconds"]):
        calls = any(path == mutant.path and line in (0, at) for path, at in test["calls"])
        if test["passed"] and calls and sum(chosen.values()) < MOST:
            chosen[test["name"]] = test["seconds"]
    return chosen


def note_more(files: list[str], mode: str) -> None:
    """Note what the tests of these files call, unless that was done before."""
    done = COPY / f"{mode}.files"
    known = done.read_text().split() if done.is_file() else []
    if new := [file for file in files if file not in known]:
        note_tests(mode, new)
        done.write_text("\n".join([*known, *new]))


def tests_by_name(mutant: Mutant) -> list[str]:
    """Test files of the area that name the module, for a function that no noted test calls.

    The file with the module's own name comes first.
    """
    _, _, area, *_, name = Path(mutant.path).with_suffix("").parts
    areas = ("search", "planners") if area == "search" else (area,)
    files = [file for each in areas for file in sorted((COPY / "tests" / each).rglob("test_*.py"))]
    named = [file for file in files if name in file.read_text(encoding="utf-8")]
    named.sort(key=lambda file: file.stem != f"test_{name}")
    return [str(file.relative_to(COPY)) for file in named[:2]]


def noticed(mutant: Mutant, mode: str, tests: dict[str, float]) -> str:
    """The first test that fails with the fault, or what else gives it away; "" if nothing does.

    `tests` has the CPU seconds of each test without a fault; a test that needs far more fails.
    """
    import watch

    place, out = COPY / mutant.path, COPY / f"first-{os.getpid()}.txt"
    source, times = place.read_bytes(), place.stat()
    out.unlink(missing_ok=True)
    CHANGED.write_text(mutant.path)
    place.write_bytes(mutant.apply(source))
    try:
        sys.dont_write_bytecode = True
        limits = {name: SLOWER * seconds + SPARE for name, seconds in tests.items()}
        watcher = watch.FirstFailure(out, limits)
        status = in_child(
            mode, lambda: pytest_quietly(["-x", *tests], watcher), 60 + sum(limits.values())
        )
    finally:
        place.write_bytes(source)
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
        CHANGED.unlink()
    if out.is_file():
        return out.read_text()
    if os.WIFSIGNALED(status):
        return "it ran out of CPU time"
    return "nothing could be imported" if status else ""


def examine(mutant: Mutant, more: bool) -> dict[str, Any]:
    """Whether a test notices the fault, and which; `more` also asks files that name the module."""
    mode = MODES[mutant.path.split("/")[2]]
    began, tests = time.monotonic(), chosen_tests(mutant, mode)
    if more or not tests:
        note_more(tests_by_name(mutant), mode)
        tests = chosen_tests(mutant, mode)
    by = noticed(mutant, mode, tests) if tests else ""
    return {
        "result": "killed" if by else "survived",
        "by": by,
        "tests": len(tests),
        "mode": mode,
        "seconds": round(time.monotonic() - began, 1),
    }


def planted(words: list[str]) -> int:
    """Plant the faults that were written by hand; returns how many their tests did not notice."""
    prepare(head())
    faults = json.loads(PLANTED.read_text())
    missed = 0
    for each in faults:
        if words and not any(word in each["says"] for word in words):
            continue
        source = (COPY / each["path"]).read_bytes()
        begin = source.index(each["before"].encode())
        end = begin + len(each["before"].encode())
        fault = Mutant(each["path"], 0, begin, end, "planted", each["before"], each["after"])
        mode = COMPILED if "experiments" in each["path"] else INTERPRETED
        each["noticed by"] = noticed(fault, mode, {each["test"]: 60.0})
        missed += not each["noticed by"]
        print(f"{each['says']}: {each['noticed by'] or 'NOT NOTICED'}", flush=True)
        PLANTED.write_text(json.dumps(faults, indent=1) + "\n")
    return missed


def run(survivors: bool, only: list[int] | None, area: str | None) -> None:
    kept = json.loads(KEPT.read_text())
    prepare(kept["commit"])
    for number, each in enumerate(kept["mutants"]):
        again = survivors and each.get("result") == "survived" and not each.get("equivalent")
        wanted = number in only if only else (again or "result" not in each)
        if wanted and area in (None, each["path"].split("/")[2]):
            more = each.get("result") == "survived"
            found = examine(Mutant(**{name: each[name] for name in FIELDS}), more)
            kept = json.loads(KEPT.read_text())  # somebody may have judged one meanwhile
            kept["mutants"][number] |= found
            keep(kept)
            print(
                f"{number} {each['path']}:{each['line']} {found['result']} {found['by']} "
                f"({found['tests']} tests, {found['seconds']} s)",
                flush=True,
            )
    print(report())


# --- The report ---


def counts() -> str:
    """The counts by area, as Markdown."""
    kept = json.loads(KEPT.read_text())
    mutants = kept["mutants"]
    lines = ["| area | faults | noticed | equivalent | not noticed |", "|---|--:|--:|--:|--:|"]
    for area in (*AREAS, "all"):
        found = Counter(
            fate(each) for each in mutants if area in ("all", each["path"].split("/")[2])
        )
        lines.append(
            f"| {area} | {sum(found.values()) - found['untested']} | {found['killed']} "
            f"| {found['equivalent']} | {found['survived']} |"
        )
    found = Counter(map(fate, mutants))
    share = found["survived"] / max(1, found["killed"] + found["survived"])
    lines.append("")
    lines.append(
        f"Of the faults that change something, {share:.1%} were not noticed (commit "
        f"`{kept['commit'][:10]}`, seed {kept['seed']})."
    )
    if found["untested"]:
        lines.append(f"{found['untested']} of {len(mutants)} drawn faults have not been tested.")
    return "\n".join(lines)


def report() -> str:
    """The counts, which also go into `CONTRIBUTING.md`, and what survived."""
    text = GUIDE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    if begin:
        end = rest.partition(END)[2]
        GUIDE.write_text(f"{before}{BEGIN}\n{counts()}\n{END}{end}", encoding="utf-8")
    survived = [
        f"{each['number']} {each['path']}:{each['line']} {each['kind']} ({each['tests']} tests): "
        f"{each['before']!r} -> {each['after']!r}"
        for each in json.loads(KEPT.read_text())["mutants"]
        if fate(each) == "survived"
    ]
    return "\n".join([counts(), "", *survived])


def fate(mutant: dict[str, Any]) -> str:
    """What became of a fault."""
    if mutant.get("equivalent"):
        return "equivalent"
    return str(mutant.get("result", "untested"))


if __name__ == "__main__":
    if sys.argv[1:2] in (["cover"], ["run"], ["planted"]):
        # What a child would import before Plyglass; Plyglass itself differs between children.
        import hypothesis  # noqa: F401
        import numba.core.config
        import numpy.random  # noqa: F401
        import pytest

        try:
            import optuna  # noqa: F401
            import scipy.optimize
            import scipy.stats  # noqa: F401
        except ImportError:
            pass
    sys.exit(main())
