"""Navy Defense beside a naive twin: outcomes of a step with probabilities, and long random runs."""

from collections import defaultdict
from itertools import product

import pytest

from plyglass.core.compile import JIT
from plyglass.core.tape import outcomes
from plyglass.games.navy import Navy
from tests.games.naive_navy import NaiveNavy, position_of
from tests.games.navy_positions import any_world, random_run

READINGS = list(product(("free", "sticky", "mixed"), ("reach", "cell"), ("reach", "cell")))
POSITIONS, STEPS = (25, 280) if JIT else (2, 6)  # for each size and reading; 10,080 steps in all


def seas(size):
    return [
        Navy(size, submarines=model, intercept=intercept, strike=strike)
        for model, intercept, strike in READINGS
    ]


def outcomes_of(world, action):
    """Our outcomes of an action, as the twin writes them."""
    found = defaultdict(float)
    for share, after in outcomes(world, action):
        found[position_of(after)] += share
    return found


@pytest.mark.parametrize("size", [4, 5, 7, 8])
def test_a_step_leads_where_the_twin_says_with_the_same_probabilities(size):
    for game in seas(size):
        twin = NaiveNavy(**game.parameters)
        for seed in range(POSITIONS):
            world = any_world(game, seed)
            actions, before = world.legal(), position_of(world)
            assert [game.action_name(action) for action in actions] == twin.legal(before)
            action = actions[seed % len(actions)]
            assert outcomes_of(world, action) == pytest.approx(
                twin.outcomes(before, game.action_name(action)), abs=1e-12
            )


@pytest.mark.parametrize("size", [5, 7, 8])
def test_long_random_runs_are_possible_for_the_twin(size):
    for game in seas(size):
        twin, steps, seed = NaiveNavy(**game.parameters), 0, 0
        while steps < STEPS:
            for before, action, after in random_run(game, seed):
                position = position_of(after)
                assert position in twin.outcomes(position_of(before), game.action_name(action))
                assert after.over == twin.over(position)
                assert after.score(0) == -position.cost
                steps += 1
            seed += 1


def test_chance_picks_evenly_among_equally_good_choices():
    """The outcomes of many runs of one step are as frequent as the twin says."""
    game = Navy(5)
    world = next(
        world for seed in range(100) if 3 < len(outcomes_of(world := any_world(game, seed), 0)) < 10
    )
    counts, tries = defaultdict(int), 4000 if JIT else 60
    for seed in range(tries):
        after = world.copy()
        after.change_luck(seed)
        after.apply(0)
        counts[position_of(after)] += 1
    for position, share in (
        NaiveNavy(**game.parameters).outcomes(position_of(world), "stay").items()
    ):
        assert counts[position] == pytest.approx(tries * share, abs=5 * (tries * share) ** 0.5)
