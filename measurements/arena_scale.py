"""The arena at scale: equal digests, killed workers, overhead, and the driver's limit.

    python measurements/arena_scale.py MEASUREMENT

| measurement | measures |
|---|---|
| matrix | 2,000 matches for every combination of workers, chunk, runner and restart |
| storm | 50 killed workers and 10 killed drivers, with each runner |
| kills [RUNNER] | 100 kills over all processes of a run, except the servers of Ray's head |
| overhead | matches per CPU second compared with a bare loop, and two workers with one |
| driver | the driver alone, with workers that only sleep |

Each measurement prints JSON. The figures in docs/scale.md come from this script.
"""

import asyncio
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import psutil

from plyglass.arena.runners import Played, runner_named
from plyglass.arena.store import open_store
from plyglass.arena.store.reader import read_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match, warm

MATRIX = Settings(
    games=("tic-tac-toe",),
    agents={"a": "uct:iterations=30", "b": "uct:iterations=15"},
    deals=1000,
    seed=5,
)
STORM = Settings(
    games=("connect-four",),
    agents={"a": "uct:iterations=1000", "b": "uct:iterations=300"},
    deals=400,
    seed=6,
)
BARE = Settings(
    games=("connect-four",),
    agents={"a": "uct:iterations=1000", "b": "uct:iterations=1000"},
    deals=150,
    seed=7,
)


def run(settings, path, runner, workers, chunk):
    with open_store(path, settings.run_id, settings.canonical) as store:
        return Tournament(settings, store, runner_named(runner, workers, 60.0), chunk).run().digest


def matrix():
    digests = {}
    with tempfile.TemporaryDirectory() as folder:
        for runner, counts in (("serial", (1,)), ("processes", (1, 2, 4)), ("ray", (1, 2, 4))):
            for workers in counts:
                for chunk in (1, 7, 100):
                    path = Path(folder) / f"{runner}-{workers}-{chunk}.sqlite"
                    digests[f"{runner}, {workers} workers, chunk {chunk}"] = run(
                        MATRIX, path, runner, workers, chunk
                    )
                    digests[f"{runner}, {workers} workers, chunk {chunk}, again"] = run(
                        MATRIX, path, runner, workers, chunk
                    )
            if runner == "ray":
                import ray

                ray.shutdown()
    return {"runs": len(digests), "digests": sorted(set(digests.values()))}


def one_run(arguments):
    """Run the settings of `storm` to the end, in the process that `storm` starts and kills."""
    path, runner, *which = arguments
    print(run(KILLED if which else STORM, path, runner, 2, 8))


def storm():
    with tempfile.TemporaryDirectory() as folder:
        expected = run(STORM, Path(folder) / "expected.sqlite", "serial", 1, 50)
        return {
            runner: _storm(runner, Path(folder) / f"{runner}.sqlite", expected)
            for runner in ("processes", "ray")
        }


def _storm(runner, path, expected):
    choose, workers, drivers, orphans, began = random.Random(2), 0, 0, [], time.monotonic()
    mark = "spawn_main" if runner == "processes" else "ray::play_on_cluster"
    while True:
        command = [sys.executable, __file__, "one_run", str(path), runner]
        driver = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        life = choose.uniform(4.0, 7.0) + (12.0 if runner == "ray" else 0.0)
        until = time.monotonic() + life if drivers < 10 else float("inf")
        while driver.poll() is None and time.monotonic() < until:
            time.sleep(choose.uniform(0.1, 0.4))
            mine = [each for each in _family(driver.pid) if mark in _command(each)]
            if mine and workers < 50:
                choose.choice(mine).kill()
                workers += 1
        if driver.poll() is not None:
            break
        orphans = _family(driver.pid)
        os.kill(driver.pid, signal.SIGKILL)
        driver.communicate()
        drivers += 1
        _, alive = psutil.wait_procs(orphans, timeout=5)
        left = len(alive)
        for each in alive:
            each.kill()
        if left:
            print(
                f"{left} processes outlived their driver by 5 s: "
                f"{sorted({_command(each)[:40] for each in alive})}",
                file=sys.stderr,
            )
    printed, _ = driver.communicate()
    same = printed.strip() == expected
    return {
        "workers killed": workers,
        "drivers killed": drivers,
        "same digest": same,
        "seconds": round(time.monotonic() - began),
    }


KILLED = Settings(
    games=("connect-four",),
    agents={"a": "uct:iterations=200", "b": "uct:iterations=100"},
    deals=1000,
    seed=8,
)
VICTIMS = {
    "resource_tracker": "resource tracker",
    "guardian": "guardian",
    "spawn_main": "worker",
    "ray::play_on_cluster": "worker",
    "ray::Notes": "actor",
    "ray::IDLE": "idle worker",
}
"""What a process of a run does, by a word of its command; others are servers of Ray's head."""


def kills(arguments=()):
    """Kill any process of a run at random, every twentieth time the driver; resume until done."""
    runners = arguments or ["processes", "ray"]
    with tempfile.TemporaryDirectory() as folder:
        expected = run(KILLED, Path(folder) / "expected.sqlite", "serial", 1, 50)
        return {
            runner: _kills(runner, Path(folder) / f"{runner}.sqlite", expected)
            for runner in runners
        }


def _kills(runner, path, expected, most=100):
    choose, killed, began, left = random.Random(9), Counter(), time.monotonic(), 0
    command = [sys.executable, __file__, "one_run", str(path), runner, "killed"]
    while True:
        driver = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        family, others = [], 0
        while driver.poll() is None:
            time.sleep(choose.uniform(0.2, 0.8))
            family = [each for each in _family(driver.pid) if _kind(each) in VICTIMS]
            playing = any(VICTIMS.get(_kind(each)) == "worker" for each in family)
            if not playing or killed.total() >= most or driver.poll() is not None:
                continue
            if others >= 19:
                os.kill(driver.pid, signal.SIGKILL)
                killed["driver"] += 1
                break
            victim = choose.choice(family)
            with suppress(psutil.Error, KeyError):
                kind = VICTIMS[_kind(victim)]
                victim.kill()
                killed[kind] += 1
                others += 1
        printed, said = driver.communicate()
        _, alive = psutil.wait_procs(family, timeout=5)
        left += len(alive)
        if driver.returncode == 0:
            break
        if driver.returncode != -signal.SIGKILL:
            killed["runs that stopped, and were resumed"] += 1
            print(said[-1500:], file=sys.stderr)
    kinds = {kind: count for kind, count in killed.items() if not kind.startswith("runs")}
    rows = read_store(path).rows
    return {
        "killed": kinds,
        "matches": Counter(row.status for row in rows),
        "kills": sum(kinds.values()),
        "stopped and resumed": killed["runs that stopped, and were resumed"],
        "processes left after 5 s": left,
        "same digest": printed.split()[-1:] == [expected],
        "seconds": round(time.monotonic() - began),
    }


def _kind(process):
    """The word of `VICTIMS` in a process's command, or "" for a zombie process."""
    command = _command(process)
    return next((word for word in VICTIMS if word in command), "")


def _family(pid):
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _command(process):
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def overhead():
    """CPU seconds of all processes, from the first event to the last, and of a bare loop."""
    found = {}
    for _ in range(3):
        for name in ("bare", "processes", "ray"):
            done = subprocess.run(
                [sys.executable, __file__, "one_rate", name, "2"],
                capture_output=True,
                text=True,
                check=True,
            )
            found.setdefault(name, []).append(json.loads(done.stdout)["cpu_rate"])
    best = {name: sorted(rates)[len(rates) // 2] for name, rates in found.items()}
    walls = {}
    for workers in ("1", "2"):
        done = subprocess.run(
            [sys.executable, __file__, "one_rate", "processes", workers],
            capture_output=True,
            text=True,
            check=True,
        )
        walls[workers] = json.loads(done.stdout)["wall_rate"]
    return {
        "matches per CPU second": best,
        "processes over bare": best["processes"] / best["bare"],
        "ray over bare": best["ray"] / best["bare"],
        "two workers over one, wall": walls["2"] / walls["1"],
    }


def one_rate(arguments):
    name, workers = arguments[0], int(arguments[1])
    if name == "bare":
        warm(BARE.canonical)
        began = time.process_time()
        for number in range(2 * BARE.deals):
            play_match(BARE, number)
        return {"cpu_rate": 2 * BARE.deals / (time.process_time() - began), "wall_rate": 0.0}
    marks = []
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder) / "run.sqlite", BARE.run_id, BARE.canonical) as store,
    ):
        tournament = Tournament(BARE, store, runner_named(name, workers, 60.0), None)
        tournament.run(
            lambda progress: marks.append((progress.stored, _cpu_of_all(), time.perf_counter()))
        )
        first = next(mark for mark in marks if mark[0] >= 60)
        matches, cpu, wall = (last - before for last, before in zip(marks[-1], first, strict=True))
    return {"cpu_rate": matches / cpu, "wall_rate": matches / wall}


def _cpu_of_all():
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


class Sleepers:
    """Workers that only sleep: thousands of them on one core."""

    workers = 1000

    def events(self, canonical, next_chunk):
        loop = asyncio.new_event_loop()
        try:
            pending = set()
            while True:
                while len(pending) < self.workers and (chunk := next_chunk()) is not None:
                    pending.add(loop.create_task(self._sleep(chunk)))
                if not pending:
                    return
                done, pending = loop.run_until_complete(
                    asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                )
                yield from (each.result() for each in done)
        finally:
            loop.close()

    async def _sleep(self, chunk):
        await asyncio.sleep(0.05)
        return Played(
            tuple(
                MatchRow(number, "played", -1, (1.0, -1.0), 10, f"{number:032x}")
                for number in chunk
            ),
            0.05,
        )


def driver():
    settings = Settings(
        games=("connect-four",), agents={"a": "random", "b": "random"}, deals=500_000, seed=1
    )
    samples = []

    def watch(progress):
        if progress.stored % 100_000 < 10:
            samples.append((progress.stored, psutil.Process().memory_info().rss))

    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(Path(folder) / "run.sqlite", settings.run_id, settings.canonical) as store,
    ):
        began, cpu = time.perf_counter(), time.process_time()
        tournament = Tournament(settings, store, Sleepers(), 10)
        tournament.run(watch)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    first, last = samples[0], samples[-1]
    return {
        "chunks per second": 100_000 / wall,
        "chunks per CPU second": 100_000 / cpu,
        "bytes per match": (last[1] - first[1]) / max(1, last[0] - first[0]),
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
    }


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    result = globals()[command](rest) if rest else globals()[command]()
    if result is not None:
        print(json.dumps(result))
