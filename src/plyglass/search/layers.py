"""Layers: every position that one player can reach in a world whose chance is known.

Layer d holds the positions after d actions, each once, whatever actions led there. Chance depends
on the world, the layer and the number of the draw, but not on the path. So a position has the same
future on all paths, and equal positions can be merged.

    unroll:   for each layer, for each position, for each action:
                  play the action; find the new position in the next layer, or add it there
    look_back: value of a position = the score at the end, or the best value of its children
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix
from plyglass.core.memory import address_of, read_action
from plyglass.core.state import Bytes, new_states
from plyglass.core.verbs import (
    change_luck,
    copy_state,
    fingerprint,
    hide,
    legal,
    score,
    step,
    to_move,
)

VIEWER = 0  # the only player
NOTHING = -1  # no child


class Layers(NamedTuple):
    """The positions of one world, in the order of discovery, so layer by layer.

    Attributes:
        states: uint8 [room + 2, bytes of a state]; the last two are scratch memory.
        starts: int64 [layers + 1], the first position of every layer.
        counts: int32 [room], the number of actions of a position; 0 if it has no children.
        children: int32 [room, most actions], the position that each action leads to.
        keys: uint64 [room], a hash of the position.
        seen: uint64 [room], a hash of the player's view of the position.
        values: float64 [room], the best score that can follow if everything is known.
        slots: int64 [power of two >= 2 * room], a hash table of positions: layer << 32 | position.
    """

    states: Any
    starts: Any
    counts: Any
    children: Any
    keys: Any
    seen: Any
    values: Any
    slots: Any


def new_layers(game: Game, depth: int, room: int) -> Layers:
    """Return memory for `room` positions in `depth` layers after the first."""
    return Layers(
        states=new_states(room + 2, game.state),
        starts=np.zeros(depth + 2, np.int64),
        counts=np.zeros(room, np.int32),
        children=np.zeros((room, game.most_actions), np.int32),
        keys=np.zeros(room, np.uint64),
        seen=np.zeros(room, np.uint64),
        values=np.zeros(room, np.float64),
        slots=np.zeros(1 << (2 * room - 1).bit_length(), np.int64),
    )


def fill(game: Game, layers: Layers, world: Bytes, luck: int, viewed: int, floor: float) -> int:
    """Find and value the positions of a world; return the number of layers after the first.

    `luck` is the seed of the world's chance. Views are hashed for the first layers, up to the layer
    `viewed`. A position that is cut off, although the game goes on there, has at least the value
    `floor`.
    """
    layers.states[0] = world
    actions = np.zeros(game.most_actions, np.int32)
    depth = int(unroll(game.table, layers, np.uint64(luck), actions.ctypes.data))
    look_back(game.table, layers, depth, floor)
    look_at_views(game.table, layers, layers.starts[min(viewed, depth) + 1])
    return depth


@kernel
def unroll(table, layers, luck, out):
    """Fill the layers from position 0, and return the number of complete layers after the first.

    `out` is the address of memory for actions. Filling ends early if room is short.
    """
    room, depth = layers.states.shape[0] - 2, len(layers.starts) - 2
    for slot in range(len(layers.slots)):
        layers.slots[slot] = 0
    change_luck(_state(layers, 0), mix(luck, 0))
    layers.starts[0], layers.starts[1], used = 0, 1, 1
    for layer in range(depth):
        for at in range(layers.starts[layer], layers.starts[layer + 1]):
            here = _state(layers, at)
            mover = to_move(table, here)
            layers.counts[at] = legal(table, here, out) if mover >= 0 else 0
            for i in range(layers.counts[at]):
                if used == room:
                    return layer
                target = _state(layers, used)
                copy_state(table, target, here)
                step(table, target, mover, read_action(out, i))
                change_luck(target, mix(luck, layer + 1))
                child = _find(table, layers, layer + 1, used)
                layers.children[at, i] = child
                if child == used:
                    used += 1
        layers.starts[layer + 2] = used
    return depth


@kernel
def look_back(table, layers, depth, floor):
    """Value the positions of the first layers by their best continuation, last positions first."""
    for at in range(layers.starts[depth], layers.starts[depth + 1]):
        layers.counts[at] = 0
    for at in range(layers.starts[depth + 1] - 1, -1, -1):
        here = _state(layers, at)
        if layers.counts[at] == 0:
            layers.values[at] = score(table, here, VIEWER)
            if to_move(table, here) >= 0:
                layers.values[at] = max(layers.values[at], floor)
        else:
            best = layers.values[layers.children[at, 0]]
            for i in range(1, layers.counts[at]):
                best = max(best, layers.values[layers.children[at, i]])
            layers.values[at] = best


@kernel
def look_at_views(table, layers, count):
    """Hash the player's view of each of the first positions."""
    spare = _state(layers, layers.states.shape[0] - 1)
    for at in range(count):
        copy_state(table, spare, _state(layers, at))
        hide(table, spare, VIEWER)
        layers.seen[at] = fingerprint(table, spare)


@kernel
def _state(layers, at):
    return address_of(layers.states) + at * layers.states.shape[1]


@kernel
def _find(table, layers, layer, candidate):
    """Return the position of a layer that equals the candidate, which is added if it is new."""
    key = fingerprint(table, _state(layers, candidate))
    mask = np.uint64(len(layers.slots) - 1)
    slot = key & mask
    while True:
        entry = layers.slots[np.int64(slot)]
        if entry == 0:
            layers.slots[np.int64(slot)] = layer << 32 | candidate
            layers.keys[candidate] = key
            return candidate
        at = entry & 0xFFFFFFFF
        if entry >> 32 == layer and layers.keys[at] == key:
            return at
        slot = (slot + np.uint64(1)) & mask
