"""Nodes that offer other actions in other worlds: the children that are legal now, found at once.

An information set of somebody else has an action for every world in which it was legal, often far
more than are legal in one of them. To compare them one by one would cost the product of both
numbers; here the legal actions are noted by a hash first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import read_action
from plyglass.search.mcts.tree import add_children, copy_node

Offer = np.dtype(
    [
        (
            "time",
            np.int64,
        ),  # when it was noted: it is legal now if this is the time of the last record
        ("action", np.int32),
        ("child", np.int32),  # what stands for it in the tree; 0 for nothing yet
        (
            "place",
            np.int32,
        ),  # of the first records: which child is the first, second, ... that is legal now
    ],
    align=True,
)
SPREAD = 2654435769  # 2**32 over the golden ratio: neighbours fall far apart


def new_offers(most_actions: int) -> Any:
    """Room for the legal actions of one decision, at most half full; the last record holds the
    time.
    """
    return np.zeros((1 << (2 * most_actions - 1).bit_length()) + 1, Offer).view(np.recarray)


@kernel
def find_offer(offers, action):
    """Where an action is noted, or the free place where it belongs."""
    last = len(offers) - 1
    at = (((action ^ (action >> 15)) * SPREAD) >> 16) & (last - 1)
    while offers[at].time == offers[last].time and offers[at].action != action:
        at = (at + 1) & (last - 1)
    return at


@kernel
def note_legal(offers, actions, count):
    """Note the `count` actions at an address in place of those before."""
    last = len(offers) - 1
    offers[last].time += 1
    for i in range(count):
        action = np.int64(read_action(actions, i))
        at = find_offer(offers, action)
        offers[at].time = offers[last].time
        offers[at].action = action
        offers[at].child = 0


@kernel
def is_legal(offers, at):
    """Whether an action is noted at this place."""
    return offers[at].time == offers[len(offers) - 1].time


@kernel
def offer(nodes, used, node, player, actions, count, stream, offers, trail, length):
    """See that the node has a child for every legal action, and note which are legal; returns
    the new end of the tree.
    """
    note_legal(offers, actions, count)
    if nodes[node].count == 0:
        end = add_children(nodes, used, node, player, actions, count, stream)
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
    return add_missing_children(
        nodes, used, node, player, actions, count, found, offers, trail, length
    )


@kernel
def add_missing_children(nodes, used, parent, player, actions, count, found, offers, trail, length):
    """Give `parent` a child for each legal action that it lacks, where it has `found` of them;
    returns the new end of the tree.
    """
    kept, missing = nodes[parent].count, count - found
    if kept + missing > nodes[parent].available:
        used = move_children(nodes, used, parent, 2 * (kept + missing), trail, length)
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
    """Move the children of `parent` to the end of the tree, where there is `room` for so many;
    returns its new end.

    The trail may have gone through these children already, where an opponent acts twice and nobody
    sees it.
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


@kernel
def ucb_offered_child(nodes, parent, offers, count, exploration):
    """As `ucb_child` among the `count` children whose action is legal now, each bounded by how
    often it was available.
    """
    first = nodes[parent].first
    best, best_bound = first, -1e300
    last, log_last = 1, 0.0  # most were available equally often
    for i in range(count):
        child = first + offers[i].place
        visits, available = nodes[child].visits, max(1, nodes[child].available)
        nodes[child].available += 1
        if available != last:
            last, log_last = available, math.log(available)
        bound = 1e300
        if visits > 0:
            bound = nodes[child].total / visits + exploration * math.sqrt(log_last / visits)
        if bound > best_bound:
            best, best_bound = child, bound
    return best
