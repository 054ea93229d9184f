"""Files for deploying a server: each is read by its own program where that is installed."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from plyglass.cli import app
from plyglass.serve.app import app_for
from plyglass.serve.desk import Desk
from plyglass.serve.metrics import Metrics
from plyglass.serve.run import NOTICE, PATIENCE, refuse_open_door
from plyglass.serve.settings import Settings
from plyglass.serve.tickets import Seal

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "deploying.md").read_text(encoding="utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
SETTLE = NOTICE + PATIENCE  # seconds that a server needs to stop


def program(name):
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    return found or pytest.skip(f"{name} is not installed")


def instructions():
    """The instructions of the Dockerfile, as (name, rest)."""
    lines = [line for line in DOCKERFILE.splitlines() if line and not line.startswith("#")]
    return [tuple(line.split(" ", 1)) for line in lines]


def manifests():
    found = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))
    return {each["kind"]: each for each in found}


def pod():
    return manifests()["Deployment"]["spec"]["template"]["spec"]


def unit():
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(DEPLOY / "plyglass.service")
    return parser


def options(words):
    return {word.partition("=")[0] for word in words if word.startswith("--")}


def known_options():
    group = typer.main.get_command(app)
    command = group.get_command(typer.Context(group), "serve")
    return {name for each in command.params for name in (*each.opts, *each.secondary_opts)}


def test_haproxy_reads_its_file():
    command = re.search(r"^haproxy .*", PAGE, re.MULTILINE)[0].split()
    done = subprocess.run(
        [program("haproxy"), *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr


def test_haproxy_answers_with_problems():
    text = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    answers = re.findall(r"http-error status (\d+) .* string '(.*)'", text)
    assert {status for status, _ in answers} == {"502", "503", "504"}
    for _, body in answers:
        assert json.loads(body).keys() == {"code", "message", "retry_after_ms"}


def test_systemd_reads_its_unit(tmp_path):
    text = (DEPLOY / "plyglass.service").read_text(encoding="utf-8")
    file = tmp_path / "plyglass.service"
    file.write_text(text.replace("/opt/plyglass/bin/plyglass", shutil.which("true")))
    done = subprocess.run(
        [program("systemd-analyze"), "verify", file], capture_output=True, text=True, check=False
    )
    assert "plyglass.service" not in done.stderr, done.stderr
    assert done.returncode == 0


def test_hadolint_finds_nothing():
    done = subprocess.run(
        [program("hadolint"), DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_image_runs_as_nobody_in_particular_and_copies_files_that_exist():
    names = [name for name, _ in instructions()]
    assert names[0] == "FROM"
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert dict(instructions())["USER"] == str(pod()["securityContext"]["runAsUser"])
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("dist/"):
            *sources, _ = (word for word in rest.split() if not word.startswith("--"))
            assert all((ROOT / source).exists() for source in sources)


@pytest.mark.nightly
def test_the_image_compiles_its_games(tmp_path):
    line = next(rest for name, rest in instructions() if name == "RUN" and "work.warm" in rest)
    variable, _, _, code, _ = shlex.split(line)
    file = tmp_path / "serve.toml"
    file.write_text('[games]\ntic-tac-toe = "tic-tac-toe"\n')
    name, _, value = variable.partition("=")
    command = [sys.executable, "-c", code, file]
    subprocess.run(command, env={**os.environ, name: value}, check=True)


def test_every_option_is_one_of_the_server():
    parts = dict(instructions())
    used = {
        "Dockerfile": json.loads(parts["ENTRYPOINT"]) + json.loads(parts["CMD"]),
        "systemd": shlex.split(unit()["Service"]["ExecStart"]),
        "Kubernetes": pod()["containers"][0]["args"],
    }
    for place, words in used.items():
        assert options(words), place
        assert options(words) <= known_options(), place


def test_nobody_kills_a_server_before_it_has_ended_its_work():
    service = unit()["Service"]
    assert int(service["TimeoutStopSec"]) > SETTLE
    assert service["KillMode"] == "mixed"
    sleep = pod()["containers"][0]["lifecycle"]["preStop"]["exec"]["command"]
    assert pod()["terminationGracePeriodSeconds"] > SETTLE + int(sleep[1])


def test_probes_ask_what_the_server_answers_and_name_a_host_that_it_knows():
    served = app_for(Settings(), 1, Seal.of_file(None))
    paths = {getattr(route, "path", None) for route in served.routes}
    container = pod()["containers"][0]
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        asked = container[probe]["httpGet"]
        assert asked["path"] in paths
        assert asked["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
    ready = container["readinessProbe"]
    assert ready["periodSeconds"] * ready["failureThreshold"] < NOTICE


def test_the_autoscaler_looks_at_a_metric_of_the_server():
    scaler = manifests()["HorizontalPodAutoscaler"]["spec"]
    told = metric_names()
    assert {each["pods"]["metric"]["name"] for each in scaler["metrics"]} <= told
    assert scaler["scaleTargetRef"]["name"] == manifests()["Deployment"]["metadata"]["name"]


def metric_names():
    """The names of all metrics, without asking for their values, which needs workers."""
    return {*Metrics(Desk()).registry._names_to_collectors}


@pytest.mark.parametrize("place", ["serve.toml", "kubernetes.yaml"])
def test_settings_are_read_and_let_a_server_start(place, tmp_path):
    text = (DEPLOY / "serve.toml").read_text(encoding="utf-8")
    if place == "kubernetes.yaml":
        text = manifests()["ConfigMap"]["data"]["serve.toml"]
    file = tmp_path / "serve.toml"
    file.write_text(text)
    settings = Settings.read(file)
    refuse_open_door(settings, "0.0.0.0")
    assert settings.tokens


def test_a_server_that_is_known_by_a_name_needs_tokens():
    """Behind a proxy on its machine, every request comes from this machine."""
    with pytest.raises(ValueError, match="needs tokens"):
        refuse_open_door(Settings(hosts=("play.example.org",)), "127.0.0.1")
