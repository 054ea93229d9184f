"""Tiger against the exact values of the POMDP."""

from collections import defaultdict

import pytest

from plyglass.core.tape import outcomes
from plyglass.games.tiger import Tiger, rules
from tests.games.enumeration import assert_imagines_the_posterior, imagined

DISCOUNTED = {1: -1.0, 2: -1.95, 3: 2.3098, 4: 1.7955, 5: 2.7631, 6: 4.4285}
PLAIN = {1: -1.0, 2: -2.0, 3: 2.72, 4: 2.4212, 5: 3.6091, 6: 5.6188}


def best_value(view, known):
    """The value of optimal play from a view: every action, every world behind it, every outcome."""
    if view.over:
        return 0.0
    if view not in known:
        known[view] = max(_action_value(view, action, known) for action in view.legal())
    return known[view]


def _action_value(view, action, known):
    reward, seen = 0.0, defaultdict(float)
    for belief, world in ((share, world) for world, share in imagined(view).items()):
        for luck, after in outcomes(world, action):
            reward += belief * luck * (after.score(0) - world.score(0))
            seen[after.hide(0)] += belief * luck
    return reward + view.game.discount * sum(
        share * best_value(after, known) for after, share in seen.items()
    )


@pytest.mark.parametrize(("steps", "value"), DISCOUNTED.items())
def test_discounted_values_are_the_exact_ones(steps, value):
    assert best_value(Tiger(steps=steps).start(0).hide(0), {}) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(("steps", "value"), PLAIN.items())
def test_undiscounted_values_are_the_exact_ones(steps, value):
    assert best_value(Tiger(steps=steps, discount=1.0).start(0).hide(0), {}) == pytest.approx(
        value, abs=5e-5
    )


@pytest.mark.parametrize("accuracy", [0.5, 0.85, 1.0])
def test_imagine_is_the_exact_posterior(accuracy):
    assert_imagines_the_posterior(Tiger(accuracy=accuracy, steps=4))


def test_an_opened_door_ends_all_that_was_heard():
    world = Tiger().start(5)
    for action in (rules.LISTEN, rules.LISTEN, rules.OPEN_LEFT):
        world.apply(action)
    view = world.hide(0)
    assert list(view.record["heard"]) == [0, 0]
    assert view.record["last"] == rules.NOTHING
    assert sorted(imagined(view).values()) == [0.5, 0.5]


def test_opening_pays_ten_or_costs_a_hundred():
    world = Tiger().start(3)
    tiger = int(world.record["tiger"])
    eaten, rich = world.copy(), world.copy()
    eaten.apply(rules.OPEN_LEFT + tiger)
    rich.apply(rules.OPEN_LEFT + 1 - tiger)
    assert (eaten.score(0), rich.score(0)) == (-100.0, 10.0)


def test_a_thousand_hearings_leave_odds_that_are_numbers():
    world = Tiger(accuracy=0.5, steps=3000).start(1)
    for _ in range(2999):
        world.apply(rules.LISTEN)
    assert sorted(imagined(world.hide(0)).values()) == [0.5, 0.5]
