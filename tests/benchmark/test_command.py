"""The command compares result files, and says what is wrong with other files."""

import json

import pytest
from typer.testing import CliRunner

from plyglass.benchmark.suite import SUITE_1
from plyglass.cli import app

from .tiny import simulated


@pytest.fixture
def files(tmp_path):
    for name, elo in (("one", 200.0), ("other", -200.0)):
        found = simulated(SUITE_1, name, elo, (0.0, 0.0), 6, seed=len(name))
        found.write(tmp_path / f"{name}.json")
    return [str(tmp_path / f"{name}.json") for name in ("one", "other")]


def call(*arguments):
    return CliRunner().invoke(app, ["benchmark", *arguments])


def test_two_files_are_compared(files):
    shown = call("--compare", *files)
    assert shown.exit_code == 0
    assert "leduc-poker" in shown.stdout
    values = json.loads(call("--compare", *files, "--json").stdout)
    assert len(values["games"]) == 20
    assert all(each["elo"] > 200 for each in values["overall"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--compare", "a.json"), "takes two result files"),
        (("--compare", "a.json", "b.json"), "There is no file a.json"),
        ((), "Name an agent"),
        (("uct:seconds=1",), "leave out seconds"),
        (("nobody",), "nobody"),
    ],
)
def test_mistakes_are_explained(arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = call(*arguments)
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())
