"""More games for some agents of a recorded artifact."""

import warnings

import pytest
from typer import Typer
from typer.testing import CliRunner

from plyglass.arena.tournament import driver
from plyglass.cli.reproduce import reproduce as command
from plyglass.core.compile import JIT
from plyglass.experiments import readme, recorded
from plyglass.experiments.extension import extend
from plyglass.experiments.reproduction import reproduce
from plyglass.experiments.study import artifact_named

STUDY = """
title = "Alone"
source = "None"
[artifacts.table-1]
title = "Tiger at random"
kind = "table"
quantity = "mean"
rows = [
    { name = "one", agent = "one", reported = 10.0, error = 1.0 },
    { name = "two", agent = "two" },
    { name = "length of one", agent = "one", quantity = "measure", measure = "length" },
]
[artifacts.table-1.settings]
games = ["tiger"]
deals = 20
seed = 5
agents = { one = "random", two = "random" }
measures = ["length"]
[[artifacts.table-1.claims]]
says = "One is better."
kind = "order"
first = "one"
second = "two"
"""

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


@pytest.fixture
def artifact(tmp_path):
    folder = tmp_path / "studies" / "alone"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(STUDY)
    return artifact_named("alone/table-1", folder.parent)


@pytest.fixture
def short(artifact, tmp_path):
    """The artifact, recorded with 5 deals."""
    recorded.record(reproduce(artifact, tmp_path / "short", scale=0.25))
    return recorded.recorded(artifact)


def test_the_rows_of_the_chosen_agents_are_those_of_the_longer_run(artifact, short, tmp_path):
    whole = {each.name: each for each in reproduce(artifact, tmp_path / "whole").results}
    done = extend(artifact, tmp_path / "more", ["one"])
    one, two, length = done.results
    assert (one, length) == (whole["one"], whole["length of one"])
    assert two == short.results[1]
    assert [each.n for each in done.results] == [20, 5, 20]
    assert done.findings == short.findings
    assert (done.scale, done.games, done.digest) == (0.25, 10, short.digest)
    assert (done.more.scale, done.more.games, done.more.agents) == (1.0, 20, ("one",))


def test_what_was_played_is_not_played_again_and_the_rest_completes_the_run(
    artifact, short, tmp_path
):
    extend(artifact, tmp_path / "more", ["one"])
    stored = []
    whole = reproduce(
        artifact, tmp_path / "more", on_progress=lambda each: stored.append(each.stored)
    )
    assert stored[0] > 20
    assert whole == reproduce(artifact, tmp_path / "whole")


def test_an_extension_is_recorded_with_the_command_that_made_it(artifact, short, tmp_path):
    done = extend(artifact, tmp_path / "more", ["o*"])
    recorded.record(done)
    assert recorded.recorded(artifact) == done
    assert not recorded.is_stale(done)
    section = readme.section_of(done)
    assert "The rows of these agents have more games: one." in section
    assert "plyglass reproduce alone/table-1 --scale 1 --only one\n" in section


def test_an_extension_never_loses_games(artifact, short, tmp_path):
    with pytest.raises(ValueError, match=r"'one' has 2 games at --scale 0.1, but 5 are recorded"):
        extend(artifact, tmp_path / "less", ["one"], scale=0.1)
    recorded.record(extend(artifact, tmp_path / "more", ["one"]))
    with pytest.raises(ValueError, match="already has more games for one; add --only for them"):
        extend(artifact, tmp_path / "more", ["two"])
    assert [each.n for each in extend(artifact, tmp_path / "more", ["*"]).results] == [20] * 3
    with pytest.raises(ValueError, match="has no agent 'three'; its agents are one; two"):
        extend(artifact, tmp_path / "more", ["three"])


def test_the_command_plays_only_the_agents_that_are_named():
    app = Typer()
    app.command()(command)
    shown = CliRunner().invoke(app, ["pandemic/oracle", "--only", "anyone"])
    assert shown.exit_code == 2
    assert "none, as it is no tournament" in " ".join(shown.output.split())


def test_code_is_mixed_only_if_matches_of_the_chosen_agents_are_missing(
    artifact, short, tmp_path, monkeypatch
):
    extend(artifact, tmp_path / "more", ["one"])
    monkeypatch.setattr(driver, "code_of", lambda canonical: "another")
    with warnings.catch_warnings():
        warnings.simplefilter("error", driver.MixedCode)
        extend(artifact, tmp_path / "more", ["one"])
    with pytest.warns(driver.MixedCode, match="20 of the stored matches were played by"):
        reproduce(artifact, tmp_path / "more")
