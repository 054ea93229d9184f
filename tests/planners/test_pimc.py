"""PIMC with a tree for every world, or with a new world for every iteration of one tree."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from tests.planners.searches import decide, positions

ITERATIONS = 2000 if JIT else 60
FOG = pg.games.Tubstap(map="sandbox")


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe"])
def test_where_nothing_is_hidden_one_tree_is_that_of_uct(name):
    game = pg.game_from(name)
    assert (
        decide(game, pg.PIMC(redraw=True), ITERATIONS).visits
        == decide(game, pg.UCT(), ITERATIONS).visits
    )


def test_with_one_tree_and_the_truth_given_it_visits_what_uct_visits():
    redrawn, plain = (
        decide(FOG, planner, ITERATIONS, belief=pg.Truth())
        for planner in (pg.PIMC(redraw=True), pg.UCT())
    )
    assert redrawn.visits == plain.visits


def test_one_tree_serves_all_worlds():
    """Each iteration begins at the root in its own world, where the same actions are legal."""
    differ = 0
    for world in positions(FOG, 8, 12):
        redrawn, single = (
            decide(FOG, planner, ITERATIONS, position=world)
            for planner in (pg.PIMC(redraw=True), pg.PIMC(worlds=1))
        )
        assert sum(redrawn.visits) == ITERATIONS
        differ += redrawn.visits != single.visits
    assert differ > 2


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_it_plays_where_actions_differ_between_worlds():
    game = pg.games.Tubstap(map="duelists")
    agents = [
        pg.Agent(pg.PIMC(redraw=redraw, worlds=3), budget=pg.Budget(iterations=300))
        for redraw in (True, False)
    ]
    assert pg.play(game, agents, seed=1).end.over


def test_an_exhaustive_search_has_no_tree_to_share():
    with pytest.raises(ValueError, match="needs inner=uct"):
        pg.PIMC(inner=pg.Expectiminimax(), redraw=True)


def test_a_shared_tree_refuses_what_it_would_ignore():
    with pytest.raises(ValueError, match="one plain tree"):
        pg.PIMC(inner=pg.UCT(trees=2), redraw=True)
