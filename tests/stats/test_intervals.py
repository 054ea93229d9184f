"""Intervals against scipy and known values."""

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.intervals import mean_interval, wilson


@pytest.mark.parametrize(("successes", "trials"), [(0, 5), (5, 5), (8, 10), (71, 100), (680, 1000)])
def test_wilson_is_scipys(successes, trials):
    expected = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert wilson(successes, trials) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_nothing_played_says_nothing():
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("count", [6, 20, 400])
def test_the_interval_of_a_mean_is_students(count):
    values = np.random.default_rng(count).normal(size=count).tolist()
    expected = stats.t.interval(0.95, count - 1, loc=np.mean(values), scale=stats.sem(values))
    assert mean_interval(values)[1:] == pytest.approx(expected, rel=0.01)


def test_values_without_spread_have_no_interval():
    assert mean_interval([1.0, 1.0, 1.0]) == (1.0, None, None)
