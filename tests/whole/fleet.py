"""A fleet of servers under attack: replicas behind HAProxy, one database, bots, and kills.

Three replicas share a PostgreSQL database, behind HAProxy with `deploy/haproxy.cfg`. Bots play kept
matches of games with hidden information. First, each replica in turn receives a signal to stop, and
is started again. Then workers and replicas are killed at random, and the database is restarted.

A bot sends every request again until it is answered. In the end each match must be over, and its
record must have exactly the bot's actions and must verify.
"""

import collections
import contextlib
import dataclasses
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

from plyglass.arena.match.record import Record, verify
from plyglass.serve.client import Client, ServerProblem, hosted
from tests.serve.databases import database
from tests.whole.servers import Server

PROXY = Path(__file__).parents[2] / "deploy" / "haproxy.cfg"
GAMES = {"duel": 2, "dark-hex": 2, "battleship": 1}  # the number of players
SETTINGS = """
[games]
duel = "duel"
dark-hex = "dark-hex:size=4"
battleship = "battleship:size=6,longest=3"
[levels.duel]
easy = "uct:iterations=20"
[levels.dark-hex]
easy = "uct:iterations=20"
[levels.battleship]
easy = "uct:iterations=20"
"""
MOST_SECONDS = 600  # that a request is sent again and again
LEAST_MOVES = 20  # of a match that counts
OWN_DECISIONS = 12  # of a bot in a match, at least; by these the kills are spread over the run


@dataclasses.dataclass(frozen=True)
class Plan:
    """How much is played and killed."""

    matches: int
    kills: int
    restarts: int
    bots: int = 6
    seed: int = 1


class Replica:
    """A server on a port of its own, started again after each end."""

    def __init__(self, folder, port, store, keys):
        self._folder, self.port, self._store, self._keys = folder, port, store, keys
        self._config = folder / "serve.toml"
        self._config.write_text(SETTINGS)
        self.started = 0
        self.seen = set()  # all processes that were noticed
        self.start()

    def start(self):
        self.started += 1
        log = self._folder / f"log-{self.port}-{self.started}"
        words = [
            "serve", "--no-browser", "--config", self._config, "--port", str(self.port),
            "--workers", "1", "--store", self._store, "--keys", self._keys,
        ]  # fmt: skip
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "plyglass", *words], stdout=output, stderr=output
            )
        self.server = Server(process, self.port, log)

    def processes(self):
        with contextlib.suppress(psutil.NoSuchProcess):
            own = psutil.Process(self.server.process.pid)
            self.seen |= {own, *own.children(recursive=True)}
        return self.seen

    def kill(self):
        """End the front as a crash would, and start it again."""
        self.processes()
        self.server.stop(signal.SIGKILL)
        self.start()

    def kill_worker(self):
        """End a worker; False if there is none now."""
        self.processes()
        try:
            (worker, *_) = self.server.workers()
            worker.kill()
        except (ValueError, IndexError, psutil.NoSuchProcess):
            return False
        return True

    def drain(self):
        """Tell the server to stop as a supervisor does, and start it again."""
        self.processes()
        assert self.server.stop() == 0
        self.start()
        self.server.wait()


class Fleet:
    """Replicas, bots and chaos; what happened is counted."""

    def __init__(self, plan, folder, url, replicas, base):
        self._plan, self._folder, self._url = plan, folder, url
        self._replicas, self._base = replicas, base
        self._lock = threading.Lock()
        self._chance = random.Random(plan.seed)
        self._is_over = False
        self.decisions = self.counted = 0
        self.records = []
        self.problems = collections.Counter()
        self.problems_of_drains = {}
        self.done = collections.Counter()
        self.faults = []

    # -- chaos

    def harm(self):
        """Stop each replica in turn; then kill and restart at random until all is done."""
        try:
            self._until(10)
            for replica in self._replicas:
                replica.drain()
                self.done["drains"] += 1
            self.problems_of_drains = dict(self.problems)
            worse = ["kill"] * self._plan.kills + ["restart"] * self._plan.restarts
            self._chance.shuffle(worse)
            pace = max(1.0, self._plan.matches * OWN_DECISIONS / (len(worse) + 1))
            for each in worse:
                self._until(self.decisions + self._chance.expovariate(1 / pace))
                if each == "restart":
                    self._base.restart()
                    self.done["restarts of PostgreSQL"] += 1
                else:
                    self._kill()
            self._is_over = True
        except BaseException as fault:
            self._fail(fault)

    def _kill(self):
        """Kill a worker, or in a third of cases a whole replica."""
        replica = self._chance.choice(self._replicas)
        if self._chance.random() < 1 / 3:
            replica.kill()
            self.done["replicas killed"] += 1
            return
        while not replica.kill_worker():
            self._until(self.decisions)
            time.sleep(0.1)
            replica = self._chance.choice(self._replicas)
        self.done["workers killed"] += 1

    def _until(self, decisions):
        while self.decisions < decisions and not self.faults:
            time.sleep(0.005)
        if self.faults:
            raise RuntimeError("somebody else failed")

    def _fail(self, fault):
        with self._lock:
            self.faults.append(fault)

    # -- bots

    def play(self, number):
        """Play matches until enough are over and nothing more is killed."""
        chance, client = random.Random(f"{self._plan.seed} {number}"), Client(self._url)
        names = sorted(GAMES)
        try:
            while not self.faults and (self.counted < self._plan.matches or not self._is_over):
                self._match(client, names[chance.randrange(len(names))], chance)
        except BaseException as fault:
            self._fail(fault)
        finally:
            client.close()

    def _match(self, client, game, chance):
        seats = ["level:easy"] * GAMES[game]
        seats[chance.randrange(len(seats))] = "me"
        placed = self._patiently(lambda: client.start(game, seats))
        own = []
        while not placed["position"]["over"]:
            action = chance.choice(placed["position"]["actions"])["id"]
            own.append(action)
            placed = self._acted(client, placed, action)
            with self._lock:
                self.decisions += 1
        record = self._patiently(lambda: client.record(placed))
        seat = placed["position"]["seat"]
        played = [move["action"] for move in record["moves"] if move["player"] == seat]
        assert played == own, f"{game}: the bot played {own}, the record has {played}"
        assert record["scores"] == placed["position"]["scores"]
        with self._lock:
            self.counted += len(record["moves"]) >= LEAST_MOVES
            file = self._folder / f"record-{len(self.records)}.json"
            self.records.append(file)
        file.write_text(json.dumps(record))

    def _acted(self, client, placed, action):
        """The position after an action, which may have been played by an earlier request."""
        ply = placed["position"]["ply"]
        try:
            return self._patiently(lambda: client.act(placed, action))
        except ServerProblem as problem:
            if problem.code != "other-ply":
                raise
            found = self._patiently(lambda: client.post("/v1/matches/position", hosted(placed)))
            assert found["position"]["ply"] == ply + 1, (ply, found["position"]["ply"])
            return found

    def _patiently(self, ask):
        end = time.monotonic() + MOST_SECONDS
        while time.monotonic() < end and not self.faults:
            try:
                return ask()
            except ServerProblem as problem:
                self._note(f"{problem.status} {problem.code}: {problem}")
                if problem.retry_after_ms is None:
                    raise
                time.sleep(problem.retry_after_ms / 1000)
            except (OSError, http.client.HTTPException) as error:
                self._note(type(error).__name__)
                time.sleep(0.1)
        raise TimeoutError("a request was never answered")

    def _note(self, name):
        with self._lock:
            self.problems[name] += 1


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


@contextlib.contextmanager
def proxy(folder, front, ports):
    """HAProxy with our configuration, at other ports."""
    text = PROXY.read_text().replace("bind :8008", f"bind 127.0.0.1:{front}")
    for place, port in enumerate(ports):
        assert f"127.0.0.1:{8011 + place}\n" in text
        text = text.replace(f"127.0.0.1:{8011 + place}\n", f"127.0.0.1:{port}\n")
    config = folder / "haproxy.cfg"
    config.write_text(text)
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")
    with (folder / "haproxy.log").open("w") as log:
        process = subprocess.Popen([program, "-db", "-f", config], stdout=log, stderr=log)
    try:
        yield
    finally:
        process.kill()
        process.wait()


def until_ready(front, seconds=30):
    """Wait until the proxy sends requests to a replica."""
    client, end = Client(f"http://127.0.0.1:{front}"), time.monotonic() + seconds
    while True:
        try:
            client.ask("GET", "/readyz")
        except (OSError, ServerProblem):
            assert time.monotonic() < end, "the proxy finds no replica"
            time.sleep(0.1)
        else:
            return client.close()


def run(plan, folder):
    """Play and kill as planned; return what happened, or raise the first fault."""
    began = time.monotonic()
    front, *ports = free_ports(4)
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(database())
        replicas = []
        for port in ports:
            replicas.append(Replica(folder, port, base.url, folder / "keys"))
            stack.callback(lambda each=replicas[-1]: each.server.stop(signal.SIGKILL))
        for replica in replicas:
            replica.server.wait()
        stack.enter_context(proxy(folder, front, ports))
        until_ready(front)
        fleet = Fleet(plan, folder, f"http://127.0.0.1:{front}", replicas, base)
        threads = [threading.Thread(target=fleet.harm)]
        threads += [threading.Thread(target=fleet.play, args=(each,)) for each in range(plan.bots)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen = set().union(*(replica.processes() for replica in replicas))
    if fleet.faults:
        raise fleet.faults[0]
    _, left = psutil.wait_procs(seen, timeout=20)
    for file in fleet.records:
        verify(Record.load(file))
    return {
        "matches": len(fleet.records),
        f"matches of at least {LEAST_MOVES} actions": fleet.counted,
        "decisions of bots": fleet.decisions,
        **fleet.done,
        "problems while replicas drained": fleet.problems_of_drains,
        "problems that bots were told": dict(fleet.problems),
        "records verified": len(fleet.records),
        "processes left": len(left),
        "seconds": round(time.monotonic() - began),
        "cores": os.cpu_count(),
    }
