"""Trees and trials that are small enough for interpreted code."""

import ctypes

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import interpreted
from plyglass.search.mcts.root import RootStatistics
from plyglass.search.mcts.tree import ROOT, Tree, keep_subtree
from plyglass.search.mcts.workspace import Workspace
from plyglass.search.turn_results.results import copy_plan, is_same_plan
from plyglass.search.turn_tree.plies import finish_ply
from plyglass.search.values import chosen_of, evaluator_of, span_of
from tests.planners.grove import Grove, random_grove
from tests.planners.searches import begin, decide
from tests.search.test_tree import grown, listed


@pytest.mark.parametrize("name", ["tic-tac-toe", "pig:goal=8"])
def test_a_kept_subtree_is_the_same_tree(name):
    tree = grown(name, iterations=60)
    child = max(tree.children(ROOT), key=tree._visits)
    if tree.nodes[child].lucky:
        child = max(tree._outcomes(child), key=tree._visits)
    before, target = listed(tree, child), np.zeros_like(tree.nodes)
    size = keep_subtree(tree.nodes, child, target)
    tree.keep(child)
    assert listed(tree, ROOT) == before
    assert tree.used == size > 2
    assert target[:size].tobytes() == tree.nodes[:size].tobytes()
    assert not target[size:].view(np.uint8).any()


def test_a_cleared_tree_has_an_unvisited_root_and_nothing_else():
    tree = grown("tic-tac-toe", iterations=5)
    assert tree.used > 2
    tree.clear()
    assert tree.used == 1
    assert not tree.nodes.view(np.uint8).any()


def test_room_grows_as_far_as_needed_and_keeps_the_nodes():
    tree = Tree(10_000)
    tree.nodes[ROOT].visits = 7
    tree.reserve(5_000)
    assert 5_001 <= len(tree.nodes) <= 10_000
    assert tree.nodes[ROOT].visits == 7


def test_a_line_has_actions_that_were_tried_once():
    tree = grown("tic-tac-toe", iterations=9)
    assert [tree.line(action) for action in range(9)] == [((0, action),) for action in range(9)]


@pytest.mark.parametrize("choice", ["visits", "value", "bound"])
def test_an_action_that_was_never_tried_is_the_last_choice(choice):
    statistics = RootStatistics((5, 6, 7), (0, 2, 1), (None, -0.5, -0.8), span=1.0)
    assert statistics.best_action(choice, exploration=0.7) == 6


def test_ties_go_to_the_first_the_last_or_any():
    best = [1, 4, 6]
    assert [chosen_of(best, ties, seed=3) for ties in ("first", "last")] == [1, 6]
    assert {chosen_of(best, "uniform", seed) for seed in range(20)} == {1, 4, 6}


@pytest.mark.parametrize(
    ("planner", "expected"),
    [(pg.MOISMCTS(), 30 * (2 * 2 + 2)), (pg.OnePlyMCTS(), 31 * (3 * 2 + 2))],
    ids=lambda each: getattr(each, "name", ""),
)
def test_room_is_reserved_for_all_nodes_that_iterations_can_add(planner, expected, monkeypatch):
    """Two actions are legal at most. A turn has one path more than iterations."""
    game, asked = random_grove(1, width=2), []
    search = begin(game, planner)
    tree = search.turn._tree if planner.name == "one-ply-mcts" else search.tree
    reserve = tree.reserve
    monkeypatch.setattr(tree, "reserve", lambda nodes: asked.append(nodes) or reserve(nodes))
    search.run(pg.Budget(iterations=30))
    assert asked == [expected]


def test_values_are_scaled_by_the_declared_scores_or_not_at_all():
    game = pg.games.LeducPoker()
    by_range, raw = (Workspace(game, 1, 0.7, scale).work[0] for scale in ("range", "raw"))
    assert (by_range.low, by_range.low + by_range.span) == game.scores
    assert (raw.low, raw.span) == (0.0, 1.0)


def test_a_plan_is_copied_with_its_length():
    plan, copy = np.array([2, 7, 9, 5], np.int32), np.zeros(4, np.int32)
    copy_plan(copy, plan)
    assert copy.tolist() == [2, 7, 9, 0]
    assert is_same_plan(copy, plan)
    copy[2] = 8
    assert not is_same_plan(copy, plan)


def test_every_action_is_tried_once_a_round():
    """One action of the first player ends their turn, so every trial judges the same position."""
    game = random_grove(4, movers=(0, 1), width=3)
    worth = [game.constants_record["worth"][0][action + 1] for action in range(3)]
    found = decide(game, pg.Rollout(), 5)
    assert found.values == pytest.approx(worth)
    assert (found.iterations, found.evaluated) == (5, 5 * 3)
    assert found.action == int(np.argmax(worth))


@pytest.mark.parametrize(("tries", "given"), [(3, {}), (5, {"tries": 5})])
def test_several_random_plies_are_judged_before_the_end_is(tries, given):
    game = random_grove(4, movers=(0, 1, 0), width=3)
    found = decide(game, pg.Rollout(policy="multi-random", plies=2, **given), 2)
    assert found.evaluated == 2 * 3 * (tries + 1)


@pytest.mark.parametrize(("policy", "judged"), [("random", 1), ("greedy", 3 + 1)])
def test_other_plies_are_played_once(policy, judged):
    """A greedy ply judges each of its three actions, and every trial judges its end."""
    game = random_grove(4, movers=(0, 1, 0), width=3)
    found = decide(game, pg.Rollout(policy=policy, plies=2, tries=5), 2)
    assert found.evaluated == 2 * 3 * judged


def test_a_single_action_is_played_without_trials():
    game = Grove([0.0, 0.5, 0.5], movers=(0, 1), width=1)
    assert decide(game, pg.Rollout(), 10).iterations == 0


def test_a_ply_is_left_unfinished_when_the_time_is_over():
    game = random_grove(4, movers=(0, 0, 0, 1), width=2).interpreted()
    search, world = begin(game, pg.OnePlyMCTS()), game.start(1)
    work = search.turn._space.work[0]
    for stopped, following in ((False, 1), (True, 0)):
        ctypes.memmove(int(work.world), world.address, game.state.itemsize)
        with search._belief.clock.started(None), np.errstate(over="ignore"):
            if stopped:
                search._belief.clock.cancel()
            assert interpreted(finish_ply)(game.table, work, 0) == following


def test_a_second_ply_is_played_by_the_other_player():
    """Greedily, the second player takes what is worst for the first."""
    game = random_grove(5, movers=(0, 1, 0), width=3)
    worth = game.constants_record["worth"][0]
    expected = [
        min(worth[(action + 1) * 3 + answer + 1] for answer in range(3)) for action in range(3)
    ]
    found = decide(game, pg.Rollout(policy="greedy", plies=2), 2)
    assert found.values == pytest.approx(expected)


def test_a_searching_belief_tells_its_health():
    search = begin(pg.games.KuhnPoker(), pg.SOISMCTS(), belief=pg.Particles(worlds=20))
    search.run(pg.Budget(iterations=5))
    assert search.decision().health == search.belief.health()
    assert search.decision().health is not None


def test_the_scale_of_bounds_is_that_of_scores_and_unknown_for_evaluators():
    game = pg.games.Duel()
    by_score, by_material = (evaluator_of(game, name) for name in ("score", "material"))
    assert span_of(game, by_score, "range") == game.scores[1] - game.scores[0]
    assert span_of(game, by_material, "range") == 0.0
    assert span_of(game, by_score, "raw") == span_of(game, by_material, "raw") == 1.0
