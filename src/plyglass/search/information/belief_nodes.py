"""Nodes B of what one player has seen, which hold the worlds that were met there, each with statistics of its own.

How nodes of `search.tree` are used here:

    B                       `first` begins the chain of its actions, `next` that of its worlds
    an action of B          `total` is what B thinks of it, `first` begins the chain of the same action in each world
    a world                 its actions are its children, side by side
    an action in a world    `first` is the action of B, `available` its world, `next` the same action in another world
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import mix
from plyglass.core.verbs import fingerprint, legal
from plyglass.search.information.nodes import enter
from plyglass.search.tree import add_children

WORLD = 1 << 20  # tells the key of a world from that of a node


@kernel
def enter_world(table, work, nodes, slots, used, node, memory, player):
    """The present world as a member of B; returns (size of the tree, the world's node)."""
    before = used
    used, world = enter(nodes, slots, used, mix(memory.history ^ fingerprint(table, work.world), WORLD), player)
    if used != before:
        nodes[world].next = nodes[node].next
        nodes[node].next = world
    return used, world


@kernel
def expand_world(table, work, nodes, used, node, world, player):
    """Give a world its actions, and B those that it lacks; returns the new size of the tree."""
    count = legal(table, work.world, work.actions)
    used = add_children(nodes, used, world, player, work.actions, count, work.stream)
    for child in range(nodes[world].first, nodes[world].first + count):
        used, shared = shared_action(nodes, used, node, nodes[child].action, player)
        nodes[child].first = shared
        nodes[child].available = world
        nodes[child].next = nodes[shared].first
        nodes[shared].first = child
    return used


@kernel
def shared_action(nodes, used, node, action, player):
    """B's own record of an action, made if there is none; returns (size of the tree, the record)."""
    shared = nodes[node].first
    while shared != 0 and nodes[shared].action != action:
        shared = nodes[shared].next
    if shared != 0:
        return used, np.int64(shared)
    nodes[used].action = action
    nodes[used].player = player
    nodes[used].next = nodes[node].first
    nodes[node].first = used
    return used + 1, np.int64(used)
