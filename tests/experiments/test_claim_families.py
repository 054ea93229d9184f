"""Claims about many pairs: one small p-value among many says nothing.

Ten pairs are compared, and every difference arises by chance. Without an adjustment, the smallest
p-value would refute the claim.
"""

import numpy as np
import pytest

from plyglass.experiments.study import Claim, TableRow
from plyglass.experiments.verdicts import ALPHA, judge
from plyglass.stats.paired import paired_t

DEALS = 40


def shifted(t_value, seed):
    """Differences of deals whose t statistic is exactly this."""
    noise = np.random.default_rng(seed).normal(size=DEALS)
    noise -= noise.mean()
    return noise + t_value * noise.std(ddof=1) / np.sqrt(DEALS)


def rows(*t_values):
    """A row `base` of zeros, and a row for each t statistic of its difference to `base`."""
    values = {"base": {(0, deal): [0.0] for deal in range(DEALS)}}
    for number, t_value in enumerate(t_values):
        values[f"row{number}"] = {
            (0, deal): [float(each)] for deal, each in enumerate(shifted(t_value, number))
        }
    return values


def found(claims, values):
    return judge(claims, [TableRow(name, "mean") for name in values], values)


def names(count):
    return [f"row{number}" for number in range(count)]


def p_value(t_value):
    """Two-sided."""
    return paired_t(shifted(t_value, 0).tolist()).p_value


@pytest.mark.parametrize("kind", ["no difference", "better"])
@pytest.mark.parametrize("pairs", [1, 2, 10])
def test_a_claim_about_many_pairs_fails_only_by_bonferroni(kind, pairs):
    """Among the pairs, one alone has p = 0.022 one-sided or 0.043 two-sided against the claim."""
    values = rows(-2.1, *[0.0] * (pairs - 1))
    claim = Claim("So it is said.", kind, names(pairs), "base")
    (finding,) = found([claim], values)
    against = p_value(-2.1) if kind == "no difference" else p_value(-2.1) / 2
    assert against < ALPHA
    assert (finding.verdict == "does not hold") == (pairs * against <= ALPHA)
    assert (finding.verdict == "does not hold") == (pairs == 1 or (kind, pairs) == ("better", 2))
    if kind == "no difference":
        assert finding.p_value == pytest.approx(min(1.0, pairs * against))


def test_the_number_of_pairs_multiplies_the_smallest_p_value():
    values = rows(-2.5, -1.0, 0.3, 0.0)
    (finding,) = found([Claim("So it is said.", "no difference", names(4), "base")], values)
    assert finding.p_value == pytest.approx(4 * p_value(-2.5))


@pytest.mark.parametrize("claims", [1, 2, 3, 10])
def test_claims_of_one_artifact_are_a_family_by_holm(claims):
    """The first claim has p = 0.013 against it, the others nothing: Holm multiplies by them all."""
    values = rows(-2.6, *[0.0] * (claims - 1))
    family = [Claim("So it is said.", "no difference", name, "base") for name in names(claims)]
    findings = found(family, values)
    assert findings[0].p_value == pytest.approx(min(1.0, claims * p_value(-2.6)))
    assert (findings[0].verdict == "does not hold") == (claims * p_value(-2.6) <= ALPHA)
    assert (findings[0].verdict == "does not hold") == (claims <= 3)


def test_holm_steps_down_from_the_smallest_p_value():
    """The second smallest is multiplied by one less, and never falls below the smallest."""
    values = rows(-3.0, -2.9, -0.1)
    family = [Claim("So it is said.", "no difference", name, "base") for name in names(3)]
    adjusted = [each.p_value for each in found(family, values)]
    first = 3 * p_value(-3.0)
    assert adjusted[:2] == pytest.approx([first, max(first, 2 * p_value(-2.9))])
