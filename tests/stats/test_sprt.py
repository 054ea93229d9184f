"""The sequential probability ratio test: bounds, error rates on simulated runs, and decisions."""

import math

import numpy as np
import pytest

from plyglass.stats.elo import rate_of_elo
from plyglass.stats.likelihood import logistic_ratio, normalized_ratio
from plyglass.stats.sprt import PAIR_SCORES, Sprt
from tests.sizes import sized

RUNS = sized(800, 2000)
MOST_PAIRS = 6400
STEP = 64
EQUAL = np.array(
    [0.1, 0.2, 0.4, 0.2, 0.1]
)  # shares of pair scores between equals, some draws among them
DRAWISH = np.array([0.01, 0.08, 0.82, 0.08, 0.01])
RATES = np.linspace(0, 1, 5)


def tilted(shares, rate):
    """The same agents, one of them stronger: shares times exp(b * score) with the mean asked
    for.
    """
    low, high = -50.0, 50.0
    for _ in range(100):
        b = (low + high) / 2
        moved = shares * np.exp(b * RATES)
        moved /= moved.sum()
        low, high = (b, high) if moved @ RATES < rate else (low, b)
    return moved


def simulated(sprt, shares, seed):
    """The share of runs that accept H1, and that end at all; all runs go on together."""
    ratio = normalized_ratio if sprt.normalized else logistic_ratio
    generator = np.random.default_rng(seed)
    counts, accepted, ended = np.zeros((RUNS, 5), dtype=np.int64), 0, 0
    for _ in range(0, MOST_PAIRS, STEP):
        outcomes = generator.choice(5, p=shares, size=(len(counts), STEP))
        prefixes = counts[:, None] + np.cumsum(np.eye(5, dtype=np.int64)[outcomes], axis=1)
        ratios = ratio(prefixes, sprt.elo0, sprt.elo1)
        outside = (ratios <= sprt.lower) | (ratios >= sprt.upper)
        stopped, first = outside.any(axis=1), outside.argmax(axis=1)
        accepted += (ratios[stopped, first[stopped]] > 0).sum()
        ended += stopped.sum()
        counts = prefixes[~stopped, -1]
        if not len(counts):
            break
    return accepted / RUNS, ended / RUNS


def standard_error(rate):
    return math.sqrt(rate * (1 - rate) / RUNS)


@pytest.mark.parametrize(
    ("sprt", "shares"),
    [
        (Sprt(0, 20), EQUAL),
        (Sprt(0, 20), DRAWISH),
        (Sprt(0, 100), EQUAL),
        (Sprt(0, 60, alpha=0.1, beta=0.02), EQUAL),
        (Sprt(0, 120, normalized=True), EQUAL),
    ],
)
def test_equal_agents_are_told_apart_no_more_often_than_alpha(sprt, shares):
    accepted, ended = simulated(sprt, shares, seed=1)
    print(f"false positives {accepted:.4f}")
    assert ended == 1
    assert accepted <= sprt.alpha + 2 * standard_error(sprt.alpha)
    assert accepted > 0.25 * sprt.alpha  # a test that never accepts would pass the line above


@pytest.mark.parametrize(
    ("sprt", "shares"),
    [
        (Sprt(0, 20), EQUAL),
        (Sprt(0, 20), DRAWISH),
        (Sprt(0, 100), EQUAL),
        (Sprt(0, 60, alpha=0.1, beta=0.02), EQUAL),
    ],
)
def test_the_difference_looked_for_is_found_with_the_power_stated(sprt, shares):
    accepted, ended = simulated(sprt, tilted(shares, rate_of_elo(sprt.elo1)), seed=2)
    print(f"power {accepted:.4f}")
    assert ended == 1
    assert accepted >= 1 - sprt.beta - 2 * standard_error(sprt.beta)


def test_the_bounds_are_walds():
    assert (Sprt(0, 5).lower, Sprt(0, 5).upper) == pytest.approx(
        (-2.94443897916644, 2.94443897916644)
    )
    assert (Sprt(0, 5, 0.1, 0.02).lower, Sprt(0, 5, 0.1, 0.02).upper) == pytest.approx(
        (math.log(0.02 / 0.9), math.log(0.98 / 0.1))
    )


@pytest.mark.parametrize(
    ("counts", "decision"),
    [
        ((10, 20, 40, 35, 15), "continue"),
        ((100, 200, 400, 350, 150), "H1"),
        ((100, 300, 400, 300, 100), "H0"),
    ],
)
def test_a_state_tells_the_decision(counts, decision):
    state = Sprt(0, 20).state(counts)
    assert state.decision == decision
    assert state.llr == logistic_ratio(counts, 0, 20)


def test_single_games_can_be_tested_too():
    assert Sprt(0, 20).state([100, 200, 160]).decision == "H1"


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("rate", [0.47, 0.5, 0.56])
def test_the_first_decision_is_that_of_asking_after_each_pair(rate, normalized, monkeypatch):
    monkeypatch.setattr("plyglass.stats.sprt.BLOCK", 50)
    sprt = Sprt(0, 40, normalized=normalized)
    scores = (
        np.random.default_rng(4)
        .choice(PAIR_SCORES, p=tilted(EQUAL, rate), size=sized(700, 1500))
        .tolist()
    )
    stop = sprt.first_decision(scores)
    counts = [[scores[: i + 1].count(each) for each in PAIR_SCORES] for i in range(len(scores))]
    states = [sprt.state(each) for each in counts]
    asked = next(i for i, state in enumerate(states) if state.decision != "continue")
    assert stop.pair == asked
    assert stop.state.decision == states[asked].decision


def test_a_test_that_goes_on_has_no_first_decision():
    assert Sprt(0, 5).first_decision([1.0, 1.5, 0.5]) is None
    assert Sprt(0, 5).first_decision([]) is None


@pytest.mark.parametrize("wrong", [0.25, 2.5, -0.5, float("nan")])
def test_other_scores_are_refused(wrong):
    with pytest.raises(ValueError, match="pair score"):
        Sprt(0, 5).first_decision([1.0, wrong])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"elo0": 5, "elo1": 5}, "less than"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "probabilities of error"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.5, "beta": 0.5}, "probabilities of error"),
        ({"elo0": 0, "elo1": 300, "normalized": True}, "between -200 and 200"),
    ],
)
def test_a_test_that_cannot_be_is_refused_at_once(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        Sprt(**options)
