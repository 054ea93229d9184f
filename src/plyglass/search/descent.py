"""Going down a tree of actions and outcomes of luck, until a node is new."""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.verbs import fingerprint, legal, luck_drawn
from plyglass.search.selection import ucb_child
from plyglass.search.trail import pass_through, take
from plyglass.search.tree import ROOT, add_children, add_outcome, find_outcome
from plyglass.search.workspace import FRESH_LUCK


@kernel
def descend(table, work, trail, nodes, used, player):
    """Select children until one is new, adding to the tree on the way; returns (size of the
    tree, length of the trail, who moves).
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


@kernel
def enter_outcome(table, work, here, nodes, used, node):
    """Go on to what luck made of the action, adding it if it is new; returns (size of the tree,
    the outcome or ROOT if it is full).
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
