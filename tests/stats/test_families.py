"""Families of tests: worked examples, and the definitions by brute force."""

import itertools

import numpy as np
import pytest

from plyglass.stats.families import holm


def test_holms_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


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


def test_an_empty_family_stays_empty():
    assert holm([]) == []


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_no_p_value_is_refused(wrong):
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([0.1, wrong])
