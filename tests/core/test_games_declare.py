"""What a game must declare, and the errors for missing declarations."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.games.kuhn_poker import rules


class Incomplete(pg.Game):
    """A Kuhn poker to take rules away from."""

    name = "incomplete"
    state = rules.State
    rules = (rules.start, rules.to_move, rules.legal, rules.apply, rules.score)

    def __init__(self, players: int = 2, most_actions: int = 2, low: float = -2.0) -> None:
        super().__init__(
            players=players, most_actions=most_actions, most_steps=3, scores=(low, 2.0)
        )


def variant(*functions):
    return type("Variant", (Incomplete,), {"rules": functions})()


def test_a_missing_rule_is_named():
    with pytest.raises(TypeError, match="has no rule 'score'"):
        _ = variant(*Incomplete.rules[:-1]).table


def test_hide_without_imagine_is_refused():
    with pytest.raises(TypeError, match="needs both hide and imagine"):
        _ = variant(*Incomplete.rules, rules.hide).table


def test_a_rule_with_other_parameters_is_refused():
    @pg.kernel
    def legal(state, out):
        return 0

    with pytest.raises(TypeError, match=r"rule legal\(state, out\) must take \(r, s, out\)"):
        _ = variant(rules.start, rules.to_move, legal, rules.apply, rules.score).table


def test_an_unknown_rule_is_refused():
    @pg.kernel
    def undo(r, s):
        return 0

    with pytest.raises(TypeError, match="has a rule 'undo'"):
        _ = variant(*Incomplete.rules, undo).table


def test_features_without_their_number_are_refused_and_so_is_a_number_without_features():
    @pg.kernel
    def features(r, s, player, values):
        return 0

    with pytest.raises(TypeError, match="needs both a rule `features` and `most_features`"):
        _ = variant(*Incomplete.rules, features).table
    game = variant(*Incomplete.rules)
    game.most_features = 3
    with pytest.raises(TypeError, match="needs both a rule `features` and `most_features`"):
        _ = game.table


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": 9}, "1 to 8"),
        ({"most_actions": 40_000}, "the limit is 32767"),
        ({"low": 2.0}, "the first must be the lower"),
    ],
)
def test_impossible_declarations_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        Incomplete(**wrong)


def test_evaluators_and_policies_are_found_by_name():
    game = pg.games.Skirmish()
    assert game.evaluator("material") == game.evaluator("material") != 0
    with pytest.raises(ValueError, match="no evaluator 'beauty'; it offers material"):
        game.evaluator("beauty")


def test_parameters_are_remembered():
    assert pg.games.Pig(goal=30).parameters["goal"] == 30
    assert repr(pg.games.ConnectFour(5)) == "ConnectFour(connect=5)"
    assert np.dtype(pg.games.ConnectFour.state).itemsize % 8 == 0
