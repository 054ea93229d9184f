"""The tree that searches grow: one array of nodes, the children of a node side by side.

A node stands for an action, taken by `player` in its parent, and carries the statistics of that action. Node 0 is the root. Where
luck decides what an action leads to (`lucky`), the node's `first` begins a list of outcomes, chained by `next` and told apart by
`key`, and it is the outcomes that have children.

    total   sum of the values backed up, for `player`
    key     of an outcome: the fingerprint of what luck led to
    visits  how often it was searched
    first   its first child, or its first outcome; 0 for none
    action  the action it stands for
    next    of an outcome: the next one of the same action; 0 for the last
    count   how many children it has
    player  who takes the action
    lucky   whether luck decides what the action leads to
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action

Node = np.dtype(
    [
        ("total", np.float64),
        ("key", np.uint64),
        ("visits", np.int32),
        ("first", np.int32),
        ("action", np.int32),
        ("next", np.int32),
        ("count", np.int16),
        ("player", np.int8),
        ("lucky", np.int8),
    ],
    align=True,
)
Nodes = npt.NDArray[np.void]
ROOT = 0


def new_tree(capacity: int) -> Nodes:
    """Room for `capacity` nodes, the root among them."""
    return np.zeros(capacity, Node).view(np.recarray)


@kernel
def add_children(nodes, used, parent, player, actions, count, stream):
    """Give `parent` a child for each of `count` actions, in random order, from index `used` on; returns the new end of the tree.

    The order is random because selection tries untried children first to last: otherwise few iterations would favour low actions.
    """
    nodes[parent].first = used
    nodes[parent].count = count
    for i in range(count):
        j = below(stream, i + 1)
        nodes[used + i].action = nodes[used + j].action
        nodes[used + j].action = read_action(actions, i)
        nodes[used + i].player = player
    return used + count


@kernel
def find_outcome(nodes, node, key):
    """The outcome of `node` with this key, or 0."""
    outcome = nodes[node].first
    while outcome != 0 and nodes[outcome].key != key:
        outcome = nodes[outcome].next
    return outcome


@kernel
def add_outcome(nodes, used, node, key):
    """Give the lucky `node` an outcome at index `used`; returns the new end of the tree."""
    nodes[used].key = key
    nodes[used].player = nodes[node].player
    nodes[used].next = nodes[node].first
    nodes[node].first = used
    nodes[node].lucky = 1
    return used + 1
