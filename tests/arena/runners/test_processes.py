"""Worker processes: killed workers and drivers lose nothing, and bad agents are named."""

import concurrent.futures
import os
import random
import signal
import subprocess
import sys
import time

import pebble
import psutil
import pytest

from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from plyglass.report.standings import standings
from tests.arena.tournaments import BAD, STORM, run
from tests.sizes import sized

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


@pytest.mark.parametrize(
    ("bad", "status"),
    [
        ("PlaysIllegally", "illegal"),
        ("PlaysNan", "illegal"),
        ("Raises", "crashed"),
        ("AllocatesFourGigabytes", "crashed"),
        ("Exits", "quarantined"),
        ("Hangs", "hung"),
    ],
)
def test_a_bad_agent_gets_its_own_status_and_the_run_completes(bad, status, tmp_path):
    settings = Settings(
        games=("tic-tac-toe",),
        agents={"good": "random", "bad": f"{BAD}@{bad}:bad_turn=2", "other": "random"},
        deals=1,
        match_seconds=3.0,
    )
    outcome, rows = run(settings, tmp_path, "processes", 2, 3)
    schedule = Schedule(settings)
    assert len(rows) == 6
    for row in rows:
        agents = schedule[row.number].agents
        if "bad" in agents:
            assert row.status == status
            assert agents[row.offender] == "bad"
        else:
            assert row.status == "played"
    assert (len(outcome.quarantined) == 4) == (status == "quarantined")
    assert next(line for line in standings(settings, rows) if line.agent == "bad").faults == 4


def test_killed_workers_and_drivers_lose_nothing_and_leave_no_orphan(tmp_path):
    settings = Settings(
        games=("connect-four",),
        agents={"a": "uct:iterations=400", "b": "uct:iterations=100"},
        deals=400,  # enough that the run outlives two killed drivers
        seed=2,
    )
    expected, _ = run(settings, tmp_path)
    (tmp_path / "settings.json").write_text(settings.canonical)
    (tmp_path / "storm.py").write_text(STORM)
    command = [
        sys.executable,
        str(tmp_path / "storm.py"),
        str(tmp_path / "settings.json"),
        str(tmp_path / "run.sqlite"),
        "processes",
    ]
    choose, workers_killed, drivers_killed, orphans = random.Random(1), 0, 0, []
    while True:
        driver = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        until = time.monotonic() + choose.uniform(3.0, 5.0) if drivers_killed < 2 else float("inf")
        while driver.poll() is None and time.monotonic() < until:
            time.sleep(choose.uniform(0.05, 0.3))
            children = [each for each in _children(driver.pid) if _is_worker(each)]
            if children and workers_killed < 6:
                choose.choice(children).kill()
                workers_killed += 1
        if driver.poll() is not None:
            break
        orphans += _children(driver.pid)
        os.kill(driver.pid, signal.SIGKILL)
        driver.communicate()
        drivers_killed += 1
    printed, _ = driver.communicate()
    assert driver.returncode == 0
    assert printed.strip() == expected.digest
    assert drivers_killed == 2
    assert workers_killed == 6
    _, alive = psutil.wait_procs(orphans, timeout=20)
    assert not alive


@pytest.mark.skipif(sys.platform != "linux", reason="the guardian is for Linux")
def test_workers_of_a_killed_driver_are_gone_within_two_seconds(tmp_path):
    settings = Settings(
        games=("tic-tac-toe",), agents={"a": "uct:iterations=2000", "b": "random"}, deals=5000
    )
    (tmp_path / "settings.json").write_text(settings.canonical)
    (tmp_path / "storm.py").write_text(STORM)
    words = [str(tmp_path / each) for each in ("storm.py", "settings.json", "run.sqlite")]
    for number in range(sized(2, 10)):
        driver = subprocess.Popen([sys.executable, *words, "processes"])
        started = []
        while len(started) < 2:  # one that is about to start, and later ones that play
            started = [each for each in _children(driver.pid) if _is_worker(each)]
            time.sleep(0.01)
        time.sleep(0.3 * number)
        left = _children(driver.pid)
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
        until = time.monotonic() + 2
        while any(map(_lives, left)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not [each for each in left if _lives(each)]


@pytest.mark.parametrize("forgets", ["silently", "loudly"])
def test_a_pool_that_breaks_before_a_chunk_is_given_out_loses_nothing(
    forgets, tmp_path, monkeypatch
):
    class Broken:
        """What is left of a pool whose workers died before they had begun."""

        active = False

        def schedule(self, *_, **__):
            if forgets == "loudly":
                raise RuntimeError("Unexpected error within the Pool")
            return concurrent.futures.Future()

        def stop(self):
            broken.append(self)

        def join(self, timeout):
            pass

    broken, pool = [], pebble.ProcessPool
    monkeypatch.setattr(
        pebble, "ProcessPool", lambda *words, **more: pool(*words, **more) if broken else Broken()
    )
    settings = Settings(
        games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=4, seed=2
    )
    outcome, rows = run(settings, tmp_path, "processes", 2, 2)
    assert len(broken) == 1
    assert len(rows) == 8
    assert outcome.digest == run(settings, tmp_path)[0].digest


def _is_worker(process):
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:  # it has just died
        return False


def _lives(process):
    """Whether a process is neither gone nor only waits to be reaped by another one's parent."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _children(pid):
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []
