"""A local Ray ends with its driver, however the driver dies; and a tournament as a Ray job."""

import contextlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import psutil
import pytest

from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from tests.arena.tournaments import SMALL, STORM
from tests.arena.tournaments import run as run_serial

pytest.importorskip("ray")
pytestmark = [
    pytest.mark.skipif(not JIT, reason="too long for interpreted code"),
    pytest.mark.skipif(sys.platform != "linux", reason="the guardian is for Linux"),
]
LONG = Settings(
    games=("connect-four",),
    agents={"a": "uct:iterations=1000", "b": "uct:iterations=300"},
    deals=5000,
    seed=6,
)


def test_nothing_of_ray_outlives_a_killed_driver_by_five_seconds(tmp_path):
    (tmp_path / "settings.json").write_text(LONG.canonical)
    (tmp_path / "driver.py").write_text(STORM)
    results = tmp_path / "run.sqlite"
    command = [
        sys.executable,
        str(tmp_path / "driver.py"),
        str(tmp_path / "settings.json"),
        str(results),
        "ray",
    ]
    driver = subprocess.Popen(command, start_new_session=True)
    family = []
    try:
        until = time.monotonic() + 120
        while (
            not any("play_on_cluster" in _name(each) for each in family)
            and time.monotonic() < until
        ):
            time.sleep(0.2)
            family = psutil.Process(driver.pid).children(recursive=True)
        time.sleep(2.0)  # the guardian looks once a second
        family = psutil.Process(driver.pid).children(recursive=True)
        names = {_name(each) for each in family}
        assert {"ray::DashboardAgent", "ray::RuntimeEnvAgent"} <= names
    finally:
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    _, alive = psutil.wait_procs(family, timeout=20)
    left = [_name(each) for each in alive]
    for each in alive:
        each.kill()
    assert left == []


def test_a_tournament_can_be_submitted_as_a_ray_job(tmp_path):
    """On a cluster of this machine with a token of its own, through the loopback address."""
    expected, _ = run_serial(SMALL, tmp_path)
    agents = "\n".join(f'{name} = "{text}"' for name, text in SMALL.agents.items())
    (tmp_path / "job").mkdir()
    text = (
        f"games = {json.dumps(SMALL.games)}\ndeals = {SMALL.deals}\nseed = "
        f"{SMALL.seed}\n[agents]\n{agents}\n"
    )
    (tmp_path / "job" / "settings.toml").write_text(text)
    port, client_port = _free_ports(2)
    address = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    ray = [sys.executable, "-m", "ray.scripts.scripts"]
    with tempfile.TemporaryDirectory(
        prefix="ray-", ignore_cleanup_errors=True
    ) as folder:  # a short path: sockets are in it
        start = [
            "start",
            "--head",
            "--block",
            "--num-cpus=2",
            "--port=0",
            "--disable-usage-stats",
            f"--temp-dir={folder}",
        ]
        dashboard = [
            "--dashboard-host=127.0.0.1",
            f"--dashboard-port={port}",
            f"--ray-client-server-port={client_port}",
        ]
        head = subprocess.Popen(
            [*ray, *start, *dashboard],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait_for(address)
            play = [
                sys.executable,
                "-m",
                "plyglass",
                "tournament",
                "settings.toml",
                "--runner",
                "ray",
                "--out",
                str(tmp_path),
                "--json",
            ]
            submit = [
                "job",
                "submit",
                f"--address={address}",
                f"--working-dir={tmp_path / 'job'}",
                "--",
            ]
            done = subprocess.run(
                [*ray, *submit, *play], env=environment, capture_output=True, text=True, timeout=300
            )
        finally:
            family = [psutil.Process(head.pid), *psutil.Process(head.pid).children(recursive=True)]
            head.terminate()
            _, alive = psutil.wait_procs(family, timeout=30)
            for each in alive:
                each.kill()
            head.wait()
    assert done.returncode == 0, done.stdout + done.stderr
    (printed,) = [line for line in done.stdout.splitlines() if line.startswith('{"digest"')]
    assert json.loads(printed)["digest"] == expected.digest


def _wait_for(address):
    for _ in range(240):
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except urllib.error.HTTPError as error:  # it answers, if only to ask for the token
            error.close()
            return
        except OSError:
            time.sleep(0.25)
        else:
            return
    raise TimeoutError(f"Ray's dashboard did not answer at {address} within a minute.")


def _free_ports(count):
    """Free ports of a range from which the system assigns none, as to another test."""
    found = set()
    while len(found) < count:
        with (
            contextlib.suppress(OSError),
            socket.create_server(("127.0.0.1", 20_000 + secrets.randbelow(10_000))) as server,
        ):
            found.add(server.getsockname()[1])
    return list(found)


def _name(process):
    try:
        return process.name()
    except psutil.Error:
        return ""
