"""The log-likelihood ratio against a general optimizer and published values of fishtest."""

import math

import numpy as np
import pytest
from scipy import optimize

from plyglass.stats.elo import NORMALIZED_ELO, rate_of_elo
from plyglass.stats.likelihood import UNSEEN, logistic_ratio, normalized_ratio

# Counts of pair scores 0..2, bounds and LLR as tests.stockfishchess.org reported them in Stockfish
# pull requests.
PUBLISHED_LOGISTIC = [
    ((253, 4282, 17604, 4431, 286), -0.25, 1.25, 2.94),  # 3209
    ((58, 3302, 33130, 3518, 84), 0.25, 1.25, 2.97),  # 3209
    ((17, 253, 1042, 337, 39), -0.5, 1.5, 2.96),  # 2971
    ((11, 407, 3238, 513, 11), 0.25, 1.75, 2.93),  # 2971
    ((424, 2948, 5832, 3045, 460), -1, 3, 2.94),  # 2493
]
PUBLISHED_NORMALIZED = [
    ((831, 31795, 68460, 32448, 834), 0, 2, 2.93),  # 5712
    ((307, 54901, 140959, 56230, 281), 0.5, 2.5, 2.95),  # 5712
    ((264, 5737, 31270, 5964, 269), -0.5, 2.5, 2.97),  # 3514
    ((29, 2205, 35000, 2392, 34), 0.5, 3.5, 2.94),  # 3514
    ((0, 0, 1, 8, 1), 0, 50, 1.24),  # a fastchess log: outcomes that were not seen
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), PUBLISHED_LOGISTIC)
def test_the_logistic_ratio_is_the_one_fishtest_published(counts, elo0, elo1, llr):
    assert round(float(logistic_ratio(counts, elo0, elo1)), 2) == llr


@pytest.mark.parametrize(("counts", "elo0", "elo1", "llr"), PUBLISHED_NORMALIZED)
def test_the_normalized_ratio_is_the_one_fishtest_published(counts, elo0, elo1, llr):
    assert round(float(normalized_ratio(counts, elo0, elo1)), 2) == llr


def best_log_likelihood(shares, scores, constraint):
    """The slow twin: a general optimizer over all distributions that meet the constraint, told
    nothing of secular equations.
    """
    constraints = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: constraint(p, scores)},
    ]
    found = optimize.minimize(
        lambda p: -(shares * np.log(p)).sum(),
        shares,
        jac=lambda p: -shares / p,
        bounds=[(1e-9, 1)] * len(scores),
        constraints=constraints,
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    return -found.fun


def effect(p, scores):
    mean = p @ scores
    return (mean - 0.5) / math.sqrt(p @ (scores - mean) ** 2)


def random_counts(generator):
    outcomes = int(generator.choice([3, 5]))
    return generator.multinomial(
        int(generator.integers(40, 4000)), generator.dirichlet(np.full(outcomes, 3.0))
    )


def test_the_logistic_ratio_is_that_of_a_general_optimizer():
    generator = np.random.default_rng(1)
    for _ in range(100):
        counts = np.maximum(random_counts(generator), 1)
        elo0 = generator.uniform(-30, 30)
        elo1 = elo0 + generator.uniform(1, 60)
        scores, shares = np.linspace(0, 1, len(counts)), counts / counts.sum()
        ends = [
            best_log_likelihood(shares, scores, lambda p, s, elo=elo: p @ s - rate_of_elo(elo))
            for elo in (elo0, elo1)
        ]
        assert logistic_ratio(counts, elo0, elo1) == pytest.approx(
            counts.sum() * (ends[1] - ends[0]), rel=1e-5, abs=1e-4
        )


def test_the_normalized_ratio_is_that_of_a_general_optimizer():
    generator = np.random.default_rng(2)
    for _ in range(100):
        counts = np.maximum(random_counts(generator), 1)
        elo0 = generator.uniform(-30, 30)
        elo1 = elo0 + generator.uniform(1, 60)
        scores, shares = np.linspace(0, 1, len(counts)), counts / counts.sum()
        unit = math.sqrt(2 if len(counts) == 5 else 1) / NORMALIZED_ELO
        ends = [
            best_log_likelihood(
                shares, scores, lambda p, s, elo=elo, unit=unit: effect(p, s) - elo * unit
            )
            for elo in (elo0, elo1)
        ]
        assert normalized_ratio(counts, elo0, elo1) == pytest.approx(
            counts.sum() * (ends[1] - ends[0]), rel=1e-5, abs=1e-4
        )


@pytest.mark.parametrize("ratio", [logistic_ratio, normalized_ratio])
def test_exchanged_agents_and_bounds_change_the_sign_only(ratio):
    counts = [3, 17, 40, 22, 9]
    assert ratio(counts, -5, 15) == pytest.approx(-float(ratio(counts[::-1], -15, 5)))


@pytest.mark.parametrize("ratio", [logistic_ratio, normalized_ratio])
def test_many_prefixes_at_once_are_the_same_as_each_alone(ratio):
    counts = np.random.default_rng(3).multinomial(50, np.full(5, 0.2), size=(4, 6))
    together = ratio(counts, 0, 30)
    assert together.shape == (4, 6)
    for place in np.ndindex(4, 6):
        assert together[place] == pytest.approx(float(ratio(counts[place], 0, 30)), rel=1e-9)


@pytest.mark.parametrize("ratio", [logistic_ratio, normalized_ratio])
@pytest.mark.parametrize("elo1", [1, 50, 200])
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("count", [1, 100_000])
def test_one_outcome_only_has_a_finite_ratio(ratio, elo1, place, count):
    counts = np.zeros(5)
    counts[place] = count
    llr = float(ratio(counts, 0, elo1))
    assert math.isfinite(llr)
    assert (llr > 0) == (place > 2)


def test_an_outcome_not_seen_counts_a_thousandth():
    assert logistic_ratio([0, 3, 5, 4, 0], 0, 20) == logistic_ratio(
        [UNSEEN, 3, 5, 4, UNSEEN], 0, 20
    )


@pytest.mark.parametrize("wrong", [[1, 2], [1, 2, 3, 4], 5])
def test_other_outcomes_are_refused(wrong):
    with pytest.raises(ValueError, match="3 outcomes"):
        logistic_ratio(wrong, 0, 5)


def test_a_negative_count_is_refused():
    with pytest.raises(ValueError, match="cannot be negative"):
        logistic_ratio([1, -1, 3], 0, 5)
