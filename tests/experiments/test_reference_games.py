"""The exact values that the study of the reference games must agree with."""

import pytest

from plyglass.core.tape import deals, outcomes
from plyglass.experiments.study import artifact_named
from plyglass.games.kuhn_poker import KuhnPoker


def value_at_random(world):
    """What the first player expects when everybody plays uniformly at random."""
    if world.over:
        return world.score(0)
    actions = world.legal()
    return sum(
        share * value_at_random(after)
        for action in actions
        for share, after in outcomes(world, action)
    ) / len(actions)


def test_the_exact_value_of_kuhn_poker_at_random_is_the_one_in_the_study():
    exact = sum(share * value_at_random(world) for share, world in deals(KuhnPoker()))
    assert artifact_named("reference-games/kuhn-random").rows[0].reported == pytest.approx(exact)
    assert exact == pytest.approx(1 / 8)


def test_the_exact_value_of_pig_is_the_one_in_the_study():
    from tests.games.test_pig import WINNING_CHANCE

    assert artifact_named("reference-games/first-player").rows[0].reported == WINNING_CHANCE[10]
