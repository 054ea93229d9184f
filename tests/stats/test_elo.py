"""Elo against known values."""

import math

import pytest

from plyglass.stats.elo import NORMALIZED_ELO, elo_of_rate, rate_of_elo


@pytest.mark.parametrize(
    ("elo", "rate"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (20, 0.528750), (100, 0.640065)]
)
def test_a_difference_expects_the_known_rate(elo, rate):
    assert rate_of_elo(elo) == pytest.approx(rate, abs=1e-6)
    assert elo_of_rate(rate_of_elo(elo)) == pytest.approx(elo, abs=1e-9)


def test_winning_all_is_worth_infinite_elo():
    assert elo_of_rate(1.0) == math.inf
    assert elo_of_rate(0.0) == -math.inf


def test_the_normalized_constant_is_fishtests():
    assert pytest.approx(347.43558552260146) == NORMALIZED_ELO


def test_what_is_no_rate_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_of_rate(1.2)
