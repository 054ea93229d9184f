"""A newcomer installs the wheel in an empty environment and follows README and tutorials."""

import importlib.util
import json
import os
import re
import resource
import socket
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from plyglass.core.compile import JIT

from ..core.wrong_rules import TEN
from .documents import run_document

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
WITH_UV = importlib.util.find_spec("uv") is not None  # much faster than pip
# The most CPU time of a command, in processes that only import NumPy; it was 0.7, 1.1 and 3.8, and
# on a machine with little time 0.75, 1.6 and 4.3.
MOST_IMPORTS = {
    ("plyglass", "--help"): 1.0,
    ("plyglass", "games"): 2.1,
    ("plyglass", "match", "connect-four", "random", "random"): 5.5,
}
READY_IMPORTS = 3.0  # the most CPU time until the first match of `MATCH` is over; it was 1.8
NUMPY = ["python", "-c", "import numpy"]
MATCH = [
    "plyglass",
    "match",
    "connect-four",
    "uct:iterations=1000",
    "random",
    "--games",
    "20",
    "--json",
]


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    """The environment variables of somebody who has just installed the wheel."""
    folder = tmp_path_factory.mktemp("newcomer")
    # pip's environment for builds differs more from a user's than that of `python -m build`
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, ROOT]
    subprocess.run(build, check=True, capture_output=True)
    wheel = next(folder.glob("*.whl"))
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "uv", "pip"] if WITH_UV else [python, "-m", "pip"]
    target = ["--python", python] if WITH_UV else []
    subprocess.run([*pip, "install", *target, f"{wheel}[arena]"], check=True, capture_output=True)
    path = f"{folder / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return {
        **os.environ,
        "PATH": path,
        "PLYGLASS_CACHE": str(folder / "cache"),
        "HOME": str(folder),
        "PYTHONPATH": "",
    }


def test_the_readme_runs_from_top_to_bottom(newcomer, tmp_path):
    printed = run_document(ROOT / "README.md", tmp_path, newcomer)
    assert len(printed) >= 4
    assert "connect-four" in printed[0]


def test_the_tutorial_leads_to_a_game_in_a_file_of_ones_own(newcomer, tmp_path):
    printed = run_document(ROOT / "docs" / "adding-a-game.md", tmp_path, newcomer)
    assert "FAILED" not in printed[0]
    assert "of 40 games of poison_nim.py" in " ".join(printed[1].split())
    lines = [line for line in (tmp_path / "poison_nim.py").read_text().splitlines() if line.strip()]
    assert lines.index("class PoisonNim(pg.Game):") <= 80


def test_the_tutorial_leads_to_a_planner_of_ones_own_and_to_a_package(newcomer, tmp_path):
    printed = run_document(ROOT / "docs" / "adding-a-planner.md", tmp_path, newcomer)
    won = re.search(r"won (\d+), drew .* of 20 games of duel", " ".join(printed[1].split()))
    assert int(won[1]) >= 15  # the luck of players of one's own is not known beforehand
    install = ["python", "-m", "pip", "install", "--quiet", "--no-deps", str(tmp_path)]
    subprocess.run(install, env=newcomer, check=True, capture_output=True)
    try:
        listed = json.loads(run(["plyglass", "planners", "--json"], newcomer))
        assert listed["swift"] == "Cautious, with its loop compiled. (from careful-planners)"
        match = ["plyglass", "match", "duel", "swift:iterations=30", "random", "--games", "4"]
        assert "swift:iterations=30 won 4" in run(match, newcomer)
    finally:
        remove = ["python", "-m", "pip", "uninstall", "--quiet", "--yes", "careful-planners"]
        subprocess.run(remove, env=newcomer, check=True, capture_output=True)


def test_the_tutorial_leads_to_a_belief_of_ones_own(newcomer, tmp_path):
    printed = run_document(ROOT / "docs" / "adding-a-belief.md", tmp_path, newcomer)
    assert "exact {0: 0.5, 2: 0.5}" in printed[2]
    assert "0 / 30" in printed[3]


@pytest.mark.parametrize(
    "name",
    [
        "beliefs",
        "comparing-planners",
        "an-opponent",
        "auto",
        pytest.param("learning", marks=pytest.mark.nightly),  # it compiles a game
    ],
)
def test_the_other_pages_run_too(name, newcomer, tmp_path):
    assert all(run_document(ROOT / "docs" / f"{name}.md", tmp_path, newcomer))


def test_ten_wrong_rules_are_answered_by_ten_sentences(newcomer, tmp_path):
    for number, (name, wrong) in enumerate(TEN.items()):
        line = wrong.write(tmp_path / f"wrong_{number}.py")
        command = ["plyglass", "check", f"wrong_{number}.py"]
        said = " ".join(run(command, newcomer, cwd=tmp_path, code=1).split())
        assert f"wrong_{number}.py, line {line}, rule {wrong.rule}: " in said, name
        for words in wrong.words:
            assert words in said


def run(command, environment, cwd=None, code=0):
    """What a command prints, with its errors."""
    done = subprocess.run(
        command, env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_first_start_takes_little_and_compiles_nothing(newcomer, tmp_path):
    environment = {**newcomer, "PLYGLASS_CACHE": str(tmp_path / "cache")}
    starts = [json.loads(run(MATCH, environment, cwd=tmp_path)) for _ in range(3)]
    assert [result["compiled"] for result in starts] == [0, 0, 0]
    ready = min(result["ready_cpu_seconds"] for result in starts)
    imported = min(cpu_seconds(NUMPY, newcomer) for _ in range(3))
    assert ready < READY_IMPORTS * imported
    assert not (tmp_path / "cache").exists()


def test_a_start_takes_little_more_than_what_it_imports(newcomer):
    commands = (tuple(NUMPY), *MOST_IMPORTS)
    # in turn, so a machine that slows down for a while slows all of them
    rounds = [[cpu_seconds(command, newcomer) for command in commands] for _ in range(6)]
    seconds = dict(zip(commands, map(min, zip(*rounds, strict=True)), strict=True))
    imports = {command: seconds[command] / seconds[tuple(NUMPY)] for command in MOST_IMPORTS}
    assert {name: most for name, most in MOST_IMPORTS.items() if imports[name] > most} == {}, (
        imports
    )


def cpu_seconds(command, environment):
    """The user and system time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command, environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_the_installed_package_is_small_and_needs_little(newcomer):
    listed = subprocess.run(
        ["python", "-m", "pip", "list", "--format", "json"],
        env=newcomer,
        capture_output=True,
        text=True,
        check=True,
    )
    names = {package["name"].lower() for package in json.loads(listed.stdout)}
    assert {"plyglass", "numpy", "numba"} <= names
    assert not names & {"scipy", "ray", "matplotlib", "fastapi", "pandas"}


def test_without_the_extra_the_command_says_what_it_needs(newcomer):
    code = "import sys; sys.modules['typer'] = None; from plyglass.__main__ import main; main()"
    done = subprocess.run(
        ["python", "-c", code], env=newcomer, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pip install 'plyglass[cli]'" in done.stderr


@pytest.mark.nightly
def test_a_newcomer_serves_agents_to_curl_and_to_other_languages(newcomer, tmp_path):
    """With an empty cache, so every game that is served is compiled with checked bounds first."""
    wheel = next(Path(newcomer["HOME"]).glob("*.whl"))
    python = Path(newcomer["HOME"]) / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "uv", "pip"] if WITH_UV else [python, "-m", "pip"]
    target = ["--python", python] if WITH_UV else []
    subprocess.run([*pip, "install", *target, f"{wheel}[serve]"], check=True, capture_output=True)
    serves_curl_and_other_languages(newcomer, tmp_path)


def serves_curl_and_other_languages(environment, folder):
    """Start a server without settings, and run the commands of its page."""
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["plyglass", "serve", "--decide", "--no-browser", "--port", str(port)]
    with subprocess.Popen(command, env=environment, cwd=folder) as server:
        try:
            url = f"http://127.0.0.1:{port}"
            wait = ["curl", "-sf", "--retry", "600", "--retry-delay", "1", "--retry-all-errors"]
            run([*wait, f"{url}/readyz"], environment)
            curl = re.search(r"^curl .*?\n.*?'$", page, re.MULTILINE | re.DOTALL)[0]
            placed = json.loads(shell(curl, environment, folder, port))
            assert len(placed["position"]["actions"]) == 9
            (folder / "examples").symlink_to(ROOT / "examples")
            for program in ("node", "cc", "./play"):
                line = re.search(rf"^{re.escape(program)} .*", page, re.MULTILINE)[0]
                said = shell(line, environment, folder, port)
                assert said.endswith(" wins.\n") or program == "cc"
        finally:
            server.terminate()


def shell(line, environment, folder, port):
    """What a command of the page about serving prints, with another port."""
    done = subprocess.run(
        line.replace(":8008", f":{port}"), shell=True, env=environment, cwd=folder,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
