"""Always-valid tests: their results may be read after every pair."""

import math
from itertools import pairwise

import numpy as np
import pytest

from plyglass.stats.intervals import mean_interval
from plyglass.stats.sequential import ConfidenceSequence, SymmetryTest, first_decision

PATHS = 2000
LENGTH = 250
ALPHA = 0.05
ALLOWED = ALPHA + 2 * math.sqrt(ALPHA * (1 - ALPHA) / PATHS)
SCORES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
EQUAL = np.array([0.1, 0.2, 0.4, 0.2, 0.1])
SKEWED = np.array([0.05, 0.05, 0.1, 0.8, 0.0])


def missed_anywhere(shares, seed):
    """The share of paths on which the interval excludes the true mean at any time."""
    truth, missed = float(SCORES @ shares), 0
    for path in np.random.default_rng(seed).choice(SCORES, p=shares, size=(PATHS, LENGTH)).tolist():
        sequence = ConfidenceSequence(-2, 2, ALPHA)
        missed += any(not state.low <= truth <= state.high for state in map(sequence.add, path))
    print(f"missed {missed / PATHS:.4f}")
    return missed / PATHS


@pytest.mark.parametrize("shares", [EQUAL, SKEWED])
def test_the_whole_sequence_holds_the_mean_with_the_probability_stated(shares):
    assert missed_anywhere(shares, seed=1) <= ALLOWED


def test_looking_at_students_interval_after_each_pair_misses_far_more():
    missed = 0
    for path in np.random.default_rng(1).choice(SCORES, p=EQUAL, size=(100, 100)).tolist():
        intervals = (mean_interval(path[:n])[1:] for n in range(10, 101, 5))
        missed += any(low is not None and not low <= 0 <= high for low, high in intervals)
    assert missed / 100 > 0.1  # why this module is there


def paper_intervals(values, alpha):
    """The slow twin: Waudby-Smith and Ramdas' equations for values in 0..1, each from its
    definition.
    """
    low, high, out = 0.0, 1.0, []
    bets, spreads = [], []

    def mean(t):
        return (0.5 + sum(values[:t])) / (t + 1)

    def variance(t):
        return (0.25 + sum((values[i - 1] - mean(i)) ** 2 for i in range(1, t + 1))) / (t + 1)

    for t in range(1, len(values) + 1):
        bets.append(
            min(0.5, math.sqrt(2 * math.log(2 / alpha) / (variance(t - 1) * t * math.log(1 + t))))
        )
        spreads.append(4 * (values[t - 1] - mean(t - 1)) ** 2)
        centre = sum(b * x for b, x in zip(bets, values, strict=False)) / sum(bets)
        price = sum(v * (-math.log(1 - b) - b) / 4 for v, b in zip(spreads, bets, strict=True))
        half = (math.log(2 / alpha) + price) / sum(bets)
        low, high = max(low, centre - half), min(high, centre + half)
        out.append((low, high))
    return out


def test_the_sequence_is_that_of_the_paper():
    values = np.random.default_rng(2).beta(2, 3, size=120).tolist()
    sequence = ConfidenceSequence(-3, 5, alpha=0.1)
    states = [sequence.add(-3 + 8 * value) for value in values]
    for state, (low, high) in zip(states, paper_intervals(values, 0.1), strict=True):
        assert (state.low, state.high) == pytest.approx((-3 + 8 * low, -3 + 8 * high), abs=1e-9)
    assert states[-1].pairs == 120
    assert states[-1].mean == pytest.approx(-3 + 8 * np.mean(values))


@pytest.mark.parametrize(("shift", "decision"), [(0.5, "above"), (-0.5, "below")])
@pytest.mark.parametrize("test", [lambda: ConfidenceSequence(-2, 2), lambda: SymmetryTest(scale=1)])
def test_a_difference_that_is_there_is_found(test, shift, decision):
    differences = np.clip(np.random.default_rng(3).normal(shift, 0.5, size=400), -2, 2).tolist()
    running = test()
    stop = first_decision(running, differences)
    assert stop is not None
    assert stop < 200
    assert running.state.decision == decision


def test_the_interval_closes_on_the_mean_and_never_widens():
    sequence = ConfidenceSequence(-1, 1)
    states = [
        sequence.add(value) for value in np.random.default_rng(4).uniform(-1, 1, size=5000).tolist()
    ]
    assert all(
        after.low >= before.low and after.high <= before.high for before, after in pairwise(states)
    )
    _, low, high = mean_interval(np.random.default_rng(4).uniform(-1, 1, size=5000).tolist())
    assert high - low < states[-1].high - states[-1].low < 2.5 * (high - low)


@pytest.mark.parametrize("test", [lambda: ConfidenceSequence(-2, 2), lambda: SymmetryTest(scale=1)])
def test_a_prefix_does_not_know_what_follows(test):
    differences = np.random.default_rng(5).uniform(-1, 1.5, size=60).tolist()
    short, long = test(), test()
    for value in differences[:40]:
        short.add(value)
    states = [long.add(value) for value in differences]
    assert short.state == states[39]


@pytest.mark.parametrize(
    "draw",
    [
        lambda g, size: g.standard_cauchy(size),
        lambda g, size: g.choice([-5.0, 0.0, 5.0], size=size),
    ],
)
def test_symmetric_differences_of_any_size_are_seldom_called_different(draw):
    differences = draw(np.random.default_rng(6), (PATHS, LENGTH)).tolist()
    wrong = (
        sum(
            first_decision(SymmetryTest(scale=1, alpha=ALPHA), path) is not None
            for path in differences
        )
        / PATHS
    )
    print(f"wrong {wrong:.4f}")
    assert wrong <= ALLOWED


def test_the_evidence_is_the_mixture_by_numerical_integration():
    differences = [0.5, 1.5, -0.3, 2.0, 0.9]
    total, squares = sum(differences), sum(d * d for d in differences)
    prior = 10 * 0.7**2
    b = np.linspace(-8, 8, 200_001)
    density = np.sqrt(prior / (2 * np.pi)) * np.exp(-prior * b * b / 2)
    evidence = np.trapezoid(density * np.exp(b * total - b * b * squares / 2), b)
    running = SymmetryTest(scale=0.7)
    for value in differences:
        running.add(value)
    assert running.state.p_value == pytest.approx(1 / evidence)


def test_a_decision_once_made_stays():
    running = SymmetryTest(scale=1)
    first_decision(running, [1.0] * 50)
    assert [running.add(-1.0) for _ in range(100)][-1].decision == "above"


def test_what_comes_after_a_decision_is_left_for_the_next_reader():
    differences = iter([1.0] * 100)
    stop = first_decision(SymmetryTest(scale=1), differences)
    assert len(list(differences)) == 99 - stop


def test_no_decision_is_none():
    assert first_decision(ConfidenceSequence(-1, 1), [0.1, -0.1]) is None


def test_what_breaks_the_promise_is_refused():
    with pytest.raises(ValueError, match="outside the declared"):
        ConfidenceSequence(-1, 1).add(1.5)
    with pytest.raises(ValueError, match="outside the declared"):
        ConfidenceSequence(-1, 1).add(math.nan)
    with pytest.raises(ValueError, match="range of differences"):
        ConfidenceSequence(1, 1)
    with pytest.raises(ValueError, match="alpha"):
        ConfidenceSequence(-1, 1, alpha=0)
    with pytest.raises(ValueError, match="scale"):
        SymmetryTest(scale=0)
    with pytest.raises(ValueError, match="finite"):
        SymmetryTest(scale=1).add(math.inf)
