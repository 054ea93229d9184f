"""Ratings recover known strengths, their intervals cover them, and order does not matter."""

from dataclasses import replace

import numpy as np
import pytest

from plyglass.benchmark.compare import compare
from plyglass.benchmark.contests import Cell
from plyglass.benchmark.ratings import board, frontier, outcomes, unique_names
from plyglass.benchmark.tables import rate_of, told
from plyglass.stats.elo import elo_of_rate
from plyglass.stats.ratings import anchored

from .tiny import TINY, simulated


def strengths(seed, deals=100):
    true = {"weak": -150.0, "middle": 0.0, "strong": 200.0}
    results = [
        simulated(TINY, name, elo, (50.0, -50.0), deals, seed * 10 + number)
        for number, (name, elo) in enumerate(true.items())
    ]
    return true, results


def test_intervals_cover_known_strengths():
    covered, total, errors = 0, 0, []
    for seed in range(12):
        true, results = strengths(seed)
        ranked = board(TINY, results, "time", times=200)
        for name, elo in true.items():
            entry = ranked.overall[name]
            errors.append(entry.elo - elo)
            covered += entry.low <= elo <= entry.high
            total += 1
    assert covered / total > 0.8  # of 36; at 95 %, 28 or fewer have probability 0.0003
    assert abs(np.mean(errors)) < 12


def test_references_have_mean_zero_whoever_joins():
    _, results = strengths(3)
    alone = board(TINY, results[:2], "time", times=50)
    all_three = board(TINY, results, "time", times=50)
    one, other = alone.overall["middle"].elo, all_three.overall["middle"].elo
    assert one == pytest.approx(other, abs=25)
    assert all_three.agents == ("strong", "middle", "weak")


def test_a_deal_in_chips_is_won_by_who_takes_more():
    cell = Cell("+-+-=?", (2.0, -1.0, 1.0, -1.0, 0.0, 0.0))
    assert outcomes(cell, "deal") == [[(True, 1.0), (False, 1.0)], [(True, 0.5), (False, 0.5)], []]
    assert outcomes(cell, "match")[2] == [(True, 0.5)]


def test_losing_everything_gives_a_bound_and_no_false_precision():
    _, results = strengths(1, deals=20)
    for games in results[0].contests["time"].values():
        for reference, cell in games.by_reference.items():
            lost = Cell("-" * len(cell.results), tuple(-1.0 for _ in cell.scores))
            games.by_reference[reference] = lost
    entry = board(TINY, results, "time", times=100).entries["weak", "tic-tac-toe"]
    assert entry.one_sided
    assert entry.low < entry.high
    assert told(entry).startswith("below -")
    assert entry.high == pytest.approx(elo_of_rate(0.0876), abs=3)  # Wilson for 0 of 40


def test_points_count_draws_as_a_half():
    rate, low, high, games = rate_of(Cell("+=--++"))
    assert (rate, games) == (3.5 / 6, 6)
    assert low < rate < high


def test_a_slower_and_weaker_agent_is_not_on_the_frontier():
    _, results = strengths(5, deals=200)
    speeds = {"weak": 4.0, "middle": 1.0, "strong": 2.0}
    for result in results:
        result.pace = {
            game: replace(each, equal_ms=speeds[result.name]) for game, each in result.pace.items()
        }
    places = {each.agent: each for each in frontier(results, board(TINY, results, "iterations"))}
    assert [*places] == ["middle", "strong", "weak"]
    assert not places["middle"].beaten_by
    assert not places["strong"].beaten_by
    assert (places["weak"].beaten_by, places["weak"].surely) == ("strong", True)
    assert places["weak"].ms == pytest.approx(4.0)


def test_a_comparison_finds_a_difference_and_none_with_itself():
    _, (weak, _, strong) = strengths(7, deals=150)
    found = compare(TINY, strong, weak)
    overall = next(each for each in found.overall if each.mode == "time")
    assert overall.low < 350 < overall.high
    assert overall.low > 0
    assert all(each.p_value < 0.01 for each in found.games)
    same = compare(TINY, weak, weak)
    assert [same.first, same.second] == ["weak", "weak (2)"]
    assert all(each.difference.mean == 0 for each in same.games)
    assert all(each.elo == pytest.approx(0, abs=1e-6) for each in same.overall)


def test_results_of_other_suites_are_not_compared():
    _, (weak, _, strong) = strengths(7, deals=2)
    with pytest.raises(ValueError, match="different suites cannot be compared"):
        compare(TINY, weak, replace(strong, suite_digest="other"))


def test_names_that_are_equal_get_numbers():
    _, (weak, *_) = strengths(1, deals=1)
    assert unique_names([weak, weak, weak]) == ["weak", "weak (2)", "weak (3)"]


def test_anchors_that_did_not_play_are_refused():
    with pytest.raises(ValueError, match="anchors that played"):
        anchored([[("a", "b", 1.0)]], ["c"], seed=0)


def test_the_mean_is_over_the_games_that_most_agents_played():
    _, results = strengths(2, deals=3)
    del results[0].contests["time"]["tic-tac-toe"]
    ranked = board(TINY, results, "time", times=20)
    assert ranked.games == ("kuhn-poker", "tic-tac-toe")
    assert ranked.whole == ("kuhn-poker",)
    assert set(ranked.overall) == {"weak", "middle", "strong"}
