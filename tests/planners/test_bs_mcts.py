"""BS-MCTS equals UCT where nothing is hidden, and its equations agree with a hand computation."""

import math
from collections import Counter

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners.bs_mcts import OpponentModel, add_search, predicted
from plyglass.search.mcts.tree import Node
from tests.planners.searches import begin, decide

BY_BOUND = pg.BSMCTS(opponent_model=OpponentModel(act="bound"))


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "pig"])
def test_where_nothing_is_hidden_and_opponents_go_by_bounds_it_visits_what_uct_visits(name):
    game, iterations = pg.game_from(name), 5000 if JIT else 60
    assert decide(game, BY_BOUND, iterations).visits == decide(game, pg.UCT(), iterations).visits


def test_with_the_truth_given_it_visits_what_uct_visits_where_only_the_deal_is_hidden():
    game, iterations = pg.games.KuhnPoker(), 2000 if JIT else 60
    assert (
        decide(game, BY_BOUND, iterations, belief=pg.Truth()).visits
        == decide(game, pg.UCT(), iterations, belief=pg.Truth()).visits
    )


@pytest.mark.parametrize("guess", [0.0, 1.0, -1.0])
def test_the_mean_over_worlds_is_weighted_by_visits_and_by_what_they_are_worth_to_others(guess):
    nodes = np.zeros(8, Node).view(np.recarray)
    liked, other = 2, 3  # worlds, in which the one action of B, node 6, is a node of its own
    nodes[4].first = nodes[5].first = 6
    for world, child, worth, to_opponent, searches in (
        (liked, 4, 0.75, 1.0, 4),
        (other, 5, 0.0, 0.0, 2),
    ):
        for _ in range(searches):
            add_search(nodes, world, child, worth, to_opponent, guess)
    weights = 4 * math.exp(guess * 1.0), 2 * math.exp(guess * 0.0)
    assert nodes[6].total == pytest.approx(weights[0] / sum(weights) * 0.75)
    assert nodes[7].total == pytest.approx(sum(weights))


@pytest.mark.parametrize("name", ["leduc-poker", "phantom-tic-tac-toe", "skirmish:fog=true"])
def test_after_a_search_each_mean_is_over_the_worlds_in_which_the_action_was_tried(name):
    live = begin(pg.game_from(name), pg.BSMCTS(searches=5))
    live.run(pg.Budget(iterations=2000 if JIT else 60))
    nodes = live.tree.nodes[: live.tree.used]
    weights, sums, most_worlds = Counter(), Counter(), Counter()
    for world in nodes[(nodes.visits > 0) & (nodes["count"] > 0)]:
        weight = world.visits * math.exp(world.total / world.visits)
        for child in nodes[world.first : world.first + world["count"]]:
            if child.visits > 0:
                weights[child.first] += weight
                sums[child.first] += weight * child.total / child.visits
                most_worlds[child.first] += 1
    assert max(most_worlds.values()) > 2
    for shared, weight in weights.items():
        assert nodes[shared].total == pytest.approx(sums[shared] / weight)
        assert nodes[shared + 1].total == pytest.approx(weight)


def test_opponents_prefer_what_is_good_for_them():
    nodes = np.zeros(8, Node).view(np.recarray)
    nodes[1].first, nodes[1].count = 2, 2
    for child, shared, value in ((2, 4, 0.2), (3, 5, 0.7)):
        nodes[child].first = shared
        nodes[shared].visits, nodes[shared].total = 1, value
    stream = np.array([5], np.uint64)
    draws = [predicted(nodes, 1, stream.ctypes.data, 5.0) for _ in range(4000)]
    assert np.mean([draw == 3 for draw in draws]) == pytest.approx(
        1 / (1 + math.exp(5.0 * (0.2 - 0.7))), abs=0.03
    )
    nodes[4].visits = 0
    assert predicted(nodes, 1, stream.ctypes.data, 5.0) == 2


@pytest.mark.parametrize("name", ["leduc-poker", "phantom-tic-tac-toe", "skirmish:fog=true"])
def test_slices_change_nothing(name):
    game, iterations = pg.game_from(name), 300 if JIT else 30
    parts = begin(game, pg.BSMCTS())
    for count in (1, iterations // 3, iterations - 1 - iterations // 3):
        parts.run(pg.Budget(iterations=count))
    assert parts.decision() == decide(game, pg.BSMCTS(), iterations)


@pytest.mark.parametrize(
    ("planner", "most"),
    [
        (pg.BSMCTS(opponent_model=OpponentModel(guess=-11.0)), "10"),
        (pg.BSMCTS(opponent_model=OpponentModel(guess=6.0), scale="raw"), "5"),
    ],
)
def test_a_guess_that_no_sum_of_weights_can_hold_is_refused(planner, most):
    with pytest.raises(ValueError, match=f"-{most} to {most}, not"):
        begin(pg.games.TicTacToe(), planner)
