"""How the end of a turn is backed up: the maximum over one's own plans, or the mean; always the
mean over luck and worlds.
"""

from plyglass.core.compile import kernel
from plyglass.search.turn.tree import CERTAIN, CLOSED


@kernel
def back_up_mean_turn(nodes, path, length, value):
    """Add the value to every node on the path."""
    for i in range(length):
        nodes[path[i]].visits += 1
        nodes[path[i]].total += value


@kernel
def back_up_best_turn(nodes, path, length, value):
    """Make every position and group worth its best child, and every action the mean of the
    positions that it led to.

    The value of a node is `total` / `visits`: a link counts the position behind it as often as the
    action led there.
    """
    last = nodes[path[length - 1]]
    last.visits += 1
    last.total += value
    change = 0.0
    for i in range(length - 2, -1, -1):
        node = nodes[path[i]]
        node.visits += 1
        if node.lucky != 0:
            node.total += change
        elif i > 0 and nodes[path[i - 1]].lucky != 0:
            before = node.total
            node.total = node.visits * mean_of(nodes, path[i + 1])
            change = node.total - before
        else:
            node.total = node.visits * best_mean(nodes, path[i])


@kernel
def best_mean(nodes, parent):
    """The highest value of a child that was tried."""
    best = -1e300
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        if nodes[child].visits > 0:
            best = max(best, nodes[child].total / nodes[child].visits)
    return best


@kernel
def mean_of(nodes, node):
    return nodes[node].total / nodes[node].visits


@kernel
def close(nodes, path, length):
    """Close what is known for certain, from the end of the path upwards."""
    for i in range(length - 2, -1, -1):
        node = nodes[path[i]]
        if node.lucky != 0:
            if node.lucky != CERTAIN or nodes[path[i + 2]].next != CLOSED:
                return
            node.next = CLOSED
        elif i == 0 or nodes[path[i - 1]].lucky == 0:
            if not all_closed(nodes, path[i]):
                return
            node.next = CLOSED


@kernel
def all_closed(nodes, parent):
    """Whether every child of a position or group is closed."""
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        if nodes[child].next != CLOSED:
            return False
    return True
