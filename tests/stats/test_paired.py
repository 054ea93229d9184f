"""Paired differences against scipy, and how often their intervals cover the truth."""

import math

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.paired import paired_t

REPETITIONS = 4000
PAIRS = 100
SCORES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
SHARES = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
TRUTH = float(SCORES @ SHARES)


def samples(seed):
    return np.random.default_rng(seed).choice(SCORES, p=SHARES, size=(REPETITIONS, PAIRS))


def covered(results):
    coverage = sum(result.low <= TRUTH <= result.high for result in results) / REPETITIONS
    print(f"coverage {coverage:.4f}")
    return coverage


@pytest.mark.parametrize("count", [2, 5, 40, 1000])
def test_paired_t_is_scipys(count):
    differences = np.random.default_rng(count).normal(0.2, 1, size=count)
    expected = stats.ttest_1samp(differences, 0)
    interval = expected.confidence_interval(0.9)
    result = paired_t(differences.tolist(), level=0.9)
    assert (result.pairs, result.mean) == (count, pytest.approx(differences.mean()))
    assert (result.low, result.high, result.p_value) == pytest.approx(
        (interval.low, interval.high, expected.pvalue), rel=1e-9
    )


def test_paired_t_covers_the_truth_as_often_as_it_says():
    assert covered([paired_t(sample) for sample in samples(1)]) == pytest.approx(0.95, abs=0.015)


@pytest.mark.parametrize("values", [[0.5], [1.0, 1.0, 1.0]])
def test_differences_without_spread_have_no_interval(values):
    result = paired_t(values)
    assert (result.mean, result.low, result.high, result.p_value) == (values[0], None, None, None)


@pytest.mark.parametrize(
    ("values", "sentence"), [([], "at least one pair"), ([1.0, math.nan], "finite")]
)
def test_what_is_no_difference_is_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        paired_t(values)


def test_a_level_that_is_none_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        paired_t([1.0, 2.0], level=95)
