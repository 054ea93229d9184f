"""Ratings against a general optimizer and exact cases, and the coverage of their intervals."""

import itertools
import math
import random

import numpy as np
import pytest
from scipy import optimize

from plyglass.stats.elo import ELO_PER_LOGIT
from plyglass.stats.ratings import RESULTS, VIRTUAL, anchored, bootstrap, fit
from tests.sizes import sized

STRENGTH = {"a": 60.0, "b": 10.0, "c": -70.0}
SIDE = 30.0
DRAW = 0.8


def shares(first, second, strength=STRENGTH, side=SIDE, draw=DRAW):
    ahead = (strength[first] - strength[second] + side) / ELO_PER_LOGIT
    weights = np.array([math.exp(ahead / 2), draw, math.exp(-ahead / 2)])
    return weights / weights.sum()


def tournament(generator, deals):
    """So many deals for each two agents, each played from both seats."""
    played = []
    for one, other in itertools.combinations(STRENGTH, 2):
        results = [
            generator.choice(RESULTS, p=shares(*seating), size=deals).tolist()
            for seating in ((one, other), (other, one))
        ]
        played += [
            ((one, other, there), (other, one, back)) for there, back in zip(*results, strict=True)
        ]
    return played


def games_of(deals):
    return [game for deal in deals for game in deal]


def test_the_fit_is_that_of_a_general_optimizer():
    games = games_of(tournament(np.random.default_rng(1), 40)) + [("a", "b", 1.0)] * 7

    def loss(answer):
        strength = dict(zip("abc", (answer[0], answer[1], -answer[0] - answer[1]), strict=True))
        seatings = {
            seating: np.log(shares(*seating, strength, answer[2], math.exp(answer[3])))
            for seating in itertools.permutations("abc", 2)
        }
        played = sum(
            seatings[first, second][RESULTS.index(result)] for first, second, result in games
        )
        return -played - VIRTUAL * sum(each.sum() for each in seatings.values())

    found = optimize.minimize(
        loss,
        [0.0, 0.0, 0.0, 0.0],
        method="Nelder-Mead",
        options={"xatol": 1e-6, "fatol": 1e-11, "maxiter": 5000},
    ).x
    ratings = fit(games)
    assert (ratings["a"].elo, ratings["b"].elo, ratings.side_elo) == pytest.approx(
        tuple(found[:3]), abs=1e-2
    )
    assert ratings.draw == pytest.approx(math.exp(found[3]), rel=1e-4)


def test_ten_to_one_in_decisive_games_is_400_elo():
    games = (
        [("a", "b", 1.0)] * 100_000
        + [("a", "b", 0.0)] * 10_000
        + [("b", "a", 0.0)] * 100_000
        + [("b", "a", 1.0)] * 10_000
    )
    ratings = fit(games + [("a", "b", 0.5)] * 50_000 + [("b", "a", 0.5)] * 50_000)
    assert ratings["a"].elo - ratings["b"].elo == pytest.approx(400, abs=0.02)
    assert ratings.side_elo == pytest.approx(0, abs=1e-6)


def test_an_advantage_of_the_side_is_not_taken_for_strength():
    ratings = fit(
        [("a", "b", 1.0), ("b", "a", 1.0)] * 500 + [("a", "b", 0.0), ("b", "a", 0.0)] * 50
    )
    assert ratings["a"].elo == pytest.approx(0, abs=1e-6)
    assert ratings.side_elo == pytest.approx(400, abs=3)


def test_many_games_find_the_true_strengths():
    ratings = fit(games_of(tournament(np.random.default_rng(2), 20_000)))
    for agent, elo in STRENGTH.items():
        assert ratings[agent].elo == pytest.approx(elo, abs=4)
    assert (ratings.side_elo, ratings.draw) == (
        pytest.approx(SIDE, abs=4),
        pytest.approx(DRAW, abs=0.03),
    )


def test_the_mean_is_0_the_strongest_come_first_and_games_are_counted():
    ratings = fit(games_of(tournament(np.random.default_rng(3), 100)))
    assert sum(rating.elo for rating in ratings.ratings) == pytest.approx(0, abs=1e-6)
    assert [rating.agent for rating in ratings.ratings] == ["a", "b", "c"]
    assert [rating.games for rating in ratings.ratings] == [400, 400, 400]


def test_the_order_of_games_and_deals_changes_nothing():
    deals = tournament(np.random.default_rng(4), 30)
    shuffled = [tuple(reversed(deal)) for deal in deals]
    random.Random(1).shuffle(shuffled)
    assert fit(games_of(shuffled)) == fit(games_of(deals))
    assert bootstrap(shuffled, seed=1, times=50) == bootstrap(deals, seed=1, times=50)


def test_intervals_cover_the_truth_as_often_as_they_say():
    repetitions, covered = sized(200, 1000), []
    for repetition in range(repetitions):
        ratings = bootstrap(
            tournament(np.random.default_rng([5, repetition]), 100), seed=repetition, times=399
        )
        covered += [
            ratings[agent].low <= elo <= ratings[agent].high for agent, elo in STRENGTH.items()
        ]
        covered.append(ratings.side_low <= SIDE <= ratings.side_high)
    print(
        f"coverage {np.mean(covered):.4f}, of each "
        f"{np.mean(np.reshape(covered, (repetitions, 4)), axis=0)}"
    )
    assert np.mean(covered) == pytest.approx(0.95, abs=sized(0.03, 0.015))


def test_deals_are_drawn_whole():
    """Two games that always end alike are one observation: the interval must be wider than that
    of twice as many deals.
    """
    generator = np.random.default_rng(6)
    results = generator.choice([1.0, 0.0], size=200).tolist()
    games = [(("a", "b", result), ("b", "a", 1 - result)) for result in results]
    together = bootstrap(games, seed=1)["a"]
    apart = bootstrap([(game,) for deal in games for game in deal], seed=1)["a"]
    assert (together.high - together.low) / (apart.high - apart.low) == pytest.approx(
        math.sqrt(2), rel=0.1
    )


def test_blocks_of_resamples_change_nothing(monkeypatch):
    deals = tournament(np.random.default_rng(7), 20)
    whole = bootstrap(deals, seed=1, times=40)
    monkeypatch.setattr("plyglass.stats.ratings.BATCH", 100)
    parts = bootstrap(deals, seed=1, times=40)
    assert [rating.low for rating in parts.ratings] == pytest.approx(
        [rating.low for rating in whole.ratings], abs=1e-6
    )


@pytest.mark.parametrize("count", [1, 20, 100_000])
def test_who_wins_every_game_is_rated_finitely(count):
    ratings = fit([("a", "b", 1.0)] * count + [("b", "a", 0.0)] * count)
    third = VIRTUAL / (count + VIRTUAL)
    assert ratings["a"].elo - ratings["b"].elo == pytest.approx(
        -ELO_PER_LOGIT * math.log(third), rel=1e-4
    )


@pytest.mark.parametrize("result", RESULTS)
def test_one_result_only_has_an_answer(result):
    ratings = bootstrap(
        [(("a", "b", result),)] * 50 + [(("b", "c", result),)] * 50, seed=1, times=20
    )
    numbers = [
        ratings.side_elo,
        ratings.draw,
        *(number for each in ratings.ratings for number in (each.elo, each.low, each.high)),
    ]
    assert all(math.isfinite(number) for number in numbers)


def test_a_rating_without_bootstrap_claims_no_interval():
    ratings = fit([("a", "b", 1.0)])
    assert (ratings["a"].low, ratings["a"].high, ratings.side_low, ratings.side_high) == (
        None,
        None,
        None,
        None,
    )


def test_anchored_ratings_are_relative_to_the_mean_of_the_anchors():
    deals = tournament(np.random.default_rng(2), 12)
    usual, found = fit(games_of(deals)), anchored(deals, ["a", "b"], seed=1, times=20)
    anchors = (usual["a"].elo + usual["b"].elo) / 2
    expected = [usual[agent].elo - anchors for agent in found.agents]
    assert found.elo == pytest.approx(expected, abs=1e-6)
    assert found.draws.shape == (20, 3)
    assert found.draws[:, [found.agents.index(each) for each in "ab"]].sum(axis=1) == (
        pytest.approx(np.zeros(20), abs=1e-6)
    )


@pytest.mark.parametrize(
    ("games", "sentence"),
    [
        ([], "at least one game"),
        ([("a", "b", 0.7)], "not 0.7"),
        ([("a", "b", 1.0), ("c", "d", 0.0)], "No chain of games connects a and c"),
    ],
)
def test_what_cannot_be_rated_is_refused(games, sentence):
    with pytest.raises(ValueError, match=sentence):
        fit(games)
