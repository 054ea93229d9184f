"""Exploitability, regret and beliefs have their known values."""

import pytest

import plyglass as pg
from plyglass.arena.specs import player_from
from plyglass.benchmark.audits import (
    enumerated_regret,
    exact_values,
    exploited,
    jackknife,
    mean_policy,
    position_regrets,
)

EXACT = "expectiminimax:deepening=false,iterations=1000000000"


def test_random_play_in_kuhn_poker_loses_what_is_known():
    found = exploited(player_from("random"), "kuhn-poker", seeds=2, seed=1)
    assert found.sets == 12
    assert found.value == pytest.approx(0.458333, abs=0.06)  # of the uniform policy
    assert found.by_visits == ()


def test_pimc_in_kuhn_poker_loses_a_sixth():
    agent = f"pimc:inner={EXACT.split(':')[0]}(deepening=false),belief=exact,iterations=1000000000"
    found = exploited(player_from(agent), "kuhn-poker", seeds=2, seed=1)
    assert found.value == pytest.approx(1 / 6, abs=1e-12)
    assert (found.low, found.high) == (None, None)


def test_large_games_are_refused(monkeypatch):
    monkeypatch.setattr("plyglass.benchmark.audits.MOST_SETS", 11)
    with pytest.raises(ValueError, match="12 information sets"):
        exploited(player_from("random"), "kuhn-poker", seeds=1, seed=0)


def test_a_mean_policy_mixes_equally():
    assert mean_policy([{0: [1.0, 0.0]}, {0: [0.0, 1.0]}]) == {0: [0.5, 0.5]}


def test_the_jackknife_of_a_mean_is_students_interval():
    values = [1.0, 2.0, 4.0, 5.0]
    without = [(12 - value) / 3 for value in values]
    low, high = jackknife(3.0, without)
    half = 3.182446 * (10 / 3) ** 0.5 / 2  # t for 3 degrees of freedom, standard error
    assert (low, high) == pytest.approx((max(0.0, 3 - half), 3 + half), abs=1e-5)
    assert jackknife(3.0, [3.0, 3.0]) == (None, None)


def test_perfect_play_has_no_regret_and_random_play_has():
    assert sum(position_regrets(player_from(EXACT), "tic-tac-toe", 3, 6, seed=1)) == 0
    assert sum(position_regrets(player_from("random"), "tic-tac-toe", 3, 30, seed=1)) > 5


def test_more_positions_continue_fewer():
    player = player_from("random")
    all_six = position_regrets(player, "tic-tac-toe", 4, 6, seed=2)
    assert all_six[4:] == position_regrets(player, "tic-tac-toe", 4, 6, seed=2, skip=4)


def test_exact_values_of_tic_tac_toe():
    world = pg.games.TicTacToe().start(0)
    for action in (0, 3, 1, 4):  # both have two in a row, and the first to move wins at 2
        world.apply(action)
    assert exact_values(world) == {2: 1.0, 5: 0.0, 6: -1.0, 7: -1.0, 8: -1.0}


def test_hidden_information_has_no_exact_values_of_positions():
    with pytest.raises(ValueError, match="hides information"):
        position_regrets(player_from("random"), "kuhn-poker", 0, 1, seed=0)


def test_listening_loses_nothing_in_a_tiger_game_of_one_step():
    random = enumerated_regret(player_from("random"), "tiger:steps=1,discount=1.0", 1)
    assert random == pytest.approx(29.333, abs=6)  # (2 * -45 - 1) / 3 against -1
