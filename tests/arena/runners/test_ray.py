"""Tournaments on Ray: equal digests, killed workers, a lost node, and faulty agents."""

import os
import random
import signal
import threading
import time

import psutil
import pytest

from plyglass.arena.runners import cluster
from plyglass.arena.runners.cluster import Cluster
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament, VoidMatch
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from tests.arena.test_faults import (
    GAMES,
    HANGING,
    PLAYERS,
    check_games,
    check_players,
    players,
)
from tests.arena.tournaments import BAD, SMALL
from tests.arena.tournaments import run as run_serial
from tests.sizes import sized

ray = pytest.importorskip("ray")
cluster_utils = pytest.importorskip("ray.cluster_utils")
pytestmark = [
    pytest.mark.skipif(not JIT, reason="too long for interpreted code"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::FutureWarning"
    ),
]
STORM = Settings(
    games=("connect-four",),
    agents={"a": "uct:iterations=400", "b": "uct:iterations=100"},
    deals=120,
    seed=2,
)


@pytest.fixture(scope="module")
def two_nodes():
    """A cluster of two nodes of one core each, besides a head without any."""
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def run(settings, path, chunk=None, match_seconds=60.0):
    with open_store(path, settings.run_id, settings.canonical) as store:
        tournament = Tournament(settings, store, Cluster(2, match_seconds), chunk)
        return tournament.run(), list(store.rows()), tournament.progress


class SlowToStart:
    """In place of Ray: as often as it is told, a part of it does not start in time."""

    def __init__(self, failures):
        self.failures, self.tries = failures, 0

    def init(self, **options):
        self.tries += 1
        if self.tries <= self.failures:
            raise Exception("The node timed out.\nMore of it.")  # noqa: TRY002  # as Ray does

    def shutdown(self):
        pass


def test_ray_has_two_tries_to_start_and_then_a_sentence_says_what_to_do():
    slow = SlowToStart(1)
    cluster._connect(slow, address="local")
    assert slow.tries == 2
    with pytest.raises(RuntimeError, match=r"^Ray did not start: The node timed out\. Finished"):
        cluster._connect(SlowToStart(2), address="local")


def test_ray_gives_the_same_digest(two_nodes, tmp_path):
    expected, _ = run_serial(SMALL, tmp_path)
    assert run(SMALL, tmp_path / "ray.sqlite", 7)[0].digest == expected.digest


def test_killed_workers_lose_nothing(two_nodes, tmp_path):
    expected, _ = run_serial(STORM, tmp_path)
    stop, killed = threading.Event(), []

    def kill():
        choose = random.Random(4)
        while not stop.wait(choose.uniform(0.2, 0.6)) and len(killed) < 5:
            workers = [
                each.pid for each in psutil.Process().children(recursive=True) if _plays(each)
            ]
            if workers:
                os.kill(choose.choice(workers), signal.SIGKILL)
                killed.append(1)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        outcome, _, progress = run(STORM, tmp_path / "ray.sqlite", 4)
    finally:
        stop.set()
        thread.join()
    assert len(killed) >= 3
    assert progress.lost >= 3
    assert outcome.digest == expected.digest


@pytest.mark.parametrize(
    ("bad", "status", "seconds"),
    [("Raises", "crashed", 30.0), ("Exits", "quarantined", 30.0), ("Hangs", "hung", 4.0)],
)
def test_a_bad_agent_gets_its_own_status_on_ray_too(two_nodes, bad, status, seconds, tmp_path):
    settings = Settings(
        games=("tic-tac-toe",), agents={"good": "random", "bad": f"{BAD}@{bad}:bad_turn=2"}, deals=1
    )
    _, rows, _ = run(settings, tmp_path / "ray.sqlite", 2, match_seconds=seconds)
    schedule = Schedule(settings)
    assert [row.status for row in rows] == [status, status]
    assert all(schedule[row.number].agents[row.offender] == "bad" for row in rows)


def test_faults_of_players_and_rules_are_the_same_on_ray(two_nodes, tmp_path):
    names = sized(
        ("ReturnsNone", "DecidesForFloat", "CallsExit", "Interrupts", "ClosesDescriptors"), PLAYERS
    )
    wanted = {name: PLAYERS[name] for name in names} | HANGING
    settings = Settings(
        games=("tic-tac-toe",),
        agents=players(*wanted),
        meeting="gauntlet",
        deals=1,
        hang_seconds=3.0,
    )
    outcome, rows, _ = run(settings, tmp_path / "ray.sqlite", 3)
    check_players(settings, rows, wanted)
    assert not outcome.quarantined
    settings = Settings(
        games=tuple(f"{GAMES}@{name}" for name in ("Fair", "IsNan", "NeverEnds")),
        agents={"a": "random", "b": "random"},
        deals=1,
        hang_seconds=3.0,
    )
    with pytest.warns(VoidMatch, match="the rule score gives player 1 nan"):
        _, rows, _ = run(settings, tmp_path / "rules.sqlite")
    check_games(settings, rows, {"Fair": "played", "IsNan": "void", "NeverEnds": "hung"})


@pytest.mark.nightly
def test_a_killed_actor_loses_nothing(two_nodes, tmp_path):
    expected, _ = run_serial(STORM, tmp_path)
    stop, killed = threading.Event(), []

    def kill():
        while not stop.wait(0.4) and len(killed) < 4:
            for process in psutil.Process().children(recursive=True):
                name = _command(process)
                if name.startswith("ray::Notes") or (
                    killed and name.startswith("ray::play_on_cluster")
                ):
                    os.kill(process.pid, signal.SIGKILL)
                    killed.append(name)
                    break

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        outcome, _, _ = run(STORM, tmp_path / "ray.sqlite", 4)
    finally:
        stop.set()
        thread.join()
    assert any("Notes" in name for name in killed)
    assert outcome.digest == expected.digest


def test_the_death_of_a_node_loses_nothing(two_nodes, tmp_path):
    expected, _ = run_serial(STORM, tmp_path)
    node = two_nodes.add_node(num_cpus=1)
    dying = threading.Timer(1.5, two_nodes.remove_node, (node,), {"allow_graceful": False})
    dying.start()
    outcome, _, _ = run(STORM, tmp_path / "ray.sqlite", 4)
    dying.join()
    time.sleep(0.1)
    assert outcome.digest == expected.digest


def _plays(process):
    return _command(process).startswith("ray::play_on_cluster")


def _command(process):
    try:
        return process.cmdline()[0]
    except (psutil.Error, IndexError):
        return ""
