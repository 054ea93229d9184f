"""Intervals against scipy and known values."""

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.intervals import mean_interval, wilson
from plyglass.stats.pairs import interval_of_means


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (8, 10), (71, 100), (680, 1000)])
def test_wilson_is_scipys(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("rate", "trials"), [(0.3, 200), (0.5, 400), (0.8, 1000)])
def test_wilson_covers_the_truth_as_often_as_it_says(rate, trials):
    successes = np.random.default_rng(trials).binomial(trials, rate, size=10_000).tolist()
    coverage = np.mean(
        [low <= rate <= high for low, high in (wilson(each, trials) for each in successes)]
    )
    print(f"coverage {coverage:.4f}")
    assert coverage == pytest.approx(0.95, abs=0.015)


def test_nothing_played_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("count", [2, 3, 6, 20, 400])
def test_the_interval_of_a_mean_is_students(count):
    values = np.random.default_rng(count).normal(size=count).tolist()
    expected = stats.t.interval(0.95, count - 1, loc=np.mean(values), scale=stats.sem(values))
    assert mean_interval(values)[1:] == pytest.approx(expected, rel=1e-9)


def test_values_without_spread_have_no_interval():
    assert mean_interval([1.0, 1.0, 1.0]) == (1.0, None, None)


def test_the_interval_of_a_mean_stays_within_its_scale():
    values = [1.0, 1.0, 1.0, -1.0]  # Student's t alone gives 0.5, from -1.09 to 2.09
    assert mean_interval(values)[2] > 1.0
    assert mean_interval(values, scale=(-1.0, 1.0)) == (0.5, -1.0, 1.0)
    assert interval_of_means([[1.0, 1.0], [1.0, -1.0]], (-1.0, 1.0)) == (0.5, -1.0, 1.0)


@pytest.mark.parametrize("trials", [1, 2, 3, 7, 1000])
def test_the_interval_of_a_rate_stays_between_0_and_1(trials):
    for successes in np.linspace(0, trials, 50):
        low, high = wilson(successes, trials)
        assert 0.0 <= low <= successes / trials <= high <= 1.0
