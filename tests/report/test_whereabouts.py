"""Where hidden things are: questions to beliefs, scores computed by hand, and the command."""

import json

import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.cli import app
from plyglass.core.compile import JIT
from plyglass.report.whereabouts import OLDEST, Whereabouts, whereabouts

pytestmark = pytest.mark.skipif(not JIT, reason="plays many games")


def test_scores_by_hand():
    found = Whereabouts()
    found.given.update({0: [(0, 1.0)], 2: [(0, 0.5), (1, 0.0), (1, 0.1)]})
    found.predicted, found.happened = [0.5, 0.0], [True, True]
    assert found.mean == pytest.approx(0.4)
    assert found.missed == 0.25
    assert found.brier == pytest.approx((0.25 + 1.0) / 2)
    mean, error, count = found.by_age()[2]
    assert (mean, count) == (pytest.approx(0.2), 3)
    assert error == pytest.approx(
        (2 * 0.3**2) ** 0.5 / 3
    )  # what was said in one game goes together


def test_tracks_know_more_than_the_present_view_and_the_mirrored_guess_and_are_reliable():
    beliefs = {"tracks": pg.Tracks(), "mirrored": pg.Tracks(others="mirrored"), "fresh": pg.Fresh()}
    found = whereabouts(pg.game_from("tubstap"), beliefs, games=40, seed=1, play="attack-80")
    assert found["tracks"].mean > 1.2 * max(found["mirrored"].mean, found["fresh"].mean)
    assert found["tracks"].brier < min(found["mirrored"].brier, found["fresh"].brier)
    assert (
        found["tracks"].refilled,
        found["tracks"].missed < 0.01,
        found["mirrored"].missed > 0.3,
    ) == (0, True, True)
    assert max(found["tracks"].given) <= OLDEST
    often = [each for each in found["tracks"].bins() if each.count > 300]
    assert all(abs(each.predicted - each.rate) < 0.05 for each in often)


def test_a_belief_that_is_told_the_truth_is_not_asked():
    with pytest.raises(ValueError, match="leave it out"):
        whereabouts(pg.game_from("tubstap"), {"truth": pg.Truth()}, games=1, seed=0)


def test_the_command_writes_numbers_and_a_figure(tmp_path):
    words = [
        "beliefs",
        "tubstap:map=sandbox",
        "--belief",
        "tracks",
        "--belief",
        "fresh",
        "--places",
        "--play",
        "attack-80",
        "--games",
        "4",
    ]
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert {file.name for file in tmp_path.iterdir()} == {
        f"places-tubstap-map-sandbox-attack-80.{end}" for end in ("json", "svg", "png")
    }
    assert told["beliefs"]["tracks"]["questions"] == told["beliefs"]["fresh"]["questions"] > 0
    assert "turns ago" in CliRunner().invoke(app, words).output


def test_what_the_command_cannot_do_is_said():
    several = CliRunner().invoke(
        app, ["beliefs", "tubstap", "--belief", "tracks", "--belief", "fresh", "--games", "1"]
    )
    assert several.exit_code != 0
    assert "--places" in several.output
    nowhere = CliRunner().invoke(
        app, ["beliefs", "kuhn-poker", "--belief", "fresh", "--places", "--games", "1"]
    )
    assert nowhere.exit_code != 0
