"""The tree of one player's turn, with nodes for seen positions, actions, and their results.

The tree is an `InformationTree`; node 0 is a position. Each kind of node uses these fields:

    position   `key`: what the player sees; `player`: -1 where the turn or the game is over;
               its children are actions or groups
    group      actions of one kind, or of one kind and source;
               `available`: how many low bits of an action the group leaves open
    action     `lucky`: CERTAIN, or UNCERTAIN where chance or hidden information matters;
               `first`: the first of its links
    link       one result of an action; `first`: the position that it leads to;
               `next`: the next link of the action

A link counts how often its action led to its position, so positions can be shared. With
transpositions, all action orders that lead to the same view share one position. A position, group
or action is CLOSED (in `next`) if its value is certain.

`work.used` is the size of the tree, and `path[:work.length]` holds the nodes of the iteration.
"""

import math

from plyglass.core.compile import kernel
from plyglass.core.luck import below, mix
from plyglass.core.memory import read_action
from plyglass.core.verbs import legal
from plyglass.search.information_sets.nodes import enter, look
from plyglass.search.mcts.tree import add_children

CERTAIN, UNCERTAIN = 1, 2
CLOSED = -1
INFORMED = 1  # `lucky` of a position whose value comes from a search beyond the end of the turn
TURN_OVER = -1
ALL_BITS, KIND, SOURCE = 31, 24, 12  # open bits: all, after the kind, after the source


@kernel
def choose_action(table, work, nodes, path, script):
    """Extend the path from a position down to an action.

    `script` is the action to choose, or -1 to choose by confidence bounds.
    """
    node = path[work.length - 1]
    while True:
        if nodes[node].count == 0:
            expand(table, work, nodes, node)
        node = open_child(work, nodes, node) if script < 0 else child_towards(nodes, node, script)
        path[work.length] = node
        work.length += 1
        if nodes[node].lucky != 0:
            return


@kernel
def expand(table, work, nodes, parent):
    """Give a position or a group its children."""
    count = legal(table, work.world, work.actions)
    if work.action_tree:
        add_groups(work, nodes, parent, count)
        return
    end = add_children(nodes, work.used, parent, work.mover, work.actions, count, work.stream)
    for child in range(work.used, end):
        nodes[child].lucky = CERTAIN
    work.used = end


@kernel
def add_groups(work, nodes, parent, count):
    """Add a child for each kind of action, for each source, or for each single action."""
    used, bits = work.used, open_bits(nodes, parent)
    found = 0
    while found < 2 and bits > 0:
        bits = KIND if bits > KIND else (SOURCE if bits > SOURCE else 0)
        found = collect_groups(work, nodes, parent, count, bits)
    nodes[parent].first = used
    nodes[parent].count = found
    for child in range(used, used + found):
        nodes[child].player = work.mover
        nodes[child].available = bits
        if bits == 0 or members(work, count, nodes[child].action, bits) == 1:
            nodes[child].available = 0
            nodes[child].lucky = CERTAIN
    work.used = used + found


@kernel
def collect_groups(work, nodes, parent, count, bits):
    """Append a node for every group of actions, in random order.

    A node holds one action of its group. Returns the number of groups.
    """
    used, above = work.used, open_bits(nodes, parent)
    found = 0
    for i in range(count):
        action = read_action(work.actions, i)
        new = (action >> above) == (nodes[parent].action >> above)
        for j in range(found):
            new = new and (nodes[used + j].action >> bits) != (action >> bits)
        if new:
            j = below(work.stream, found + 1)
            nodes[used + found].action = nodes[used + j].action
            nodes[used + j].action = action
            found += 1
    return found


@kernel
def members(work, count, action, bits):
    """Return the number of legal actions in the group of `action`."""
    found = 0
    for i in range(count):
        if (read_action(work.actions, i) >> bits) == (action >> bits):
            found += 1
    return found


@kernel
def open_bits(nodes, node):
    """Return the number of low bits of an action that a position or group leaves open."""
    return nodes[node].available if nodes[node].available > 0 else ALL_BITS


@kernel
def open_child(work, nodes, parent):
    """Return the first untried child, or else the best open child by confidence bound."""
    first = nodes[parent].first
    log_visits = math.log(max(1, nodes[parent].visits))
    weight = work.exploration * value_span(work)
    best, best_bound = first, -1e300
    for child in range(first, first + nodes[parent].count):
        visits = nodes[child].visits
        if visits == 0:
            return child
        bound = nodes[child].total / visits + weight * math.sqrt(log_visits / visits)
        if bound > best_bound and nodes[child].next != CLOSED:
            best, best_bound = child, bound
    return best


@kernel
def value_span(work):
    """Return the scale of confidence bounds."""
    if work.fixed_span > 0.0:
        return work.fixed_span
    return max(0.0, work.highest - work.lowest)


@kernel
def child_towards(nodes, parent, action):
    """Return the child for this action, or the group that contains the action."""
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        bits = nodes[child].available
        if (nodes[child].action >> bits) == (action >> bits):
            return child
    return first


@kernel
def enter_position(table, work, nodes, slots, path, player, over):
    """Extend the path by the position that the mover sees after the action."""
    action = path[work.length - 1]
    key = position_key(work.transpositions, look(table, work.world, work.mover, work), action)
    work.used, position = enter(nodes, slots, work.used, key, TURN_OVER if over else player)
    if over:
        nodes[position].next = CLOSED
    link = nodes[action].first
    while link != 0 and nodes[link].first != position:
        link = nodes[link].next
    if link == 0:
        link = work.used
        work.used += 1
        nodes[link].first = position
        nodes[link].next = nodes[action].first
        nodes[action].first = link
    path[work.length] = link
    path[work.length + 1] = position
    work.length += 2


@kernel
def position_key(transpositions, seen, action):
    """Return the key of a position: its view and, without transpositions, also the last action."""
    return seen if transpositions else mix(seen, action)


# Back up the value of a final position: the maximum or the mean over plans, but always the mean
# over chance and worlds.


@kernel
def back_up_mean_turn(nodes, path, length, value):
    """Add the value to every node on the path."""
    for i in range(length):
        nodes[path[i]].visits += 1
        nodes[path[i]].total += value


@kernel
def back_up_best_turn(nodes, path, length, value):
    """Give a position or group its best child's value, and an action the mean of its results.

    The value of a node is `total` / `visits`. A link weights its position by the number of times
    that the action led there.
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
    """Return the highest value of a child that was tried."""
    best = -1e300
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        if nodes[child].visits > 0:
            best = max(best, nodes[child].total / nodes[child].visits)
    return best


@kernel
def mean_of(nodes, node):
    """Return the value of a node."""
    return nodes[node].total / nodes[node].visits


@kernel
def close(nodes, path, length):
    """Close all nodes of the path whose value is certain, from the last node upwards."""
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
    """Return whether every child of a position or group is closed."""
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        if nodes[child].next != CLOSED:
            return False
    return True
