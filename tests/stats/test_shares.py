"""Shares of a gap: by hand, and how often the interval covers the truth."""

import numpy as np
import pytest

from plyglass.stats.shares import share_of_gap


def test_a_share_by_hand():
    found = share_of_gap([10.0, 12.0, 14.0] * 7, [6.0, 7.0, 8.0] * 7, [1.0, 2.0, 3.0] * 7, seed=1)
    assert (found.units, found.share) == (21, pytest.approx(5 / 10))
    assert found.low < 0.5 < found.high


def test_the_interval_covers_the_truth_as_often_as_it_says():
    draw, covered = np.random.default_rng(2), 0
    for repetition in range(600):
        deal = draw.normal(100, 20, size=80)  # shared by all three, like the chance of a deal
        a, b, c = (deal + shift + draw.normal(0, 10, size=80) for shift in (0, -18, -30))
        found = share_of_gap(a, b, c, seed=repetition, times=999)
        covered += found.low <= 0.6 <= found.high
    assert covered / 600 == pytest.approx(0.95, abs=0.03)


def test_few_units_have_a_share_and_no_interval():
    found = share_of_gap([10.0, 12.0, 14.0], [6.0, 7.0, 8.0], [1.0, 2.0, 3.0], seed=1)
    assert (found.units, found.share, found.low, found.high) == (
        3,
        pytest.approx(5 / 10),
        None,
        None,
    )


def test_a_gap_that_may_be_none_has_no_interval():
    draw = np.random.default_rng(3)
    found = share_of_gap(*draw.normal(size=(3, 20)), seed=1)
    assert (found.low, found.high) == (None, None)
    with pytest.raises(ValueError, match="no gap"):
        share_of_gap([1.0, 2.0], [1.0, 1.0], [2.0, 1.0], seed=1)
