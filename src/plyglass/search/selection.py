"""Which child to search next, and which to play in the end."""

import math

from plyglass.core.compile import kernel


@kernel
def ucb_child(nodes, parent, exploration):
    """The first untried child, or the one with the highest upper confidence bound (UCB1, Auer et
    al. 2002).
    """
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
