"""The steps of an iteration: select, expand, go on to an outcome of chance, back up.

    descend     select a child by UCB1 until a node is new; expand nodes on the way
    (judge)     `playout` says what the new node is worth
    back up     add that value to every node on the trail

The trail notes the nodes on the way and, if the game discounts, the rewards between them.
"""

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.verbs import fingerprint, legal, luck_drawn, score, step
from plyglass.search.mcts.tree import ROOT, add_children, add_outcome, find_outcome
from plyglass.search.mcts.workspace import FRESH_LUCK


@kernel
def descend(table, work, trail, nodes, used, player):
    """Select children until one is new, and expand nodes on the way.

    Returns (size of the tree, length of the trail, who moves or -1).
    """
    node = ROOT
    length = 1
    while player >= 0:
        if nodes[node].count == 0:
            count = legal(table, work.world, work.actions)
            if used + count + 1 > len(nodes):
                break  # the tree is full: from now on playouts judge this leaf
            used = add_children(nodes, used, node, player, work.actions, count, work.stream)
        node = ucb_child(nodes, node, work.exploration)
        drawn = luck_drawn(work.world)
        player = take(table, work, trail[length], player, nodes[node].action)
        trail[length].node = node
        length += 1
        if luck_drawn(work.world) != drawn or work.parts:
            used, node = enter_outcome(table, work, trail[length], nodes, used, node)
            if node == ROOT:
                break  # no room for this outcome: a playout judges it with the action
            length += 1
        if nodes[node].visits <= work.patience and nodes[node].count == 0:
            break
    return used, length, player


# --- Selection ---


@kernel
def ucb_child(nodes, parent, exploration):
    """The first untried child, or else the child with the highest upper confidence bound."""
    first = nodes[parent].first
    log_visits = math.log(max(1, nodes[parent].visits))
    best, best_bound = first, -1e300
    for child in range(first, first + nodes[parent].count):
        visits = nodes[child].visits
        if visits == 0:
            return child
        bound = ucb1(nodes[child].total / visits, visits, log_visits, exploration)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def ucb1(mean, visits, log_visits, exploration):
    """UCB1 (Auer et al. 2002) with the logarithm of the parent's visits."""
    return mean + exploration * math.sqrt(log_visits / visits)


# --- Transition ---


@kernel
def take(table, work, here, player, action):
    """Play the action in the world; returns who moves next, or -1.

    If the game discounts, `here` notes the action's rewards.
    """
    if work.discount == 1.0:
        return step(table, work.world, player, action)
    here.factor = work.discount
    for each in range(work.players):
        here.reward[each] = -score(table, work.world, each)
    mover = step(table, work.world, player, action)
    for each in range(work.players):
        here.reward[each] += score(table, work.world, each)
    return mover


@kernel
def pass_through(work, here, node):
    """Note a node that is reached without an action: nothing is earned or discounted there."""
    here.node = node
    here.factor = 1.0
    for each in range(work.players):
        here.reward[each] = 0.0


@kernel
def enter_outcome(table, work, here, nodes, used, node):
    """Go on to the outcome that chance brought, and add it if it is new.

    Returns (size of the tree, the outcome or ROOT if the tree is full).
    """
    key = fingerprint(table, work.world) if work.history == FRESH_LUCK else np.uint64(work.history)
    outcome = find_outcome(nodes, node, key)
    if outcome == 0:
        if used == len(nodes):
            return used, ROOT
        outcome = used
        used = add_outcome(nodes, used, node, key)
    pass_through(work, here, outcome)
    return used, outcome


# --- Backup ---


@kernel
def back_up(nodes, work, trail, length):
    """Add the value of the iteration to every node on its trail."""
    if work.discount == 1.0:
        back_up_mean(nodes, work, trail, length)
    else:
        back_up_discounted(nodes, work, trail, length)


@kernel
def back_up_mean(nodes, work, trail, length):
    """Add to each node the value of the player who moves there: the mean over iterations."""
    for i in range(length):
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += work.values[node.player]


@kernel
def back_up_discounted(nodes, work, trail, length):
    """Like `back_up_mean`, with rewards on the way added and later values discounted."""
    for i in range(length - 1, -1, -1):
        for player in range(work.players):
            work.values[player] = trail[i].reward[player] + trail[i].factor * work.values[player]
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += (work.values[node.player] - work.low) / work.span
