"""One tree over several shared histories of luck: its memory, the way down, and what its best
plans are worth. Document 004.
"""

from __future__ import annotations

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import read_action
from plyglass.core.state import rows
from plyglass.core.verbs import legal, luck_drawn, step
from plyglass.search.mcts.iteration import enter_outcome, ucb_child
from plyglass.search.mcts.tree import ROOT, add_children
from plyglass.search.turn_tree.workspace import TurnOptions, TurnSpace, TurnWork
from plyglass.search.values import evaluator_of

# Begins with all fields of `TurnWork`, so that what is written for that serves here, too.
HistoryWork = np.dtype(
    [
        *[(name, TurnWork[name]) for name in TurnWork.names or ()],
        ("leaf", np.int64),  # what judges a leaf
        ("guide", np.int64),  # address of the evaluator that heavy rollouts climb by
        ("as_coded", np.int64),  # whether the tree is that of the document's program
        ("cap", np.float64),  # what no confidence bound counts for more than, in that tree
        ("depth", np.int64),  # of the deepest node so far
    ],
    align=True,
)


class HistorySpace(TurnSpace):
    """Owns the memory that `HistoryWork` points to, with room for a world of each history."""

    def __init__(
        self, game: Game, seed: int, options: TurnOptions, histories: int, guide: str
    ) -> None:
        super().__init__(game, seed, options)
        plain, self.work = self.work, np.zeros(1, HistoryWork).view(np.recarray)
        for name in TurnWork.names or ():
            self.work[name] = plain[name]
        self.worlds = rows(histories, game.state)
        work = self.work[0]
        work.worlds, work.most_worlds = self.worlds.ctypes.data, histories
        work.discount, work.parts = 1.0, game.hides
        work.guide = evaluator_of(game, guide) if guide else work.evaluator


@kernel
def traverse(table, work, trail, nodes, used, player):
    """Select children until one is new (algorithm 9); returns (size of the tree, length of the
    trail, who moves).

    Wherever luck is drawn, the history of the iteration leads to a child of its own; as in the
    document, that is a step deeper.
    """
    node, length, is_new = ROOT, 1, False
    while player >= 0 and not is_new:
        if nodes[node].count == 0:
            count = legal(table, work.world, work.actions)
            if used + count + 1 > len(nodes):
                break  # the tree is full: from now on this leaf is judged
            used = expand(nodes, used, node, player, work, count)
        node = select(nodes, node, work)
        drawn = luck_drawn(work.world)
        player = step(table, work.world, player, nodes[node].action)
        trail[length].node = node
        length += 1
        if luck_drawn(work.world) != drawn or work.parts:
            used, node = enter_outcome(table, work, trail[length], nodes, used, node)
            if node == ROOT:
                break  # no room for this outcome: it is judged with the action
            length += 1
        is_new = nodes[node].visits == 0
    work.depth = max(work.depth, length - 1)
    return used, length, player


@kernel
def expand(nodes, used, parent, player, work, count):
    """Give `parent` a child for each action: in random order, or the last one first; returns the
    new end of the tree.
    """
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
    """The child to search next."""
    return (
        first_best_child(nodes, parent, work.exploration, work.cap)
        if work.as_coded
        else ucb_child(nodes, parent, work.exploration)
    )


@kernel
def first_best_child(nodes, parent, exploration, cap):
    """As `ucb_child`, where children are tried first to last and no bound counts for more than
    `cap`; the first of equal ones.
    """
    first = nodes[parent].first
    end = first + nodes[parent].count
    if nodes[end - 1].visits == 0:
        return first_untried(nodes, first)
    log_visits = math.log(max(1, nodes[parent].visits))
    best, best_bound = first, -1e300
    for child in range(first, end):
        visits = nodes[child].visits
        bound = nodes[child].total / visits + exploration * math.sqrt(log_visits / visits)
        if bound >= cap:
            return child
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def first_untried(nodes, child):
    """The first child from here on that was not tried; there is one."""
    while nodes[child].visits > 0:
        child += 1
    return child


@kernel
def expectimax(nodes, used, worth, common, both):
    """Write to `worth` what every node is worth to the player who takes its action, by the best
    plans in the tree.

    Children stand behind their parents in the array, so that going backwards meets them first. A
    node whose children were not all tried is worth its mean; the outcomes of luck count alike.
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
    """The mean over the outcomes of luck, each of which is a history."""
    total, count = 0.0, 0
    while outcome != 0:
        if nodes[outcome].visits > 0:
            total += worth[outcome]
            count += 1
        outcome = nodes[outcome].next
    return total / count


@kernel
def best_child(nodes, worth, first, count):
    """(the highest worth of a child, whether all were tried)."""
    best, all_tried = -1e300, True
    for child in range(first, first + count):
        all_tried = all_tried and nodes[child].visits > 0
        best = max(best, worth[child]) if nodes[child].visits > 0 else best
    return best, all_tried
