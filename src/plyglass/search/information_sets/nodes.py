"""Trees of information sets: a node represents everything that one player has seen and done.

During an iteration, every player has a memory. This memory is a hash of the player's own actions
and of each view that differed from the previous one. A match shows a seat exactly the information
that this hash covers. A node is found by this hash, whatever the hidden world is.

The actions at a node are its children, as in `mcts.tree`, and hold the statistics. The field
`first` of an action points to the node that follows the action most often. The principal variation
uses this field.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.luck import mix
from plyglass.core.memory import borrow
from plyglass.core.state import new_states
from plyglass.core.table import HIDE
from plyglass.core.verbs import copy_state, fingerprint, hide
from plyglass.core.world import View
from plyglass.search.mcts.tree import ROOT, Tree, copy_node

BEGINNING = np.uint64(0x243F6A8885A308D3)  # starts the memory of a player at the root

Memory = np.dtype(
    [
        ("history", np.uint64),  # a hash of all that the player has seen and done
        ("seen", np.uint64),  # the fingerprint of the player's last view
        ("room", np.int64),  # address of memory for a view
    ],
    align=True,
)


class TreeSpace(NamedTuple):
    """The arrays that a kernel needs to grow a tree of information sets.

    Attributes:
        work: an array (1,) of `mcts.workspace.Work`, the parameters and addresses of an iteration.
        trail: an array (steps,) of `mcts.workspace.Step`, the path of the iteration.
        memories: an array (MOST_PLAYERS,) of `Memory`, what each player has seen and done.
        nodes: an array (capacity,) of `mcts.tree.Node`, the tree.
        slots: an array of int32 whose length is a power of two, a hash table of nodes by key. An
            empty slot holds 0.
    """

    work: Any
    trail: Any
    memories: Any
    nodes: Any
    slots: npt.NDArray[np.int32]


@kernel
def borrow_space(space):
    """Return the space with arrays that Numba does not reference-count.

    Every kernel that uses the arrays of a space calls this function first. Otherwise, Numba would
    count a reference for each array, which costs up to 8 % of an iteration.
    """
    return TreeSpace(
        borrow(space.work),
        borrow(space.trail),
        borrow(space.memories),
        borrow(space.nodes),
        borrow(space.slots),
    )


class Memories:
    """The memories of all players during an iteration."""

    def __init__(self, game: Game) -> None:
        self._room = new_states(1, game.state)
        self.records: Any = np.zeros(MOST_PLAYERS, Memory).view(np.recarray)
        self.records["room"] = self._room.ctypes.data


class InformationTree(Tree):
    """A search tree with a hash table that finds nodes by their keys."""

    node_seconds: ClassVar[float] = 8e-8  # to copy a node and to enter its slot

    def __init__(self, most_nodes: int) -> None:
        super().__init__(most_nodes)
        self.slots = _slots_for(len(self.nodes))

    def clear(self) -> None:
        super().clear()
        self.slots[:] = 0

    def root_at(self, key: np.uint64) -> bool:
        """Make the node with this key the root, if the tree has such a node.

        Nodes that are not below the new root stay in memory, but are never reached again.
        """
        found = int(self.slots[find_slot(self.nodes, self.slots, key)])
        if found:
            copy_node(self.nodes, found, self.nodes, ROOT)
            self.nodes[ROOT].key = 0
        return found > 0

    def reserve(self, count: int) -> None:
        before = len(self.nodes)
        super().reserve(count)
        if len(self.nodes) != before:
            self.slots = _slots_for(len(self.nodes))
            fill_slots(self.nodes, self.slots, self.used)


def _slots_for(nodes: int) -> npt.NDArray[np.int32]:
    """Return an empty hash table with 2^k slots, at least twice the number of nodes."""
    return np.zeros(1 << (2 * nodes - 1).bit_length(), np.int32)


# --- Nodes by key ---


@kernel
def enter(nodes, slots, used, key, player):
    """Find the node with this key, or add it.

    Returns (the size of the tree, the node or ROOT if the tree is full).
    """
    at = find_slot(nodes, slots, key)
    if slots[at] != 0:
        return used, np.int64(slots[at])
    if used == len(nodes):
        return used, np.int64(ROOT)
    slots[at] = used
    nodes[used].key = key
    nodes[used].player = player
    return used + 1, np.int64(used)


@kernel
def find_slot(nodes, slots, key):
    """Return the slot of the node with this key, or the empty slot where it belongs."""
    mask = len(slots) - 1
    at = np.int64(key & np.uint64(mask))
    while slots[at] != 0 and nodes[slots[at]].key != key:
        at = (at + 1) & mask
    return at


@kernel
def fill_slots(nodes, slots, used):
    """Enter every node that has a key into the hash table."""
    for node in range(1, used):
        if nodes[node].key != 0:
            slots[find_slot(nodes, slots, nodes[node].key)] = node


@kernel
def note_successor(nodes, edge, node):
    """Update the field `first` of an action, which points to its most frequent successor."""
    likely = nodes[edge].first
    if likely == 0 or nodes[node].visits > nodes[likely].visits:
        nodes[edge].first = node
        nodes[edge].lucky = 1


@kernel
def find_child(nodes, parent, action):
    """Return the child of `parent` for this action, or -1."""
    first = nodes[parent].first
    for child in range(first, first + nodes[parent].count):
        if nodes[child].action == action:
            return child
    return -1


# --- What a player remembers ---


@kernel
def begin_memory(table, world, player, memory, history):
    """Start the memory of a player who sees this world; `history` is a hash of what came before."""
    memory.seen = look(table, world, player, memory)
    memory.history = history


@kernel
def remember(table, world, player, memory, mover, action):
    """Add the player's own action to the player's memory, and the player's view if it changed."""
    seen = look(table, world, player, memory)
    if player == mover:
        memory.history = mix(memory.history, action)
    if player == mover or seen != memory.seen:
        memory.history = mix(memory.history ^ seen, player)
        memory.seen = seen


@kernel
def look(table, world, player, memory):
    """Return the fingerprint of what `player` sees of the world."""
    if table[HIDE] == 0:
        return fingerprint(table, world)
    copy_state(table, memory.room, world)
    hide(table, memory.room, player)
    return fingerprint(table, memory.room)


def beginning(player: int) -> np.uint64:
    """Return the memory with which a player begins a new tree."""
    return np.uint64(mix(BEGINNING, player))


def remembered(history: np.uint64, own_action: int | None, view: View) -> np.uint64:
    """Return a seat's memory after a new view in the real match, like `remember` in a search."""
    if own_action is not None:
        history = np.uint64(mix(history, own_action))
    return np.uint64(mix(history ^ np.uint64(view.fingerprint), view.viewer))
