"""Nodes B of what one player has seen, which hold the worlds that were met there, each with
statistics of its own.

How nodes of `search.tree` are used here:

    B                       `first` begins the chain of its actions an action of B          `total`
    is what B thinks of it; the `total` of the node after it is the weight of the worlds where it
    was tried a world                 its actions are its children, side by side; `next` begins the
    chain of those that were tried an action in a world    `first` is the action of B
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import below, mix
from plyglass.core.memory import read_action
from plyglass.core.verbs import fingerprint, legal
from plyglass.search.information.nodes import enter
from plyglass.search.information.offers import find_offer, is_legal, note_legal

WORLD = 1 << 20  # tells the key of a world from that of a node


@kernel
def enter_world(table, work, nodes, slots, used, memory, player):
    """The present world as a member of B; returns (size of the tree, the world's node)."""
    return enter(
        nodes, slots, used, mix(memory.history ^ fingerprint(table, work.world), WORLD), player
    )


@kernel
def expand_world(table, work, offers, nodes, used, node, world, player):
    """Give a world its actions, and B those that it lacks; returns the new size of the tree."""
    count = legal(table, work.world, work.actions)
    note_legal(offers, work.actions, count)
    first = used
    end = add_known(nodes, used, nodes[node].first, offers)
    used = add_unknown(nodes, end, offers, work.actions, count, work.stream)
    nodes[world].first = first
    nodes[world].count = count
    for child in range(first, first + count):
        nodes[child].player = player
        if child >= end:
            nodes[child].first = used
            nodes[used].action = nodes[child].action
            nodes[used].player = player
            nodes[used].next = nodes[node].first
            nodes[node].first = used
            used += 2
    return used


@kernel
def add_known(nodes, used, shared, offers):
    """A child for each legal action that B has, in the order of its chain, which lies in memory
    as it is read; returns the new end.
    """
    while shared != 0:
        at = find_offer(offers, np.int64(nodes[shared].action))
        if is_legal(offers, at):
            offers[at].child = shared
            nodes[used].action = nodes[shared].action
            nodes[used].first = shared
            used += 1
        shared = nodes[shared].next
    return used


@kernel
def add_unknown(nodes, used, offers, actions, count, stream):
    """A child for each legal action that B lacks, in random order; returns the new end."""
    first = used
    for i in range(count):
        action = np.int64(read_action(actions, i))
        if offers[find_offer(offers, action)].child == 0:
            at = first + below(stream, used - first + 1)
            nodes[used].action = nodes[at].action
            nodes[at].action = action
            used += 1
    return used


@kernel
def note_tried(nodes, world, child):
    """Enter an action that is tried for the first time in the chain of those that were tried in
    a world.
    """
    nodes[child].next = nodes[world].next
    nodes[world].next = child


@kernel
def weigh(nodes, shared, value, weight, new_value, new_weight):
    """Change the value and weight of one world in what B thinks of an action, the mean over the
    worlds where it was tried.
    """
    rest = nodes[shared + 1].total - weight
    nodes[shared + 1].total = rest + new_weight
    if rest == 0.0:
        nodes[shared].total = new_value
    else:
        mean = nodes[shared].total
        nodes[shared].total += (new_weight * (new_value - mean) - weight * (value - mean)) / (
            rest + new_weight
        )
