"""The cross-entropy method, on functions whose maximum is known."""

import numpy as np
import pytest

from plyglass.stats.cross_entropy import cross_entropy

GOAL = np.array([2.0, -1.0, 0.5])


def search(value, rounds=40, candidates=40, seed=3, spread=1.0):
    start = np.zeros(len(GOAL))
    return list(
        cross_entropy(value, start, start + spread, rounds=rounds, candidates=candidates, seed=seed)
    )


def nearness(parameters, number):
    return -float(np.square(parameters - GOAL).sum())


def test_it_finds_the_maximum():
    found = search(nearness)
    assert found[-1].mean == pytest.approx(GOAL, abs=0.02)
    assert found[-1].value > found[0].value
    assert all(each.best >= each.value for each in found)


def test_it_finds_the_maximum_of_a_noisy_function():
    noise = np.random.default_rng(5)
    found = search(lambda parameters, number: nearness(parameters, number) + noise.normal())
    assert found[-1].mean == pytest.approx(GOAL, abs=0.5)


def test_it_takes_the_best_quarter_and_moves_most_of_the_way_to_it():
    asked = []

    def value(parameters, number):
        asked.append(parameters.copy())
        return float(parameters[0])

    (only,) = search(value, rounds=1, candidates=8)
    best = sorted(asked, key=lambda parameters: -parameters[0])[:2]
    assert only.mean == pytest.approx(0.7 * np.mean(best, axis=0))
    assert only.best == pytest.approx(np.mean(best, axis=0)[0])
    assert only.value == pytest.approx(np.mean(asked, axis=0)[0])


def test_a_seed_decides_the_search_and_every_round_has_its_number():
    numbers = []

    def value(parameters, number):
        numbers.append(number)
        return nearness(parameters, number)

    first, again = search(value, 3, 8), search(nearness, 3, 8)
    assert numbers == [0] * 8 + [1] * 8 + [2] * 8
    assert np.array_equal(first[-1].mean, again[-1].mean)
    assert not np.array_equal(first[-1].mean, search(nearness, 3, 8, seed=4)[-1].mean)
