"""The levels of games, and how strong they are."""

import importlib.util
import time
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

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
    assert str(found[others[0]]) == f"75 % (70 to 80) against {first}, 200 games"


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
    assert f"{second}, 75 % (70 to 80) against {first}, 200 games" in levels_text(game)
    told = [Level(**each) for each in Served(GAME, game, game.levels).described()["levels"]]
    assert told[0].measured is None
    assert (told[1].measured.score, told[1].measured.against) == (0.75, first)


def step_script():
    """The script that measures levels, as a module."""
    path = Path(__file__).parents[2] / "measurements" / "levels.py"
    spec = importlib.util.spec_from_file_location("measured_levels_script", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = step_script()


@pytest.mark.parametrize("name", pg.games.names())
def test_every_level_is_shown_to_be_stronger_than_the_level_before(name):
    game = pg.game_from(name)
    results = measured_levels(game)
    assert 2 <= len(game.levels) <= 5
    assert {"easy", "hard"} <= set(game.levels)
    assert list(results) == list(game.levels)[1:]
    for result in results.values():
        assert result.low > (0.0 if result.kind == "gain" else 0.5)


def test_the_page_has_the_table_of_the_recorded_results():
    page = (Path(__file__).parents[2] / "docs" / "playing.md").read_text(encoding="utf-8")
    shown = page.partition("--table -->\n\n")[2].partition("\n\n<!-- end")[0]
    assert shown == SCRIPT.table()


@pytest.mark.parametrize(("recorded", "passed"), [(0.5, True), (0.95, False)])
def test_the_gate_passes_who_is_as_strong_as_recorded(monkeypatch, tmp_path, recorded, passed):
    weaker, stronger = [*pg.game_from(GAME).levels.values()][-2:]
    step = {"agent": stronger, "before": weaker, **RESULT, "deals_won": [recorded] * 3}
    monkeypatch.setattr(SCRIPT, "recorded", lambda: {GAME: [step]})
    monkeypatch.setattr(SCRIPT, "played", lambda _, __, deals: (two_of_three_won(deals), None))
    assert SCRIPT.gate(GAME, tmp_path)[0] is passed


def two_of_three_won(deals):
    """Results in which the stronger level wins both matches of two deals out of three."""
    agents = SCRIPT.STRONGER, SCRIPT.WEAKER
    score = [1.0 if deal % 3 else -1.0 for deal in range(deals)]
    return [
        SimpleNamespace(
            number=number, agents=agents, scores=(score[number // 2], -score[number // 2])
        )
        for number in range(2 * deals)
    ]


@pytest.mark.nightly
@pytest.mark.parametrize("name", pg.games.names())
def test_shipped_players_are_as_strong_as_recorded(name, monkeypatch, tmp_path):
    monkeypatch.setattr(SCRIPT.clock, "kind", time.CLOCK_THREAD_CPUTIME_ID)
    passed, said = SCRIPT.gate(name, tmp_path)
    assert passed, said
