"""Branch and bound on scores that never rise finds equal values with fewer positions."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from tests.planners.naive_lookahead import by_score, foreseen, root_values
from tests.planners.searches import decide
from tests.planners.tolls import Tolls

ALL = 1_000_000_000
WORLDS = 5 if JIT else 1
HORIZON = 5 if JIT else 1
SEAS = [
    "navy",
    "navy:size=5,cargo=2,submarines=sticky",
    "navy:size=5,cargo=2,submarines=mixed,intercept=cell,strike=cell",
]


def some_way_on(game, seed, steps=6):
    """A position of a random run in which something is left to decide."""
    world = game.start(seed)
    for step in range(steps):
        after = world.copy()
        after.apply(world.legal()[derive(seed, step) % len(world.legal())])
        world = world if after.over else after
    return world


def look(world, costs, belief, memory=0, horizon=HORIZON, **how):
    planner = pg.Hindsight(worlds=WORLDS, horizon=horizon, costs=costs, memory=memory, **how)
    return decide(world.game, planner, ALL, position=world, belief=belief)


@pytest.mark.parametrize("name", SEAS)
@pytest.mark.parametrize("belief", [pg.Fresh(), pg.Truth()], ids=["fresh", "truth"])
@pytest.mark.parametrize("memory", [0, 1 << 14])
@pytest.mark.parametrize("evaluator", ["score", "threat"])
def test_costs_change_no_value_on_navy(name, belief, memory, evaluator):
    game = pg.game_from(name)
    for seed in range(6 if JIT else 1):
        world = some_way_on(game, seed)
        plain, bounded = (
            look(world, costs, belief, memory * costs, evaluator=evaluator)
            for costs in (False, True)
        )
        assert bounded.values == pytest.approx(plain.values, abs=1e-9)
        assert bounded.action == plain.action


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("memory", [0, 4096])
@pytest.mark.parametrize("paired", [True, False])
def test_costs_change_no_value_on_tolls(players, memory, paired):
    for seed in range(8 if JIT else 2):
        world = Tolls(players, steps=6 if JIT else 4).start(seed)
        plain = look(world, False, pg.Truth(), horizon="end", paired=paired)
        assert look(
            world, True, pg.Truth(), memory, horizon="end", paired=paired
        ).values == pytest.approx(plain.values, abs=1e-12)


@pytest.mark.parametrize("horizon", range(4 if JIT else 2))
def test_values_are_those_of_the_definition(horizon):
    """Brute force in each world, with its own chance foreseen."""
    world = some_way_on(pg.game_from("navy:size=5,cargo=2"), 3)
    expected = []
    for number in range(WORLDS):
        future = world.copy()
        future.change_luck(derive(3, 1, 0, number))
        expected.append(root_values(future, horizon + 1, by_score, foreseen))
    means = [sum(column) / WORLDS for column in zip(*expected, strict=True)]
    assert look(world, True, pg.Truth(), horizon=horizon).values == pytest.approx(means, abs=1e-12)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_costs_visit_less_than_half_of_the_positions_on_navy():
    game, visited = pg.game_from("navy"), [0, 0]
    for seed in range(6):
        world = some_way_on(game, seed, steps=4)
        for costs in (False, True):
            visited[costs] += look(world, costs, pg.Fresh()).iterations
    assert visited[True] < visited[False] / 2, visited


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_a_search_that_is_cut_short_has_values_of_the_last_complete_look():
    """Ceilings of earlier looks do not leak into the report on an incomplete look."""
    world = some_way_on(pg.game_from("navy:size=5,cargo=2"), 5)
    complete = [look(world, False, pg.Truth(), horizon=horizon).values for horizon in range(5)]
    for iterations in (200, 1000, 5000):
        planner = pg.Hindsight(worlds=WORLDS, horizon=4, costs=True, memory=0)
        assert (
            decide(world.game, planner, iterations, position=world, belief=pg.Truth()).values
            in complete
        )
