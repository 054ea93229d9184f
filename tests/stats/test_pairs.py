"""Intervals over pairs cover the truth where intervals over single games do not."""

import numpy as np
import pytest

from plyglass.stats.intervals import wilson
from plyglass.stats.pairs import Tally, interval_of_means, interval_of_rate

REPETITIONS = 3000


def samples(rate, alike, pairs, games, seed):
    """(repetitions, pairs, games) of points: with probability `alike` all games of a pair end as
    the first does.
    """
    choose = np.random.default_rng(seed)
    single = choose.random((REPETITIONS, pairs, games)) < rate
    together = choose.random((REPETITIONS, pairs, 1)) < alike
    return np.where(together, single[..., :1], single).astype(float)


def coverage(rate, intervals):
    covered = np.mean([low <= rate <= high for low, high in intervals])
    print(f"coverage {covered:.4f}")
    return covered


@pytest.mark.parametrize(
    ("rate", "alike", "pairs", "games"),
    [(0.5, 0.7, 200, 2), (0.7, 1.0, 100, 2), (0.6, 0.5, 200, 10)],
)
def test_correlated_pairs_are_covered_where_single_games_would_not_be(rate, alike, pairs, games):
    drawn = samples(rate, alike, pairs, games, seed=pairs + games)
    assert coverage(rate, [interval_of_rate(each.tolist())[1:] for each in drawn]) == pytest.approx(
        0.95, abs=0.015
    )
    assert coverage(rate, [wilson(each.sum(), each.size) for each in drawn]) < 0.90


@pytest.mark.parametrize("pairs", [30, 200])
def test_independent_games_cost_nothing(pairs):
    drawn = samples(0.6, 0.0, pairs, 2, seed=pairs)
    assert coverage(0.6, [interval_of_rate(each.tolist())[1:] for each in drawn]) == pytest.approx(
        0.955, abs=0.02
    )
    widths = [
        [
            high - low
            for low, high in (interval_of_rate(each.tolist())[1:], wilson(each.sum(), each.size))
        ]
        for each in drawn[:300]
    ]
    ours, single = np.mean(widths, axis=0)
    assert ours / single == pytest.approx(1.0, abs=0.08)


def test_sums_say_the_same_as_all_values_in_any_order_and_many_at_once():
    pairs = [[1.0, 0.5], [0.0], [1.0, 1.0], [0.0, 0.5]] * 9
    tally = Tally()
    for pair in pairs[:4]:
        tally.add(sum(pair), len(pair), times=9)
    assert tally.interval() == pytest.approx(interval_of_rate(reversed(pairs)))
    assert (tally.pairs, tally.games) == (36, 63)


def test_nothing_but_wins_is_worth_a_game_a_pair():
    assert interval_of_rate([[1.0, 1.0]] * 5) == (1.0, *wilson(5, 5))


def test_the_mean_of_scores_has_the_pair_as_unit():
    assert interval_of_means([[1.0, 3.0], [4.0, 4.0]])[0] == 3.0
    assert interval_of_means([[1.0, 3.0], [2.0]]) == (2.0, None, None)
