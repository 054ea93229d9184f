"""The search tree is one array of nodes, in which the children of a node are contiguous.

A node represents an action that `player` takes in the parent, and holds the action's statistics.
Node 0 is the root. If chance decides the result of an action, the action's node has `lucky` set.
The field `first` of this node then points to a linked list of outcomes, and the outcomes have the
children.

    nodes[0]                 the root, with children nodes[first : first + count]
    nodes[c]                 an action: children as above, or if `lucky` is set:
      nodes[first]           an outcome of chance, with children of its own
      nodes[nodes[first].next]    the next outcome; the last one has next = 0
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.luck import below
from plyglass.core.memory import read_action

Node = np.dtype(
    [
        ("total", np.float64),  # sum of the values backed up, for `player`
        ("key", np.uint64),  # of an outcome: the fingerprint of the position after chance
        ("visits", np.int32),  # how often the node was searched
        ("first", np.int32),  # the first child, or the first outcome; 0 for none
        ("action", np.int32),  # the action that the node stands for
        ("next", np.int32),  # of an outcome: the next outcome of the same action; 0 for none
        # How often the action was legal, if some worlds do not allow it. Of an information set: the
        # number of children for which memory is reserved.
        ("available", np.int32),
        ("count", np.int16),  # how many children the node has
        ("player", np.int8),  # who takes the action
        ("lucky", np.int8),  # whether chance decides what the action leads to
    ],
    align=True,
)
ROOT = 0
SLICE_NODES = 1 << 18  # how many nodes one slice of iterations may add


class Tree:
    """An array of nodes that grows as needed."""

    node_seconds: ClassVar[float] = 2e-8  # to copy a node to a larger array
    room_seconds: ClassVar[float] = 2e-8  # to clear the memory for a node

    def __init__(self, most_nodes: int) -> None:
        self._most = most_nodes
        self.nodes = _empty(min(1024, most_nodes))
        self.used = 1

    def clear(self) -> None:
        """Remove all nodes except an unvisited root."""
        _bytes(self.nodes, self.used)[:] = 0
        self.used = 1

    def growth_seconds(self, count: int) -> float:
        """Return an estimate of the seconds that `reserve` takes."""
        needed = min(self.used + count, self._most)
        if needed <= len(self.nodes):
            return 0.0
        return self.used * self.node_seconds + self._larger(needed) * self.room_seconds

    def reserve(self, count: int) -> None:
        """Allocate memory for `count` more nodes, as far as the limit allows."""
        needed = min(self.used + count, self._most)
        if needed > len(self.nodes):
            larger = _empty(self._larger(needed))
            _bytes(larger, self.used)[:] = _bytes(self.nodes, self.used)
            self.nodes = larger

    def _larger(self, needed: int) -> int:
        """Return the number of nodes to allocate memory for, if `needed` nodes must fit."""
        return min(self._most, max(needed, 2 * len(self.nodes)))

    def keep(self, node: int) -> None:
        """Make `node` the root and drop all nodes that are not below it."""
        kept = _empty(len(self.nodes))
        self.used = keep_subtree(self.nodes, node, kept)
        self.nodes = kept

    def children(self, node: int) -> range:
        """Return the children of a node."""
        first = int(self.nodes[node].first)
        return range(first, first + int(self.nodes[node].count))

    def of_children(self, node: int, field: str) -> npt.NDArray[Any]:
        """Return one field of all children at once, which is far quicker than child by child."""
        children = self.children(node)
        found: npt.NDArray[Any] = self.nodes[field][children.start : children.stop]
        return found

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        """Return the most visited continuation after a root action as (player, action) pairs.

        The continuation ends at a node without visited children, or at a node that repeats.
        """
        found: list[tuple[int, int]] = []
        passed: set[int] = set()
        actions = self.of_children(ROOT, "action").tolist()
        node = self.children(ROOT)[actions.index(action)] if action in actions else ROOT
        while node != ROOT and self.nodes[node].visits > 0 and node not in passed:
            passed.add(node)
            found.append((int(self.nodes[node].player), int(self.nodes[node].action)))
            after = max(self._outcomes(node), key=self._visits) if self.nodes[node].lucky else node
            visits = self.of_children(after, "visits")
            node = self.children(after)[int(visits.argmax())] if len(visits) else ROOT
        return tuple(found)

    def _visits(self, node: int) -> int:
        return int(self.nodes["visits"].item(node))

    def _outcomes(self, node: int) -> Iterator[int]:
        """Yield the outcomes of an action; reading columns is fast even if there are thousands."""
        following = self.nodes["next"]
        outcome = int(self.nodes["first"][node])
        while outcome:
            yield outcome
            outcome = following.item(outcome)


def _empty(capacity: int) -> Any:
    return np.zeros(capacity, Node).view(np.recarray)


def _bytes(nodes: Any, count: int) -> Any:
    """Return the first `count` nodes as bytes, because NumPy copies bytes faster than records."""
    return nodes.view(np.uint8)[: count * Node.itemsize]


@kernel
def add_children(nodes, used, parent, player, actions, count, stream):
    """Add a child for each of `count` actions in random order; return the tree's new size.

    Selection tries children in the order in which they are stored. In the game's own order, a
    search with few iterations would favour the first actions.
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
    """Return the outcome of `node` with this key, or 0."""
    outcome = nodes[node].first
    while outcome != 0 and nodes[outcome].key != key:
        outcome = nodes[outcome].next
    return outcome


@kernel
def add_outcome(nodes, used, node, key):
    """Add an outcome to `node`, and set its field `lucky`; return the tree's new size."""
    nodes[used].key = key
    nodes[used].player = nodes[node].player
    nodes[used].next = nodes[node].first
    nodes[node].first = used
    nodes[node].lucky = 1
    return used + 1


@kernel
def keep_subtree(nodes, root, target):
    """Copy the subtree below `root` to the start of `target`; return its size.

    The nodes are copied breadth first. The field `first` of a copied node points into `nodes` until
    the node's children are copied.
    """
    copy_node(nodes, root, target, 0)
    used = 1
    at = 0
    while at < used:
        old = target[at].first
        target[at].first = used if old != 0 else 0
        if target[at].lucky:
            used = _copy_outcomes(nodes, old, target, used)
        else:
            for i in range(target[at].count):
                copy_node(nodes, old + i, target, used)
                used += 1
        at += 1
    return used


@kernel
def _copy_outcomes(nodes, outcome, target, used):
    while outcome != 0:
        copy_node(nodes, outcome, target, used)
        outcome = nodes[outcome].next
        used += 1
        target[used - 1].next = used if outcome != 0 else 0
    return used


@kernel
def copy_node(nodes, source, target, to):
    """Copy the node `source` of `nodes` to the node `to` of `target`."""
    target[to].total = nodes[source].total
    target[to].key = nodes[source].key
    target[to].visits = nodes[source].visits
    target[to].first = nodes[source].first
    target[to].action = nodes[source].action
    target[to].next = nodes[source].next
    target[to].available = nodes[source].available
    target[to].count = nodes[source].count
    target[to].player = nodes[source].player
    target[to].lucky = nodes[source].lucky


@kernel
def listed(actions, count, action):
    """Return whether `action` is among the `count` actions at the address `actions`."""
    for i in range(count):
        if read_action(actions, i) == action:
            return True
    return False
