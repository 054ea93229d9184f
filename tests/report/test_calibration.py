"""Calibration: right beliefs are reliable, wrong beliefs are not, and only hidden facts count."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.cli import app
from plyglass.core.compile import JIT
from plyglass.report.calibration import Calibration, calibration

pytestmark = pytest.mark.skipif(not JIT, reason="follows thousands of worlds")


def test_particles_are_reliable():
    found = calibration(pg.game_from("tiger:steps=30"), pg.Particles(300), games=60, seed=1)
    assert 60 * 25 < len(found.predicted) <= 60 * 30
    assert found.brier == pytest.approx(found.expected_brier, abs=0.02)
    assert found.brier < found.brier_of_rate - 0.02
    outside = [
        each for each in found.bins() if not each.low - 0.02 <= each.predicted <= each.high + 0.02
    ]
    assert len(outside) <= 1


def test_a_belief_that_forgets_scores_worse():
    """In fog, where a unit was seen last tells where it can be now."""
    game = pg.game_from("skirmish:fog=true,size=3,turns=8")
    right = calibration(game, pg.Particles(200), games=25, seed=2)
    wrong = calibration(game, pg.Fresh(), games=25, seed=2)
    assert right.brier < wrong.brier


def test_scores_by_hand():
    found = Calibration((0.5, 1.0, 0.0, 0.25), (True, True, False, False), games=1, refilled=0)
    assert found.brier == pytest.approx((0.25 + 0.0625) / 4)
    assert found.expected_brier == pytest.approx((0.25 + 0.1875) / 4)
    assert found.brier_of_rate == 0.25


def test_where_nothing_is_hidden_nothing_is_asked():
    with pytest.raises(ValueError, match="Nothing is hidden in pig"):
        calibration(pg.games.Pig(), pg.Fresh(), games=1, seed=0)
    with pytest.raises(ValueError, match="The belief truth is told the truth"):
        calibration(pg.games.KuhnPoker(), pg.Truth(), games=1, seed=0)


def test_the_command_writes_numbers_and_a_figure(tmp_path):
    words = [
        "beliefs",
        "kuhn-poker",
        "--belief",
        "particles(worlds=50)",
        "--games",
        "20",
        "--out",
        str(tmp_path),
        "--json",
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert {file.name for file in tmp_path.iterdir()} == {
        f"reliability-kuhn-poker-particles-worlds-50.{end}" for end in ("json", "svg", "png")
    }
    assert told["predictions"] == sum(each["count"] for each in told["bins"])
    assert 0.0 < told["brier"] < 0.5
    shown = CliRunner().invoke(app, words[:-3]).output
    assert "Brier score" in shown
    assert np.isclose(told["brier_of_rate"], 0.25, atol=0.02)


def test_beliefs_are_listed():
    assert set(json.loads(CliRunner().invoke(app, ["beliefs", "--json"]).output)) == {
        "exact",
        "fresh",
        "particles",
        "tracks",
        "truth",
    }
    assert "most_worlds" in CliRunner().invoke(app, ["beliefs"]).output
