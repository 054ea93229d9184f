"""Families of tests: worked examples, and the definitions by brute force."""

import itertools

import numpy as np
import pytest
from scipy import stats

from plyglass.stats.families import benjamini_hochberg, holm


def test_holms_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_benjamini_and_hochbergs_own_example_finds_four():
    p_values = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert (
        sum(p <= 0.05 for p in benjamini_hochberg(p_values)) == 4
    )  # their paper of 1995, section 3.2; Bonferroni finds 3
    assert sum(p <= 0.05 for p in holm(p_values)) == 3


@pytest.mark.parametrize("seed", range(20))
def test_holm_is_the_closed_bonferroni_procedure(seed):
    p_values = np.random.default_rng(seed).uniform(size=6).round(2) ** 3  # rounding makes ties
    families = [family for size in range(1, 7) for family in itertools.combinations(range(6), size)]
    expected = [
        max(
            min(1.0, len(family) * p_values[list(family)].min())
            for family in families
            if i in family
        )
        for i in range(6)
    ]
    assert holm(p_values.tolist()) == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_hochberg_is_scipys(seed):
    p_values = np.random.default_rng(seed).uniform(size=12).round(2) ** 3
    assert benjamini_hochberg(p_values.tolist()) == pytest.approx(
        stats.false_discovery_control(p_values).tolist()
    )


def test_an_empty_family_stays_empty():
    assert holm([]) == benjamini_hochberg([]) == []


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(adjust, wrong):
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([0.1, wrong])
