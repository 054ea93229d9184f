"""The tree of determinized UCT over shared histories of chance.

The module follows algorithms 3 to 10 of the Pandemic thesis (c. 2020).
"""

from __future__ import annotations

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import read_action
from plyglass.core.state import new_states
from plyglass.core.verbs import legal, luck_drawn, step
from plyglass.search.clock import Clock
from plyglass.search.mcts.iteration import enter_outcome, ucb1, ucb_child
from plyglass.search.mcts.tree import ROOT, add_children
from plyglass.search.turn_tree.workspace import TurnOptions, TurnSpace, TurnWork
from plyglass.search.values import evaluator_of

# `HistoryWork` begins with all fields of `TurnWork`, so kernels for `TurnWork` accept
# `HistoryWork`.
HistoryWork = np.dtype(
    [
        *[(name, TurnWork[name]) for name in TurnWork.names or ()],
        ("leaf", np.int64),  # what judges a leaf
        ("guide", np.int64),  # address of the evaluator that heavy rollouts maximise
        ("as_coded", np.int64),  # whether to search as the thesis's program does
        ("cap", np.float64),  # the highest confidence bound, if `as_coded`
        ("depth", np.int64),  # depth of the deepest node so far
    ],
    align=True,
)


class HistorySpace(TurnSpace):
    """The working memory of a search over shared histories.

    Attributes:
        work: (1,) of `HistoryWork`.
        worlds: (histories, bytes of a state): the world in which each history begins.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        options: TurnOptions,
        clock: Clock,
        histories: int,
        guide: str,
    ) -> None:
        super().__init__(game, seed, options, clock)
        plain, self.work = self.work, np.zeros(1, HistoryWork).view(np.recarray)
        for name in TurnWork.names or ():
            self.work[name] = plain[name]
        self.worlds = new_states(histories, game.state)
        work = self.work[0]
        work.worlds, work.most_worlds = self.worlds.ctypes.data, histories
        work.discount, work.parts = 1.0, game.hides
        work.guide = evaluator_of(game, guide) if guide else work.evaluator


@kernel
def traverse(table, work, trail, nodes, used, player):
    """Select children until the selected child is new (algorithm 9).

    At each chance event, the iteration's history has a child of its own, and the iteration
    continues there. As in the thesis, this child counts as one level deeper. Returns (the size of
    the tree, the length of the trail, the player to move or -1).
    """
    node, length, is_new = ROOT, 1, False
    while player >= 0 and not is_new:
        if nodes[node].count == 0:
            count = legal(table, work.world, work.actions)
            if used + count + 1 > len(nodes):
                break  # the tree is full, so judge this leaf
            used = expand(nodes, used, node, player, work, count)
        node = select(nodes, node, work)
        drawn = luck_drawn(work.world)
        player = step(table, work.world, player, nodes[node].action)
        trail[length].node = node
        length += 1
        if luck_drawn(work.world) != drawn or work.parts:
            used, node = enter_outcome(table, work, trail[length], nodes, used, node)
            if node == ROOT:
                break  # no room for this outcome, so the value goes to the action
            length += 1
        is_new = nodes[node].visits == 0
    work.depth = max(work.depth, length - 1)
    return used, length, player


@kernel
def expand(nodes, used, parent, player, work, count):
    """Add a child for each action, in random or reverse order; return the size of the tree."""
    if not work.as_coded:
        return add_children(nodes, used, parent, player, work.actions, count, work.stream)
    nodes[parent].first = used
    nodes[parent].count = count
    for i in range(count):
        nodes[used + i].action = read_action(work.actions, count - 1 - i)
        nodes[used + i].player = player
    return used + count


@kernel
def select(nodes, parent, work):
    """Return the child that the search visits next."""
    return (
        first_best_child(nodes, parent, work.exploration, work.cap)
        if work.as_coded
        else ucb_child(nodes, parent, work.exploration)
    )


@kernel
def first_best_child(nodes, parent, exploration, cap):
    """Select by UCB1 with capped bounds; in a tie, select the first child."""
    first = nodes[parent].first
    end = first + nodes[parent].count
    if nodes[end - 1].visits == 0:
        return first_untried(nodes, first)
    log_visits = math.log(max(1, nodes[parent].visits))
    best, best_bound = first, -1e300
    for child in range(first, end):
        visits = nodes[child].visits
        bound = ucb1(nodes[child].total / visits, visits, log_visits, exploration)
        if bound >= cap:
            return child
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def first_untried(nodes, child):
    """Return the first untried child at or after `child`; there must be one."""
    while nodes[child].visits > 0:
        child += 1
    return child


@kernel
def expectimax(nodes, used, worth, common, both):
    """Compute each node's value to its player, under the best plans in the tree.

    The values are written to `worth`, which has an entry for each node. Children come after their
    parents in the array, so a backward pass computes children first. If a node has an untried
    child, the node's value is the mean of its iterations. Chance outcomes have equal weights.
    """
    for node in range(used - 1, -1, -1):
        if nodes[node].visits == 0:
            continue
        worth[node] = nodes[node].total / nodes[node].visits
        if nodes[node].lucky:
            worth[node] = mean_outcome(nodes, worth, nodes[node].first)
        elif nodes[node].count > 0:
            best, all_tried = best_child(nodes, worth, nodes[node].first, nodes[node].count)
            if all_tried:
                opposed = nodes[nodes[node].first].player != nodes[node].player and not common
                worth[node] = both - best if opposed else best


@kernel
def mean_outcome(nodes, worth, outcome):
    """Return the mean value over an action's chance outcomes; each history has one outcome."""
    total, count = 0.0, 0
    while outcome != 0:
        if nodes[outcome].visits > 0:
            total += worth[outcome]
            count += 1
        outcome = nodes[outcome].next
    return total / count


@kernel
def best_child(nodes, worth, first, count):
    """Return (the highest value of a child, whether all children were tried)."""
    best, all_tried = -1e300, True
    for child in range(first, first + count):
        all_tried = all_tried and nodes[child].visits > 0
        best = max(best, worth[child]) if nodes[child].visits > 0 else best
    return best, all_tried
