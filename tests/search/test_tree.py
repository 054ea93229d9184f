"""The tree: growth, and keeping a subtree."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.search.mcts.tree import ROOT, Tree
from tests.planners.searches import begin


def grown(name, iterations=600):
    game = pg.game_from(name)
    world = game.start(1)
    live = pg.UCT().begin(game, 0, pg.Fresh().begin(game, 0, 1), 1)
    live.observe(None, world.hide(0))
    live.run(pg.Budget(iterations=iterations))
    return live._trees[0]


def listed(tree, node):
    """A subtree as nested plain values, independent of where its nodes lie."""
    here = tree.nodes[node]
    below = list(tree._outcomes(node)) if here.lucky else list(tree.children(node))
    return (
        int(here.action),
        int(here.visits),
        float(here.total),
        int(here.key),
        [listed(tree, each) for each in below],
    )


def test_a_kept_subtree_is_the_same_tree():
    for name in ("connect-four", "pig"):
        tree = grown(name)
        child = max(tree.children(ROOT), key=tree._visits)
        if tree.nodes[child].lucky:
            child = max(tree._outcomes(child), key=tree._visits)
        before = listed(tree, child)
        tree.keep(child)
        assert listed(tree, ROOT) == before


def test_visits_add_up_and_children_lie_side_by_side():
    tree = grown("connect-four")
    for node in range(tree.used):
        children = tree.children(node)
        if children:
            below, visits = sum(tree._visits(child) for child in children), tree._visits(node)
            assert below in (visits, visits - 1)  # the first playout of a node is its own


def test_a_cleared_tree_is_as_new_and_a_grown_one_keeps_its_nodes():
    tree = grown("connect-four")
    before = listed(tree, ROOT)
    tree.reserve(100_000)
    assert listed(tree, ROOT) == before
    tree.clear()
    assert not tree.nodes.view(np.uint8).any()


def test_a_tree_never_grows_beyond_its_limit():
    tree = Tree(50)
    tree.reserve(1000)
    assert len(tree.nodes) == 50


@pytest.mark.parametrize(
    "planner",
    [pg.UCT(most_nodes=40), pg.DeterminizedUCT(most_nodes=40, histories=50)],
    ids=["uct", "determinized-uct"],
)
def test_a_full_tree_takes_no_more_outcomes_of_luck(planner):
    """A full tree still adds outcomes one by one when it has no room for actions."""
    search = begin(pg.games.Pig(), planner)
    search.run(pg.Budget(iterations=3000))
    tree = search._trees[0] if hasattr(search, "_trees") else search.tree
    assert len(tree.nodes) - 3 <= tree.used <= len(tree.nodes)
    assert sum(search.decision().visits) == 3000


@pytest.mark.parametrize(
    "planner", [pg.SOISMCTS, pg.MOISMCTS, pg.BSMCTS], ids=lambda planner: planner.name
)
def test_a_full_tree_takes_no_more_information_sets(planner):
    for most in range(20, 50):
        search = begin(pg.games.LeducPoker(), planner(most_nodes=most))
        search.run(pg.Budget(iterations=400 if JIT else 60))
        assert search.tree.used <= len(search.tree.nodes)
        assert search.decision().action in search.view.legal()


def test_growth_takes_time_for_the_nodes_and_for_the_room():
    tree = Tree(1_000_000)
    tree.used = 1000
    assert tree.growth_seconds(24) == 0.0
    room = (tree.growth_seconds(500_000) - tree.growth_seconds(100_000)) / 400_000
    assert room == pytest.approx(Tree.room_seconds)
    assert tree.growth_seconds(25) == pytest.approx(
        1000 * Tree.node_seconds + 2048 * Tree.room_seconds
    )
