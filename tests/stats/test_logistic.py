"""Logistic regression: it finds the weights that samples were made with."""

import numpy as np
import pytest

from plyglass.stats.logistic import fit_logistic, log_loss


def made(count, weights, seed=1):
    chance = np.random.default_rng(seed)
    features = chance.normal(3.0, 2.0, (count, len(weights) - 1))
    likely = 1 / (1 + np.exp(-(features @ weights[:-1] + weights[-1])))
    return features, (chance.random(count) < likely).astype(float)


def test_weights_are_found_again():
    weights = np.array([0.5, -1.0, 0.0, 0.25])
    features, successes = made(200_000, weights)
    found, loss = fit_logistic(features, successes, np.ones(len(successes)), shrinkage=0.0)
    assert found == pytest.approx(weights, abs=0.03)
    assert 0 < loss < np.log(2)


def test_the_slope_is_zero_at_the_weights_that_are_found():
    features, successes = made(2_000, np.array([0.5, -1.0, 0.2]))
    counts = np.random.default_rng(2).random(2_000)
    found, _ = fit_logistic(features, successes, counts, shrinkage=0.0)
    likely = 1 / (1 + np.exp(-(features @ found[:-1] + found[-1])))
    assert features.T @ (counts * (likely - successes)) == pytest.approx(0.0, abs=1e-5)


def test_a_sample_that_counts_twice_is_two_samples():
    features, successes = made(50, np.array([0.5, -1.0, 0.2]))
    twice = fit_logistic(features, successes, np.array([2.0] * 10 + [1.0] * 40), shrinkage=0.0)[0]
    again = fit_logistic(
        np.vstack([features, features[:10]]),
        np.append(successes, successes[:10]),
        np.ones(60),
        shrinkage=0.0,
    )[0]
    assert twice == pytest.approx(again, rel=1e-6)


def test_a_feature_that_never_changes_says_nothing():
    features, successes = made(500, np.array([0.5, 0.1]))
    found, _ = fit_logistic(np.hstack([features, np.full((500, 1), 7.0)]), successes, np.ones(500))
    assert found[1] == 0.0


def test_certainty_costs_nothing_if_right_and_much_but_not_all_if_wrong():
    sure, weights = np.array([1.0, 0.0]), np.ones(2)
    assert log_loss(sure, sure, weights) == pytest.approx(0.0, abs=1e-9)
    assert log_loss(sure, 1 - sure, weights) == pytest.approx(12 * np.log(10), rel=1e-4)
