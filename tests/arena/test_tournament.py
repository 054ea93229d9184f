"""Tournaments: one digest whoever plays, nothing lost and nothing twice, and bad agents by name."""

import concurrent.futures
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pebble
import psutil
import pytest

from plyglass.arena.runners import Played, Serial, runner_named
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings, Stop
from plyglass.arena.tournament.work import play_match
from plyglass.core.compile import JIT
from plyglass.report.standings import standings

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
BAD = Path(__file__).parent / "bad_agents.py"
SMALL = Settings(
    games=("tic-tac-toe", "kuhn-poker"),
    agents={"a": "uct:iterations=20", "b": "uct:iterations=40", "c": "random"},
    deals=17,
    seed=5,
)


def run(settings, folder, runner="serial", workers=1, chunk=None):
    with open_store(
        folder / f"{runner}-{workers}-{chunk}.sqlite", settings.run_id, settings.canonical
    ) as store:
        tournament = Tournament(
            settings, store, runner_named(runner, workers, settings.match_seconds), chunk
        )
        return tournament.run(), list(store.rows())


def test_numbers_are_balanced_and_paired():
    schedule = Schedule(SMALL)
    assert len(schedule) == 17 * 2 * 3 * 2
    one, other = schedule[0], schedule[1]
    assert one.agents == other.agents[::-1]
    assert one.seed == other.seed
    assert one.pair == other.pair
    same_deal = {schedule[number].seed for number in range(12) if schedule[number].game == 0}
    assert len(same_deal) == 1  # every meeting of a deal has the same luck
    with pytest.raises(IndexError):
        schedule[len(schedule)]


def test_a_match_is_a_pure_function_of_settings_and_number():
    assert play_match(SMALL, 33) == play_match(SMALL, 33)
    assert play_match(SMALL, 0).digest != play_match(SMALL, 12).digest


def test_settings_are_read_from_toml_and_mistakes_are_named(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["pig:goal=10"]\ndeals = 2\n[agents]\na = "random"\nb = "random"\n[stop]\nrule = "sprt"\n'
    )
    settings = Settings.load(path)
    assert settings.stop == Stop("sprt")
    assert Settings.from_canonical(settings.canonical) == settings
    path.write_text('games = ["pig"]\ndeal = 2\n')
    with pytest.raises(
        ValueError, match="there is no setting 'deal'; the settings are games, agents"
    ):
        Settings.load(path)
    path.write_text('games = ["pig"]\n[agents]\na = "uctt"\n')
    with pytest.raises(ValueError, match="There is no planner 'uctt'"):
        Settings.load(path)


def test_one_digest_for_every_runner_chunk_and_order(tmp_path):
    expected, rows = run(SMALL, tmp_path)
    assert len(rows) == 204
    for chunk in (1, 7, 100):
        assert run(SMALL, tmp_path, "serial", 1, chunk)[0].digest == expected.digest
    assert run(SMALL, tmp_path, "processes", 2, 7)[0].digest == expected.digest

    class Shuffled(Serial):
        """Plays chunks in a random order and tells each result up to three times."""

        def events(self, canonical, next_chunk):
            chunks = []
            while (chunk := next_chunk()) is not None:
                chunks.append(chunk)
            choose = random.Random(3)
            events = [
                event
                for event in super().events(canonical, iter([*chunks, None]).__next__)
                for _ in range(choose.randint(1, 3))
            ]
            choose.shuffle(events)
            yield from events

    with open_store(tmp_path / "shuffled.sqlite", SMALL.run_id, SMALL.canonical) as store:
        assert Tournament(SMALL, store, Shuffled(), 5).run().digest == expected.digest


def test_a_run_that_was_stopped_goes_on(tmp_path):
    class Interrupted(Serial):
        def events(self, canonical, next_chunk):
            for number, event in enumerate(super().events(canonical, next_chunk)):
                if number == 3:
                    raise KeyboardInterrupt
                yield event

    expected, _ = run(SMALL, tmp_path)
    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        with pytest.raises(KeyboardInterrupt):
            Tournament(SMALL, store, Interrupted(), 10).run()
        assert len(list(store.rows())) == 30
    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        played = []
        outcome = Tournament(SMALL, store, Serial(), 10).run(
            lambda progress: played.append(progress.stored)
        )
        assert played[0] == 40
        assert outcome.digest == expected.digest


@pytest.mark.parametrize("rule", ["sprt", "sequential"])
def test_a_stopping_rule_stops_at_the_same_match_for_one_worker_and_many(rule, tmp_path):
    stop = Stop(rule, elo0=0.0, elo1=100.0)
    settings = Settings(
        games=("connect-four",),
        agents={"a": "uct:iterations=200", "b": "random"},
        deals=200,
        seed=9,
        stop=stop,
    )
    one, _ = run(settings, tmp_path, "serial", 1, 1)
    assert one.counted < 100
    assert one.counted % 2 == 0
    assert ("H1 accepted" if rule == "sprt" else "the mean difference is") in one.decision
    for runner, workers, chunk in (("serial", 1, 13), ("processes", 2, 5)):
        again, _ = run(settings, tmp_path, runner, workers, chunk)
        assert (again.counted, again.decision, again.digest) == (
            one.counted,
            one.decision,
            one.digest,
        )


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


def test_faults_are_lost_or_left_out_as_the_settings_say(tmp_path):
    for policy, games in (("forfeit", 2), ("exclude", 0)):
        settings = Settings(
            games=("tic-tac-toe",),
            agents={"good": "random", "bad": f"{BAD}@Raises"},
            deals=1,
            on_fault=policy,
        )
        _, rows = run(
            settings, tmp_path / policy if (tmp_path / policy).mkdir() is None else tmp_path
        )
        found = {line.agent: line for line in standings(settings, rows)}
        assert (found["good"].games if found else 0) == games
        if games:
            assert found["good"].rate == 1.0


STORM = """
import sys
from plyglass.arena.runners import runner_named
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
if __name__ == "__main__":
    settings = Settings.from_canonical(open(sys.argv[1]).read())
    with open_store(sys.argv[2], settings.run_id, settings.canonical) as store:
        print(Tournament(settings, store, runner_named(sys.argv[3], 2, 60.0), 6).run().digest)
"""


def test_killed_workers_and_drivers_lose_nothing_and_leave_no_orphan(tmp_path):
    settings = Settings(
        games=("connect-four",),
        agents={"a": "uct:iterations=400", "b": "uct:iterations=100"},
        deals=100,
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
    _, alive = psutil.wait_procs(orphans, timeout=5)
    assert not alive


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


def _children(pid):
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def test_the_command_ends_with_digest_and_table(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["kuhn-poker"]\ndeals = 4\n[agents]\na = "random"\nb = "uct:iterations=10"\n'
    )
    command = [
        sys.executable,
        "-m",
        "plyglass",
        "tournament",
        str(path),
        "--runner",
        "serial",
        "--out",
        str(tmp_path / "out"),
        "--json",
    ]
    first, again = (
        json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        for _ in range(2)
    )
    assert first == again
    assert {line["agent"] for line in first["table"]} == {"a", "b"}
    assert first["matches"] == 8


def test_a_chunk_is_sized_by_the_time_that_matches_take(tmp_path):
    sizes = []

    class Watching:
        workers = 1

        def events(self, canonical, next_chunk):
            settings = Settings.from_canonical(canonical)
            while (chunk := next_chunk()) is not None:
                sizes.append(len(chunk))
                yield Played(
                    tuple(play_match(settings, number) for number in chunk), 0.1 * len(chunk)
                )

    with open_store(tmp_path / "run.sqlite", SMALL.run_id, SMALL.canonical) as store:
        Tournament(SMALL, store, Watching()).run()
    assert sizes[0] == 1
    assert sizes[1] == 5  # half a second at a tenth each
