"""Counterfactuals: differences compared with exact values, and the facts behind them."""

import math

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.match.record import seen_by
from plyglass.arena.review.continuation import Continuation
from plyglass.arena.review.counterfactual import _deciding, _welch
from plyglass.stats.tails import student_quantile
from tests.arena.review.uniform import EXACT, RANDOM, Uniform
from tests.sizes import sized

PAIRS = sized(60, 200)


def decisions(game, count):
    """Decisions of random matches, one of each information set, as (record, ply, set)."""
    found = {}
    for seed in range(count):
        record = pg.record_of(pg.play(game, [RANDOM] * game.players, seed=seed))
        for ply, move in enumerate(record.moves):
            seen = move["player"], tuple(seen_by(record, move["player"], ply, game))
            found.setdefault(seen, (record, ply))
    return found


@pytest.mark.parametrize(
    ("name", "matches", "most"),
    [
        ("kuhn-poker", 60, sized(6, 12)),
        ("leduc-poker", sized(6, 2000), sized(5, 936)),
        ("bear", 10, 10),
    ],
)
def test_differences_are_those_of_the_whole_game(name, matches, most):
    game = pg.game_from(name)
    exact = Uniform(game)
    beyond, cells = [], 0
    for seen, (record, ply) in list(decisions(game, matches).items())[:most]:
        played = record.moves[ply]["action"]
        worth = exact.worth(exact.numbers[seen])
        for other in worth.keys() - {played}:
            found = pg.why(
                record, ply, other, pairs=PAIRS, game=game, agent=EXACT, play_on=RANDOM, seed=cells
            )
            error = (found.high - found.low) / (2 * student_quantile(0.975, PAIRS - 1))
            away = abs(found.better - (worth[other] - worth[played]))
            cells += 1
            beyond.append(away / error if error else (0.0 if away < 1e-9 else math.inf))
    assert cells >= 3
    assert sum(each > 3 for each in beyond) <= 0.01 * cells + 1
    assert max(beyond) <= 4.5


def test_the_deciding_card_is_named():
    """Calling a bet with the queen is right against the jack, and wrong against the king."""
    game = pg.games.KuhnPoker()
    for seed in range(200):
        record = pg.record_of(pg.play(game, [RANDOM] * 2, seed=seed))
        card = seen_by(record, 1, 1, game)[-1][1].record["card"][1]
        if card == 1 and [move["action"] for move in record.moves[:2]] == [1, 0]:
            break
    found = pg.why(record, 1, "bet", pairs=100, game=game, agent=EXACT, play_on=RANDOM)
    assert found.fact in ("player 1 holds the J", "player 1 holds the K")
    assert 0.3 < found.likely < 0.7
    better, worse = sorted([found.when, found.otherwise], reverse=True)
    assert better == pytest.approx(0.75)  # from losing 1 to winning 2, of a range of 4
    assert worse == pytest.approx(-0.25)
    assert found.sentence.startswith("bet instead of pass")
    assert "If player 1 holds the" in found.sentence
    again = pg.why(record, 1, "bet", pairs=100, game=game, agent=EXACT, play_on=RANDOM)
    assert again == found


def test_both_actions_meet_the_same_chance():
    """Nothing but the action differs, so an action compared with its equal makes no difference."""
    game = pg.games.Pig()
    world = game.start(3)
    while len(world.legal()) < 2:
        world.apply(world.legal()[0])
    rows = np.array([world.row() for _ in range(20)])
    action = world.legal()[0]
    differences = Continuation(game, RANDOM).differences(rows, 0, (action, action), seed=5)
    assert (differences == 0).all()
    other = world.legal()[-1]
    assert other != action
    assert (Continuation(game, RANDOM).differences(rows, 0, (action, other), seed=5) != 0).any()


def test_an_action_that_is_not_legal_is_answered_with_those_that_are():
    game = pg.games.KuhnPoker()
    record = pg.record_of(pg.play(game, [RANDOM] * 2, seed=0))
    with pytest.raises(ValueError, match="legal are pass, bet"):
        pg.why(record, 0, "raise", game=game)
    with pytest.raises(ValueError, match="was played"):
        pg.why(record, 0, record.moves[0]["action"], game=game)


def test_a_fact_without_influence_is_not_named():
    luck = np.random.default_rng(0)
    differences = luck.normal(size=400)
    facts = {str(number): luck.random(400) < 0.5 for number in range(40)}
    assert _deciding(facts, differences).name is None
    differences[facts["7"]] += 1.0
    found = _deciding(facts, differences)
    assert found.name == "7"
    assert found.when - found.otherwise == pytest.approx(1.0, abs=0.3)
    rare = {"rare": np.arange(400) < 10}
    assert _deciding(rare, np.where(rare["rare"], 5.0, differences)).name is None


def test_a_fact_of_two_worlds_proves_little():
    """Without spread, the p-value is the chance that a random split is this one."""
    assert _welch(np.ones(2), np.zeros(14)) == pytest.approx(1 / 120)


def test_welchs_p_value_is_that_of_a_textbook():
    """Checked with scipy.stats.ttest_ind(a, b, equal_var=False)."""
    a, b = np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 4.0, 6.0, 8.0, 10.0])
    assert _welch(a, b) == pytest.approx(0.0691336, abs=1e-6)
