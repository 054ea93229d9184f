"""Counting move sequences, as chess programmers test their rules: one wrong rule anywhere
changes the count.
"""

from typing import NamedTuple

import numpy as np

from plyglass.core import World, kernel
from plyglass.core.memory import address_of
from plyglass.core.state import new_states
from plyglass.core.table import SIZE
from plyglass.core.verbs import copy_state, legal, step, to_move


class Leaves(NamedTuple):
    """What lies below a position: games that ended within the depth, and sequences of exactly
    that many actions.
    """

    ended: int
    reached: int


def leaves(world: World, depth: int) -> Leaves:
    """Count the sequences of up to `depth` actions that follow a position of a compiled game
    without luck.
    """
    game = world.game
    stack = new_states(depth + 1, game.state)
    stack[0] = world.row()
    moves = np.empty((depth, game.most_actions), np.int32)
    return Leaves(*count_leaves(game.table, stack, moves, np.zeros(depth, np.int64), depth))


@kernel
def count_leaves(table, stack, moves, left, depth):
    """Depth first from the position in the first row of `stack`; `left` counts the moves of each
    level that are still to be tried.
    """
    ended, reached, level = 0, 0, 0
    here = address_of(stack)
    left[0] = legal(table, here, address_of(moves))
    while level >= 0:
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        here = address_of(stack) + level * table[SIZE]
        child = here + table[SIZE]
        copy_state(table, child, here)
        mover = step(table, child, to_move(table, here), moves[level, left[level]])
        ended += 1 if mover < 0 else 0
        reached += 1 if level + 1 == depth else 0
        if mover >= 0 and level + 1 < depth:
            level += 1
            left[level] = legal(table, child, address_of(moves) + level * moves.strides[0])
    return ended, reached
