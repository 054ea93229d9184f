"""Kuhn poker against its textbook numbers."""

import pytest

from plyglass.games.kuhn_poker import KuhnPoker
from tests.games.enumeration import assert_imagines_the_posterior, information_sets, reached


def test_there_are_12_information_sets():
    assert len(information_sets(KuhnPoker())) == 12


def test_imagine_is_the_exact_posterior():
    assert_imagines_the_posterior(KuhnPoker())


def test_uniform_play_is_worth_an_eighth_to_the_first_player():
    ends = {world: share for world, share in reached(KuhnPoker()).items() if world.over}
    assert sum(share * world.score(0) for world, share in ends.items()) == pytest.approx(1 / 8)


def test_a_folded_card_stays_hidden_and_a_showdown_shows_both():
    for world in reached(KuhnPoker()):
        folded = world.over and abs(world.score(0)) == 1 and 1 in world.record["history"]
        hidden = [-1 in world.hide(player).record["card"] for player in range(2)]
        assert hidden == [folded or not world.over] * 2
