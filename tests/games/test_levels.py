"""The levels of games, and how strong they are."""

from itertools import pairwise

import pytest

import plyglass as pg
from plyglass.cli.levels import levels_text
from plyglass.games import levels
from plyglass.games.levels import measured_levels
from plyglass.serve.catalogue import Served
from plyglass.serve.protocol import Level

GAME = "tic-tac-toe"
RESULT = {"kind": "points", "score": 0.75, "low": 0.7, "high": 0.8, "games": 200}


def results_of(game):
    """A result of every level of a game against the level before."""
    steps = pairwise(pg.game_from(game).levels.values())
    return {game: [{"agent": strong, "before": weak, **RESULT} for weak, strong in steps]}


@pytest.fixture
def results(monkeypatch):
    monkeypatch.setattr(levels, "recorded", lambda: results_of(GAME))


def test_a_level_has_the_result_of_its_own_agent_against_the_level_before(results):
    game = pg.game_from(GAME)
    first, *others = game.levels
    found = measured_levels(game)
    assert list(found) == others
    assert found[others[0]].against == first
    assert str(found[others[0]]) == f"75 % (70 to 80) against {first}"


def test_a_level_with_another_agent_than_the_measured_one_has_no_result(results):
    game = pg.game_from(GAME)
    first, second, *_ = game.levels
    assert second not in measured_levels(game, game.levels | {second: "greedy"})
    assert second not in measured_levels(game, game.levels | {first: "greedy"})


def test_a_variant_has_no_results_of_the_usual_game(monkeypatch):
    monkeypatch.setattr(levels, "recorded", lambda: results_of("pig"))
    assert measured_levels(pg.game_from("pig"))
    assert not measured_levels(pg.game_from("pig:goal=30"))


def test_people_and_clients_are_told_how_strong_levels_are(results):
    game = pg.game_from(GAME)
    first, second, *_ = game.levels
    assert f"{second}, 75 % (70 to 80) against {first}" in levels_text(game)
    told = [Level(**each) for each in Served(GAME, game, game.levels).described()["levels"]]
    assert told[0].measured is None
    assert (told[1].measured.score, told[1].measured.against) == (0.75, first)
