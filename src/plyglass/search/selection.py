"""Which child to search next, and which to play in the end."""

import math

from plyglass.core.compile import kernel
from plyglass.search.tree import listed


@kernel
def ucb_child(nodes, parent, exploration):
    """The first untried child, or the one with the highest upper confidence bound (UCB1, Auer et al. 2002)."""
    first = nodes[parent].first
    log_visits = math.log(max(1, nodes[parent].visits))
    best, best_bound = first, -1e300
    for child in range(first, first + nodes[parent].count):
        visits = nodes[child].visits
        if visits == 0:
            return child
        bound = nodes[child].total / visits + exploration * math.sqrt(log_visits / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@kernel
def ucb_legal_child(nodes, parent, actions, count, exploration):
    """As `ucb_child` among the children whose action is one of the `count` legal ones, each bounded by how often it was available."""
    first = nodes[parent].first
    best, best_bound = first, -1e300
    for child in range(first, first + nodes[parent].count):
        if not listed(actions, count, nodes[child].action):
            continue
        visits, available = nodes[child].visits, nodes[child].available
        nodes[child].available += 1
        bound = 1e300
        if visits > 0:
            bound = nodes[child].total / visits + exploration * math.sqrt(math.log(max(1, available)) / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best
