"""This module finds the children of a node that are legal in the present world.

An information set of another player has a child for every action that was legal in some world. A
node often has far more such children than one world has legal actions. Comparing the two lists
would take time proportional to the product of their lengths. With a hash table of the legal
actions, the time is proportional to the sum of their lengths.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import read_action
from plyglass.search.information_sets.nodes import borrow_space
from plyglass.search.mcts.iteration import ucb1
from plyglass.search.mcts.tree import add_children, copy_node

Offer = np.dtype(
    [
        # When the action was entered. It is legal now if the last record has the same time.
        ("time", np.int64),
        ("action", np.int32),
        ("child", np.int32),  # the action's node in the tree; 0 for none yet
        # Of record i: the index of the i-th child that is legal now, counted from the first child.
        ("place", np.int32),
    ],
    align=True,
)
SPREAD = 2654435769  # 2**32 over the golden ratio: similar actions get distant slots


def new_offers(most_actions: int) -> Any:
    """Return an empty hash table of legal actions, which is at most half full when in use.

    The table is an array (slots + 1,) of `Offer`. The last record holds the current time, a
    counter that marks older entries as free.
    """
    return np.zeros((1 << (2 * most_actions - 1).bit_length()) + 1, Offer).view(np.recarray)


@kernel
def offer(space, offers, used, node, player, count, length):
    """Give the node a child for each of the `count` legal actions, and list these children.

    Returns the new size of the tree. `length` is the length of the trail so far.
    """
    space = borrow_space(space)
    nodes, work = space.nodes, space.work[0]
    note_legal(offers, work.actions, count)
    if nodes[node].count == 0:
        end = add_children(nodes, used, node, player, work.actions, count, work.stream)
        nodes[node].available = count
        for place in range(count):
            nodes[used + place].available = nodes[node].visits
            offers[place].place = place
        return end
    found = 0
    first = nodes[node].first
    for place in range(nodes[node].count):
        at = find_offer(offers, np.int64(nodes[first + place].action))
        if is_legal(offers, at):
            offers[at].child = first + place
            offers[found].place = place
            found += 1
    if found == count:
        return used
    return add_missing_children(space, offers, used, node, player, count, found, length)


@kernel
def ucb_offered_child(nodes, parent, offers, count, exploration):
    """Select by UCB1 among the `count` children that are legal now.

    In a child's confidence bound, the number of times that the child was legal replaces the visits
    of its parent (Cowling et al. 2012).
    """
    first = nodes[parent].first
    best, best_bound = first, -1e300
    last, log_last = 1, 0.0  # kept, because most children were available equally often
    for i in range(count):
        child = first + offers[i].place
        visits, available = nodes[child].visits, max(1, nodes[child].available)
        nodes[child].available += 1
        if available != last:
            last, log_last = available, math.log(available)
        bound = 1e300
        if visits > 0:
            bound = ucb1(nodes[child].total / visits, visits, log_last, exploration)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


# --- Adding children ---


@kernel
def add_missing_children(space, offers, used, parent, player, count, found, length):
    """Add children for the legal actions that lack a child; `found` of `count` actions have one.

    Returns the new size of the tree.
    """
    space = borrow_space(space)
    nodes, actions = space.nodes, space.work[0].actions
    kept, missing = nodes[parent].count, count - found
    if kept + missing > nodes[parent].available:
        used = move_children(nodes, used, parent, 2 * (kept + missing), space.trail, length)
    for i in range(missing):
        offers[found + i].place = kept + i
    end = nodes[parent].first + kept
    for i in range(count):
        action = read_action(actions, i)
        if offers[find_offer(offers, np.int64(action))].child == 0:
            nodes[end].action = action
            nodes[end].player = player
            nodes[end].available = 1
            end += 1
    nodes[parent].count = kept + missing
    return used


@kernel
def move_children(nodes, used, parent, room, trail, length):
    """Move the children of `parent` to the end of the tree, with space for `room` children.

    Returns the new size of the tree. The trail may already contain these children, because an
    opponent can act twice unseen. So the trail is updated, too.
    """
    old, kept = nodes[parent].first, nodes[parent].count
    for i in range(kept):
        copy_node(nodes, old + i, nodes, used + i)
    for i in range(length):
        if old <= trail[i].node < old + kept:
            trail[i].node += used - old
    nodes[parent].first = used
    nodes[parent].available = room
    return used + room


# --- The hash table of legal actions ---


@kernel
def note_legal(offers, actions, count):
    """Replace the contents of the hash table by the `count` actions at the address `actions`."""
    last = len(offers) - 1
    offers[last].time += 1
    for i in range(count):
        action = np.int64(read_action(actions, i))
        at = find_offer(offers, action)
        offers[at].time = offers[last].time
        offers[at].action = action
        offers[at].child = 0


@kernel
def find_offer(offers, action):
    """Return the slot of an action in the hash table, or the free slot where it belongs."""
    last = len(offers) - 1
    at = (((action ^ (action >> 15)) * SPREAD) >> 16) & (last - 1)
    while offers[at].time == offers[last].time and offers[at].action != action:
        at = (at + 1) & (last - 1)
    return at


@kernel
def is_legal(offers, at):
    """Return whether the slot holds an action that is legal now."""
    return offers[at].time == offers[len(offers) - 1].time
