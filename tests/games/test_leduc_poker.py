"""Leduc poker, compared with OpenSpiel's move by move."""

import pytest

from plyglass.core.tape import deals, outcomes
from plyglass.games.leduc_poker import LeducPoker, rules
from tests.games.enumeration import assert_imagines_the_posterior, information_sets, reached

GAME = LeducPoker()


def play(*actions):
    world = GAME.start(1)
    for action in actions:
        world.apply(action)
    return world


def test_there_are_936_information_sets():
    assert len(information_sets(GAME)) == 936


def test_imagine_is_the_exact_posterior():
    assert_imagines_the_posterior(GAME)


def test_a_fold_needs_a_bet_and_a_third_raise_is_refused():
    assert play().legal() == [rules.CALL, rules.RAISE]
    assert play(rules.RAISE).legal() == [rules.FOLD, rules.CALL, rules.RAISE]
    assert play(rules.RAISE, rules.RAISE).legal() == [rules.FOLD, rules.CALL]


def test_the_highest_pot_is_thirteen_chips_each():
    most = play(*(rules.CALL, rules.RAISE, rules.RAISE, rules.CALL) * 2)
    assert most.over
    assert list(most.record["chips"]) == [13, 13]


def test_a_pair_beats_a_king_and_equal_ranks_split():
    score = {}
    for world in reached(GAME):
        if world.record["ended"] == rules.SHOWDOWN and list(world.record["chips"]) == [1, 1]:
            score[(*world.record["card"], world.record["public"])] = world.score(0)
    assert score[0, 4, 1] == 1.0
    assert score[0, 4, 2] == -1.0
    assert score[4, 5, 0] == 0.0
    assert len(score) == 120


def test_a_folded_card_stays_hidden_and_a_showdown_shows_both():
    for world in reached(GAME):
        hidden = [
            int(world.hide(player).record["card"][1 - player]) == rules.UNKNOWN
            for player in range(2)
        ]
        assert hidden == [world.record["ended"] != rules.SHOWDOWN] * 2


def test_every_history_is_the_same_in_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    for _, world in deals(GAME):
        theirs = pyspiel.load_game("leduc_poker").new_initial_state()
        for card in world.record["card"]:
            theirs.apply_action(int(card))
        _compare(world, theirs)


def _compare(ours, theirs):
    assert ours.over == theirs.is_terminal()
    if ours.over:
        assert ours.scores == theirs.returns()
        return
    assert (ours.to_move, ours.legal()) == (theirs.current_player(), theirs.legal_actions())
    for action in ours.legal():
        for share, after in outcomes(ours, action):
            twin = theirs.child(action)
            if twin.is_chance_node():
                public = int(after.record["public"])
                assert dict(twin.chance_outcomes())[public] == pytest.approx(share)
                twin.apply_action(public)
            _compare(after, twin)
