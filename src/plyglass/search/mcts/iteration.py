"""The steps of an MCTS iteration: selection, expansion, transition and backup.

    descend     select a child by UCB1 until a node is new; expand nodes on the way
    (judge)     find the value of the new node; see `playout`
    back up     add this value to every node on the trail

The trail stores the nodes on the path and, if the game discounts rewards, the rewards between
nodes.
"""

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.verbs import fingerprint, legal, luck_drawn, score, step
from plyglass.search.mcts.tree import ROOT, add_children, add_outcome, find_outcome
from plyglass.search.mcts.workspace import FRESH_LUCK


@kernel
def descend(table, work, trail, nodes, used, player):
    """Select children until one is new, and expand the nodes on the path.

    Returns (the size of the tree, the length of the trail, the player to move or -1).
    """
    node = ROOT
    length = 1
    while player >= 0:
        if nodes[node].count == 0:
            count = legal(table, work.world, work.actions)
            if used + count + 1 > len(nodes):
                break  # the tree is full, so playouts judge this leaf from now on
            used = add_children(nodes, used, node, player, work.actions, count, work.stream)
        node = ucb_child(nodes, node, work.exploration)
        drawn = luck_drawn(work.world)
        player = take(table, work, trail[length], player, nodes[node].action)
        trail[length].node = node
        length += 1
        if luck_drawn(work.world) != drawn or work.parts:
            used, node = enter_outcome(table, work, trail[length], nodes, used, node)
            if node == ROOT:
                break  # the tree is full, so the action's node gets the value of this outcome
            length += 1
        if nodes[node].visits <= work.patience and nodes[node].count == 0:
            break
    return used, length, player


# --- Selection ---


@kernel
def ucb_child(nodes, parent, exploration):
    """Return the first untried child, or else the child with the highest upper confidence bound."""
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
    """Return the UCB1 bound (Auer et al. 2002), given the logarithm of the parent's visits."""
    return mean + exploration * math.sqrt(log_visits / visits)


# --- Transition ---


@kernel
def take(table, work, here, player, action):
    """Play the action in the world; return the next player to move, or -1.

    If the game discounts rewards, store the action's rewards in `here`.
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
    """Add to the trail a node that is reached without an action, a reward or a discount."""
    here.node = node
    here.factor = 1.0
    for each in range(work.players):
        here.reward[each] = 0.0


@kernel
def enter_outcome(table, work, here, nodes, used, node):
    """Go to the node of the chance outcome, and add this node if it is new.

    Returns (the size of the tree, the node of the outcome or ROOT if the tree is full).
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
    """Add to each node the value for the player who acts there."""
    for i in range(length):
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += work.values[node.player]


@kernel
def back_up_discounted(nodes, work, trail, length):
    """Back up like `back_up_mean`, but add the rewards on the path and discount later values."""
    for i in range(length - 1, -1, -1):
        for player in range(work.players):
            work.values[player] = trail[i].reward[player] + trail[i].factor * work.values[player]
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += (work.values[node.player] - work.low) / work.span
