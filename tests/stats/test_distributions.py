"""Kolmogorov and Smirnov's two-sample test against scipy's exact one, and by hand."""

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.distributions import kolmogorov_smirnov


@pytest.mark.parametrize(("n", "m"), [(1, 1), (5, 5), (7, 12), (200, 200), (150, 400)])
@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_distance_and_p_value_are_scipys(n, m, shift):
    draw = np.random.default_rng(n + m)
    first, second = draw.normal(size=n), draw.normal(shift, size=m)
    expected = stats.ks_2samp(first, second, method="exact")
    found = kolmogorov_smirnov(first.tolist(), second.tolist())
    assert found.distance == pytest.approx(expected.statistic)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-6)


def test_samples_apart_by_hand():
    found = kolmogorov_smirnov([1, 2, 3], [4, 5, 6])
    assert found.distance == 1.0
    assert found.p_value == pytest.approx(
        2 / 20
    )  # of the 20 orders of three and three, the two that are apart


def test_equal_samples_with_ties_are_not_told_apart():
    found = kolmogorov_smirnov([10, 20, 20, 30], [10, 20, 20, 30])
    assert (found.distance, found.p_value) == (0.0, pytest.approx(1.0))


def test_an_empty_sample_is_refused():
    with pytest.raises(ValueError, match="at least one value in each"):
        kolmogorov_smirnov([], [1.0])
