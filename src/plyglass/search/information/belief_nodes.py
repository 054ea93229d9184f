"""Nodes B of what one player has seen, which hold the worlds that were met there, each with statistics of its own.

How nodes of `search.tree` are used here:

    B                       `first` begins the chain of its actions, `next` that of its worlds
    an action of B          `total` is what B thinks of it, `first` begins the chain of the same action in each world where it was tried
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
ACTION = np.uint64(0xA4093822299F31D0)  # and this that of an action of B


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
def expand_world(table, work, nodes, slots, used, node, world, player):
    """Give a world its actions, and B those that it lacks; returns the new size of the tree."""
    count = legal(table, work.world, work.actions)
    used = add_children(nodes, used, world, player, work.actions, count, work.stream)
    for child in range(nodes[world].first, nodes[world].first + count):
        used, shared = shared_action(nodes, slots, used, node, nodes[child].action, player)
        nodes[child].first = shared
        nodes[child].available = world
    return used


@kernel
def shared_action(nodes, slots, used, node, action, player):
    """B's own record of an action, made if there is none; returns (size of the tree, the record)."""
    before = used
    used, shared = enter(nodes, slots, used, mix(mix(ACTION, node), action), player)
    if used != before:
        nodes[shared].action = action
        nodes[shared].next = nodes[node].first
        nodes[node].first = shared
    return used, shared


@kernel
def note_tried(nodes, child):
    """Enter an action of a world in the chain of B's own, when it is tried for the first time."""
    if nodes[child].visits == 0:
        nodes[child].next = nodes[nodes[child].first].first
        nodes[nodes[child].first].first = child
