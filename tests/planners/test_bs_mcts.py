"""BS-MCTS: UCT where nothing is hidden, and its equations by hand."""

import math

import numpy as np
import pytest

import plyglass as pg
from planners.searches import begin, decide
from plyglass.core.compile import JIT
from plyglass.planners.bs_mcts import predicted, renew_action
from plyglass.search.information.belief_nodes import note_tried
from plyglass.search.tree import Node

BY_BOUND = pg.BSMCTS(opponents="bound")


@pytest.mark.parametrize("name", ["connect-four", "tic-tac-toe", "pig"])
def test_where_nothing_is_hidden_and_opponents_go_by_bounds_it_visits_what_uct_visits(name):
    game, iterations = pg.game_from(name), 5000 if JIT else 60
    assert decide(game, BY_BOUND, iterations).visits == decide(game, pg.UCT(), iterations).visits


def test_with_the_truth_given_it_visits_what_uct_visits_where_only_the_deal_is_hidden():
    game, iterations = pg.games.KuhnPoker(), 2000 if JIT else 60
    assert decide(game, BY_BOUND, iterations, belief=pg.Truth()).visits == decide(game, pg.UCT(), iterations, belief=pg.Truth()).visits


def two_worlds():
    """B with one action (node 1) in two worlds (2 and 3), worth 3 of 4 and 0 of 2; those who led there like the first."""
    nodes = np.zeros(8, Node).view(np.recarray)
    nodes[2].visits, nodes[2].total, nodes[3].visits, nodes[3].total = 4, 4.0, 2, 0.0
    for child, world, visits, total, following in ((4, 2, 4, 3.0, 5), (5, 3, 2, 0.0, 0)):
        nodes[child].available, nodes[child].visits, nodes[child].total, nodes[child].next = world, visits, total, following
    nodes[1].first = 4
    return nodes


@pytest.mark.parametrize("guess", [0.0, 1.0, -1.0])
def test_the_mean_over_worlds_is_weighted_by_visits_and_by_what_they_are_worth_to_others(guess):
    nodes = two_worlds()
    renew_action(nodes, 1, guess)
    liked, other = 4 * math.exp(guess * 1.0), 2 * math.exp(guess * 0.0)
    assert nodes[1].total == pytest.approx(liked / (liked + other) * 0.75)


def test_an_action_is_judged_by_the_worlds_in_which_it_was_tried():
    nodes = two_worlds()
    nodes[1].first, nodes[4].first, nodes[4].next, nodes[4].visits = 0, 1, 0, 0
    note_tried(nodes, 4)
    nodes[4].visits = 4
    note_tried(nodes, 4)  # it was tried before: once is enough
    renew_action(nodes, 1, 0.0)
    assert (nodes[1].first, nodes[4].next, nodes[1].total) == (4, 0, 0.75)


def test_opponents_prefer_what_is_good_for_them():
    nodes = np.zeros(8, Node).view(np.recarray)
    nodes[1].first, nodes[1].count = 2, 2
    for child, shared, value in ((2, 4, 0.2), (3, 5, 0.7)):
        nodes[child].first = shared
        nodes[shared].visits, nodes[shared].total = 1, value
    stream = np.array([5], np.uint64)
    draws = [predicted(nodes, 1, stream.ctypes.data, 5.0) for _ in range(4000)]
    assert np.mean([draw == 3 for draw in draws]) == pytest.approx(1 / (1 + math.exp(5.0 * (0.2 - 0.7))), abs=0.03)
    nodes[4].visits = 0
    assert predicted(nodes, 1, stream.ctypes.data, 5.0) == 2


@pytest.mark.parametrize("name", ["leduc-poker", "phantom-tic-tac-toe", "skirmish:fog=true"])
def test_slices_change_nothing(name):
    game, iterations = pg.game_from(name), 300 if JIT else 30
    parts = begin(game, pg.BSMCTS())
    for count in (1, iterations // 3, iterations - 1 - iterations // 3):
        parts.run(pg.Budget(iterations=count))
    assert parts.decision() == decide(game, pg.BSMCTS(), iterations)
