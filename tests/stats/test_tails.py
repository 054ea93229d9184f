"""Tails and quantiles against SciPy."""

import pytest
from scipy import stats

from plyglass.stats.tails import normal_tail, student_quantile, student_tail

FREEDOMS = [1, 2, 3, 5, 10, 30, 100, 1000, 10_000, 1_000_000]


@pytest.mark.parametrize("z", [-8, -1, 0, 0.5, 1.96, 10, 30])
def test_the_normal_tail_is_scipys_also_far_out(z):
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), rel=1e-9, abs=0)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("t", [-4, 0, 1e-6, 0.5, 1, 2, 5, 20])
def test_students_tail_is_scipys(t, freedom):
    assert student_tail(t, freedom) == pytest.approx(stats.t.sf(t, freedom), rel=1e-9, abs=0)


@pytest.mark.parametrize("freedom", FREEDOMS)
@pytest.mark.parametrize("probability", [1e-9, 0.025, 0.4, 0.5, 0.6, 0.975, 0.9999])
def test_students_quantile_is_scipys(probability, freedom):
    assert student_quantile(probability, freedom) == pytest.approx(
        stats.t.ppf(probability, freedom), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1])
def test_an_impossible_quantile_is_refused(probability):
    with pytest.raises(ValueError, match="between 0 and 1"):
        student_quantile(probability, 5)
