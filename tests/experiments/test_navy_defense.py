"""The Navy Defense study: its file has the paper's content; also grids and shared matches."""

import json

import pytest
from typer import Typer
from typer.testing import CliRunner

from plyglass import games
from plyglass.cli.reproduce import reproduce as command
from plyglass.core.compile import JIT
from plyglass.experiments import study as studies
from plyglass.experiments.reproduction import reproduce
from plyglass.experiments.study import artifact_named, artifacts
from plyglass.planners import PLANNERS

SIZES = {
    "figure-1-5": (50, 27, 2),
    "figure-1-6": (6, 100, 2),
    "figure-1-7": (6, 100, 2),
    "figure-1-8": (9, 200, 3),
}
SHARING = """
title = "Shared matches"
source = "None"
[artifacts.costs]
title = "Costs"
kind = "figure"
quantity = "cost"
settings = { games = ["tiger"], deals = 6, trials = 2, seed = 3 }
claims = [{ says = "More is better.", kind = "order", first = "8 tries", second = "2 tries" }]
[artifacts.costs.grid]
name = "{worlds} tries"
agent = "rollout:iterations={worlds}"
x = "{worlds}"
values = { worlds = [2, 8] }
[artifacts.times]
title = "Times"
kind = "figure"
quantity = "seconds"
drawn = "times"
matches_of = "costs"
rows = [{ name = "two", agent = "2 tries" }]
"""


@pytest.fixture
def sharing(tmp_path):
    folder = tmp_path / "studies" / "sharing"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(SHARING)
    return folder


@pytest.mark.parametrize("key", SIZES)
def test_the_settings_have_the_size_of_the_paper(key):
    artifact = artifact_named(f"navy-defense/{key}")
    agents, deals, trials = SIZES[key]
    assert (
        len(artifact.settings["agents"]),
        artifact.settings["deals"],
        artifact.settings["trials"],
    ) == (agents, deals, trials)
    assert {row.agent for row in artifact.rows} == set(artifact.settings["agents"])
    assert len(artifact.claims) > 0


def test_a_grid_is_written_out():
    artifact = artifact_named("navy-defense/figure-1-5")
    name = "10 particles, 100 worlds, horizon 15"
    (row,) = (row for row in artifact.rows if row.name == name)
    assert (row.agent, row.panel, row.x, row.y, row.quantity) == (
        name,
        "10 particles",
        "100",
        "15",
        "cost",
    )
    assert artifact.settings["agents"][name].startswith(
        "hindsight:worlds=100,horizon=15,costs=true,"
    )
    assert "belief=particles(worlds=10,weighted=false)" in artifact.settings["agents"][name]
    assert len(artifact.claims[0].pairs([row.name for row in artifact.rows])) == 25
    for better, worse in artifact.claims[0].pairs([row.name for row in artifact.rows]):
        assert better.replace("30 particles", "10 particles") == worse


@pytest.mark.parametrize("key", SIZES)
@pytest.mark.skipif(
    "navy" not in games.names() or "policy" not in PLANNERS,
    reason="the game or its policies are not there",
)
def test_the_settings_are_a_tournament(key):
    settings = artifact_named(f"navy-defense/{key}").tournament()
    assert settings.run_id
    shared = artifact_named("navy-defense/figure-1-6").tournament().run_id
    assert (settings.run_id == shared) == (key in ("figure-1-6", "figure-1-7"))


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_artifacts_that_share_matches_play_them_once(sharing, tmp_path):
    costs, times = artifacts(sharing.parent)
    first = reproduce(costs, tmp_path / "out" / "costs")
    stored = []
    second = reproduce(
        times,
        tmp_path / "out" / "times",
        on_progress=lambda progress: stored.append(progress.stored),
    )
    assert (first.games, second.games, second.digest) == (24, 24, first.digest)
    assert all(each == 24 for each in stored)  # nothing was left to play
    assert len(list((tmp_path / "out").rglob("*.sqlite"))) == 1
    assert second.results[0].ours > 0
    assert first.findings[0].deals == 6
    assert first.results[0].n == 12


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_the_command_prints_what_became_of_the_claims(sharing, tmp_path, monkeypatch):
    monkeypatch.setattr(
        studies, "artifact_named", lambda name: artifact_named(name, sharing.parent)
    )
    app = Typer()
    app.command()(command)
    words = ["sharing/costs", "--runner", "serial", "--out", str(tmp_path / "out")]
    shown = CliRunner(env={"COLUMNS": "200"}).invoke(app, words).output
    assert "What the paper claims" in shown
    assert shown.count("More is better.") == 2
    printed = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    assert printed["claims"][0]["verdict"] in ("holds", "does not hold", "undecided")


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_a_cost_is_minus_the_score(sharing, tmp_path):
    costs, _ = artifacts(sharing.parent)
    (sharing / "study.toml").write_text(SHARING.replace('quantity = "cost"', 'quantity = "mean"'))
    scores, _ = artifacts(sharing.parent)
    found = (
        reproduce(costs, tmp_path / "out" / "costs"),
        reproduce(scores, tmp_path / "out" / "costs"),
    )
    ours = [[result.ours for result in done.results] for done in found]
    assert ours[0] == [-value for value in ours[1]]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            'drawn = "times"',
            'drawn = "pie"',
            "is drawn as 'pie'; a figure is drawn as bars, heat map, violin, times",
        ),
        ('matches_of = "costs"', 'matches_of = "nothing"', "`matches_of` is 'nothing'"),
        (
            'first = "8 tries"',
            'first = "9 tries"',
            "is about the row '9 tries'; the rows are 2 tries, 8 tries",
        ),
        ('first = "8 tries"', 'furst = "8 tries"', "a claim has no entry 'furst'; it has "),
        (
            'quantity = "seconds"',
            'quantity = "hours"',
            "measures 'hours'; a row measures rate, mean, cost, seconds, pace, measure",
        ),
        (
            'x = "{worlds}"',
            'z = "{worlds}"',
            "A grid has the entries name, agent, values, sides, panel, x, y",
        ),
        ('drawn = "times"', 'marked = "three"', "marks the row 'three'; the rows are two"),
    ],
)
def test_a_mistake_in_the_file_is_named(sharing, old, new, sentence):
    (sharing / "study.toml").write_text(SHARING.replace(old, new))
    with pytest.raises(ValueError, match=sentence):
        artifacts(sharing.parent)
