"""Elo against known values."""

import math

import pytest

from plyglass.stats.elo import NORMALIZED_ELO, elo_of_rate, normalized_elo, rate_of_elo


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


def test_normalized_elo_is_logistic_elo_for_a_small_difference_without_draws():
    rate = rate_of_elo(0.5)
    assert normalized_elo(rate, math.sqrt(rate * (1 - rate))) == pytest.approx(0.5, rel=1e-4)


def test_draws_raise_normalized_elo_over_logistic():
    assert normalized_elo(0.52, 0.25) == pytest.approx(2 * normalized_elo(0.52, 0.5))


def test_what_is_no_rate_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_of_rate(1.2)
    with pytest.raises(ValueError, match="spread"):
        normalized_elo(0.5, 0.0)
