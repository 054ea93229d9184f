"""Two one-sided tests against scipy's, and how often they are wrong."""

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.equivalence import equivalence


@pytest.mark.parametrize("margin", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("shift", [-0.5, 0.0, 0.2])
def test_the_p_value_is_the_larger_of_scipys_two_one_sided_tests(margin, shift):
    differences = np.random.default_rng(5).normal(shift, 1, size=60)
    lower = stats.ttest_1samp(differences, -margin, alternative="greater").pvalue
    upper = stats.ttest_1samp(differences, margin, alternative="less").pvalue
    found = equivalence(differences.tolist(), margin)
    assert found.within == pytest.approx(max(lower, upper), rel=1e-9)
    assert found.beyond == pytest.approx(min(1.0, 2 * min(1 - lower, 1 - upper)), rel=1e-9)
    assert found.difference.mean == pytest.approx(differences.mean())


def test_agents_a_margin_apart_are_called_equal_as_seldom_as_promised():
    draws = np.random.default_rng(6).normal(0.4, 1, size=(4000, 50))
    wrong = np.mean([equivalence(sample, 0.4).within <= 0.05 for sample in draws])
    assert wrong == pytest.approx(0.05, abs=0.012)


def test_differences_without_spread_decide_nothing():
    found = equivalence([0.0, 0.0, 0.0], 1.0)
    assert (found.difference.mean, found.within, found.beyond) == (0.0, None, None)


def test_a_margin_of_nothing_is_refused():
    with pytest.raises(ValueError, match="A margin of 0 allows no equivalence; give one above 0"):
        equivalence([1.0, 2.0], 0.0)
