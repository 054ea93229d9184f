"""Tuning finds better parameters, can be repeated, and resumes where it was stopped."""

import json
import subprocess
import sys

import pytest
from typer import Typer
from typer.testing import CliRunner

from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tuning.space import Choice, Range, space_from, with_parameters
from plyglass.arena.tuning.tune import Tuning, tune
from plyglass.cli.tune import tune as command
from plyglass.core.compile import JIT

pytest.importorskip("optuna")
interpreted = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
SPACE = {"iterations": Range(1, 100)}
SMALL = Tuning(
    "tic-tac-toe",
    "uct:iterations=2",
    "uct:iterations=20",
    SPACE,
    trials=8,
    games=12,
    confirm=40,
    seed=5,
)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a search finds that nobody stopped."""
    return tune(SMALL, tmp_path_factory.mktemp("whole"))


def test_parameters_are_read_from_text():
    space = space_from(["exploration=0.1..2", "trees=1..8", "reuse=true|false"])
    assert space == {
        "exploration": Range(0.1, 2),
        "trees": Range(1, 8),
        "reuse": Choice(("true", "false")),
    }
    for text in ("trees", "trees=", "trees=a..b", "trees=3..1"):
        with pytest.raises(ValueError, match=r"not of the form|not a range"):
            space_from([text])
    with pytest.raises(ValueError, match="nothing to tune"):
        space_from([])


def test_an_agent_takes_other_values():
    assert (
        with_parameters("uct:iterations=50,exploration=0.2", {"exploration": 0.5, "trees": 2})
        == "uct:exploration=0.5,trees=2,iterations=50"
    )
    with pytest.raises(ValueError, match="has no parameter 'depth'"):
        with_parameters("uct", {"depth": 3})


def test_what_cannot_be_tuned_is_refused_before_anything_is_played():
    with pytest.raises(ValueError, match="give one opponent"):
        Tuning("tic-tac-toe", "uct", None, {"trees": Range(1, 2)})
    with pytest.raises(ValueError, match="give no opponent"):
        Tuning("tiger", "uct", "uct", {"trees": Range(1, 2)})
    with pytest.raises(ValueError, match="has no parameter 'depth'"):
        Tuning("tic-tac-toe", "uct", "random", {"depth": Range(1, 2)})


@interpreted
def test_it_finds_the_better_setting_and_confirms_it_on_fresh_deals(expected):
    found = expected
    assert found.parameters["iterations"] > 20
    assert found.agent == f"uct:iterations={found.parameters['iterations']}"
    assert len(found.tried) == 8
    assert found.games == 40
    assert found.low > 0.5
    settings = Settings.load(found.settings)
    assert dict(settings.agents) == {"tuned": found.agent, "original": "uct:iterations=2"}
    assert settings.seed != SMALL.settings({"a": "random", "b": "random"}, 2, 0).seed


@interpreted
def test_it_finds_the_same_whoever_plays_and_however_often_it_is_stopped(expected, tmp_path):
    def stop(done, best):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(SMALL, tmp_path / "parts", on_batch=stop)
    again = tune(SMALL, tmp_path / "parts", runner="processes", workers=2)
    assert again.tried == expected.tried
    assert (again.agent, again.rate, again.low, again.high) == (
        expected.agent,
        expected.rate,
        expected.low,
        expected.high,
    )


@interpreted
@pytest.mark.parametrize("told", [0, 3])
def test_a_batch_that_was_cut_short_is_the_same_again(told, expected, tmp_path, monkeypatch):
    from plyglass.arena.tuning.space import Trials

    whole_tell, calls = Trials.tell, []

    def tell_some(self, batch, worth):
        calls.append(1)
        if len(calls) < 2:
            return whole_tell(self, batch, worth)
        whole_tell(self, batch[:told], worth[:told])
        raise KeyboardInterrupt

    monkeypatch.setattr(Trials, "tell", tell_some)
    with pytest.raises(KeyboardInterrupt):
        tune(SMALL, tmp_path / "parts")
    monkeypatch.setattr(Trials, "tell", whole_tell)
    assert tune(SMALL, tmp_path / "parts").tried == expected.tried


@interpreted
def test_an_agent_alone_is_tuned_by_its_score(tmp_path):
    tuning = Tuning(
        "tiger:steps=4",
        "uct:iterations=10",
        None,
        {"exploration": Range(0.1, 2.0)},
        trials=4,
        games=10,
        confirm=20,
    )
    found = tune(tuning, tmp_path)
    assert len(found.tried) == 4
    assert found.games == 40


@interpreted
def test_the_command_prints_json_and_answers_mistakes_with_a_sentence(tmp_path):
    app = Typer()
    app.command()(command)
    words = [
        "tic-tac-toe",
        "uct:iterations=10",
        "random",
        "--parameter",
        "reuse=true|false",
        "--trials",
        "4",
        "--games",
        "4",
    ]
    done = CliRunner().invoke(app, [*words, "--confirm", "8", "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.output)
    assert {"agent", "parameters", "settings", "rate", "low", "high", "games", "tried"} <= set(
        printed
    )
    assert CliRunner().invoke(app, words[:3]).exit_code == 2


def test_without_optuna_it_says_what_it_needs():
    code = (
        "import sys; sys.modules['optuna'] = None; from plyglass.arena.tuning.space import "
        "optuna; optuna()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'plyglass[tune]'" in done.stderr
