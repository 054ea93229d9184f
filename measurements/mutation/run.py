"""Plant faults in the source one by one, and look whether a test notices.

    python measurements/mutation/run.py draw            draw the faults, by a fixed seed
    python measurements/mutation/run.py run             test what has no result yet
    python measurements/mutation/run.py run --survivors test again what no test has noticed python
    measurements/mutation/run.py run --tests X only with the tests of these files python
    measurements/mutation/run.py judge N REASON fault N changes nothing, and why python
    measurements/mutation/run.py report count, also in CONTRIBUTING.md, and list python
    measurements/mutation/run.py planted test the faults of `planted.json`

`mutants.json` keeps the faults and their results, and everything can be stopped and continued.
`planted.json` is written by hand. It holds faults that remove what defines an algorithm, each with
the test that notices the fault.

We do not use `mutmut`, because it runs the whole suite, or the tests of coverage contexts, in a new
process for every fault. Numba names its cache after the source. So for every fault in a kernel, the
kernel and all its callers would be compiled, for minutes. In this script, tests of planners,
beliefs and search run interpreted (`NUMBA_DISABLE_JIT=1`), where a kernel is plain Python. Tests of
stats and arena run compiled, because their faults touch no kernel. `trial.py` imports Plyglass and
collects tests once, and forks for every test. A test is tried on a fault only if the test reaches
the changed statement. Some faults are not in a function, or are reached only in processes that
tests start. Such a fault is planted before Plyglass is imported, and then the tests that name its
module run.

A fault counts as noticed if a test fails, if a test cannot be imported, or if a test runs out of
CPU time or memory. The source comes from the commit at which the faults were drawn, and the tests
come from the working tree.
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
from collections import Counter
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mutations import Mutant, draw, function_at  # noqa: E402
from trial import Fault, Limits, Trial  # noqa: E402

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
        "tests/search/test_small_trees.py",
        "tests/planners/test_small_parts.py",
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
LIMITS = {INTERPRETED: Limits(test=1.0, fault=12.0), COMPILED: Limits(test=2.0, fault=12.0)}
MOST, MOST_BYTES = 240.0, 8 << 30  # CPU seconds and memory of a process that imports anew
FIELDS = [field.name for field in fields(Mutant)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--seed", type=int, default=SEED)
    drawing.add_argument("--count", type=int, default=COUNT)
    running = commands.add_parser("run")
    running.add_argument("--survivors", action="store_true")
    running.add_argument("--only", type=int, nargs="*")
    running.add_argument("--area", choices=AREAS)
    running.add_argument("--tests", nargs="*")
    judging = commands.add_parser("judge")
    judging.add_argument("number", type=int)
    judging.add_argument("reason")
    commands.add_parser("report")
    planting = commands.add_parser("planted")
    planting.add_argument("words", nargs="*", help="only faults whose sentence has one of these")
    given = parser.parse_args()
    if given.command == "draw":
        draw_faults(given.count, given.seed)
    elif given.command == "run":
        run(given)
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
    """A copy of the repository, with the source of a commit and the tests of the working tree."""
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
    """Do `work` in a fork that imports Plyglass from the copy; return the child's status."""
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


def noticed(mutant: Mutant, mode: str, tests: list[str]) -> str:
    """The first test that fails with the fault, or another sign of the fault; "" without a sign."""
    import watch

    place, out = COPY / mutant.path, COPY / f"first-{os.getpid()}.txt"
    source, times = place.read_bytes(), place.stat()
    out.unlink(missing_ok=True)
    CHANGED.write_text(mutant.path)
    place.write_bytes(mutant.apply(source))
    try:
        sys.dont_write_bytecode = True
        watcher = watch.FirstFailure(out)
        status = in_child(mode, lambda: pytest_quietly(["-x", *tests], watcher), MOST)
    finally:
        place.write_bytes(source)
        os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))
        CHANGED.unlink()
    if out.is_file():
        return out.read_text()
    if os.WIFSIGNALED(status):
        return "it ran out of CPU time"
    return "nothing could be imported" if status else ""


def planted(words: list[str]) -> int:
    """Plant the faults that were written by hand; return how many of them no test noticed."""
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
        each["noticed by"] = noticed(fault, mode, [each["test"]])
        missed += not each["noticed by"]
        print(f"{each['says']}: {each['noticed by'] or 'NOT NOTICED'}", flush=True)
        PLANTED.write_text(json.dumps(faults, indent=1) + "\n")
    return missed


def run(given: argparse.Namespace) -> None:
    """Plant the faults without a result, or the faults that were asked for."""
    kept = json.loads(KEPT.read_text())
    prepare(kept["commit"])
    outside = []
    for mode in TESTS:
        inside = []
        for number, each in enumerate(kept["mutants"]):
            if MODES[each["path"].split("/")[2]] == mode and is_wanted(each, given):
                mutant = Mutant(**{name: each[name] for name in FIELDS})
                in_function = function_at((COPY / mutant.path).read_bytes(), mutant.line)
                (inside if in_function else outside).append(Fault(number, mutant))
        if inside:
            trial = Trial(COPY, inside, LIMITS[mode], COPY / f"{mode}.jsonl", enter)
            tests = given.tests or TESTS[mode]
            in_child(mode, lambda t=tests, p=trial: pytest_quietly(t, p))  # type: ignore[misc]
            if given.only or not given.tests:
                outside += [each for each in inside if was_not_reached(each)]
    for fault in outside:
        tests = given.tests or tests_by_name(fault.mutant)
        fault.tests = len(tests)
        if tests:
            fault.by = noticed(fault.mutant, MODES[fault.mutant.path.split("/")[2]], tests)
        enter(fault)
    print(report())


def was_not_reached(fault: Fault) -> bool:
    """Whether no test in this process reaches the fault, so only another process can notice it."""
    each = json.loads(KEPT.read_text())["mutants"][fault.number]
    return fate(each) == "survived" and each["tests"] == 0


def is_wanted(mutant: dict[str, Any], given: argparse.Namespace) -> bool:
    if given.area not in (None, mutant["path"].split("/")[2]):
        return False
    if given.only:
        return mutant["number"] in given.only
    fated = fate(mutant)
    return fated == "untested" or (given.survivors and fated == "survived")


def enter(fault: Fault) -> None:
    """Record the result of a fault."""
    kept = json.loads(KEPT.read_text())  # somebody may have judged one meanwhile
    each = kept["mutants"][fault.number]
    each |= {"result": "killed" if fault.by else "survived", "by": fault.by, "tests": fault.tests}
    each["late"] = bool(fault.by) and is_new(fault.by, kept["commit"])
    keep(kept)
    with (COPY / "log.txt").open("a") as log:
        log.write(f"{fault.number} {each['path']}:{each['line']} {each['result']} {fault.by}\n")


def is_new(test: str, commit: str) -> bool:
    """Whether a test was written after the faults were drawn."""
    path, _, name = test.partition("::")
    done = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=TOP, capture_output=True)
    return f"def {name.partition('[')[0]}(".encode() not in done.stdout if name else False


def tests_by_name(mutant: Mutant) -> list[str]:
    """Up to three test files of the area that name a module, beginning with the module's own."""
    _, _, area, *_, name = Path(mutant.path).with_suffix("").parts
    areas = ("search", "planners") if area == "search" else (area,)
    files = [file for each in areas for file in sorted((COPY / "tests" / each).rglob("test_*.py"))]
    named = [file for file in files if name in file.read_text(encoding="utf-8")]
    named.sort(key=lambda file: file.stem != f"test_{name}")
    return [str(file.relative_to(COPY)) for file in named[:3]]


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
    if late := sum(bool(each.get("late")) for each in mutants if fate(each) == "killed"):
        missed = late + found["survived"]
        lines.append(
            f"{late} were noticed first by a test that was written after they were drawn. So the\n"
            f"tests of that commit missed up to {missed}, and other faults may fare worse."
        )
    if found["untested"]:
        lines.append(f"{found['untested']} of {len(mutants)} drawn faults have not been tested.")
    return "\n".join(lines)


def report() -> str:
    """The counts, which also go into `CONTRIBUTING.md`, and the faults that no test noticed."""
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
    """The result of a fault."""
    if mutant.get("equivalent"):
        return "equivalent"
    return str(mutant.get("result", "untested"))


if __name__ == "__main__":
    if sys.argv[1:2] in (["run"], ["planted"]):
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
