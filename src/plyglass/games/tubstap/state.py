"""The state and constants of TUBSTAP, and the vocabulary of its rules.

The cell in column x and row y has the number 15 y + x, counted from 0 at the upper left corner. The
slots of a side's units are sorted by kind. Among units of the same kind, the slot has no meaning,
because each view sorts these units again.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.games.tubstap.cells import CELLS, WORDS
from plyglass.games.tubstap.units import KINDS

MOST_UNITS, MOST_TURNS = 10, 10_000
FEATURES = 17  # number of features of a position (features.py)
NOWHERE, UNSEEN = -1, -2  # stand for the cells of lost and of unseen units

# Kinds of actions. The source is the cell of the unit. The target depends on the kind:
#   MOVE    the cell where the unit goes
#   STRIKE  the cell where it goes; the higher bits hold the direction of the attacked enemy
#   SHOOT   the cell of the enemy
END, MOVE, STRIKE, SHOOT = range(4)
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTION_BITS = 8  # the first bit of the direction in a target

PLAYING, RED_WON, BLUE_WON, DRAWN = range(4)

State = state_dtype(
    ("cell", np.int16, (2, MOST_UNITS)),
    # The cell where the enemy last saw the unit. Units that look alike may swap this memory
    # (sight.py).
    ("last_cell", np.int16, (2, MOST_UNITS)),
    ("last_turn", np.int16, (2, MOST_UNITS)),  # the turn in which the enemy last saw the unit
    ("health", np.int8, (2, MOST_UNITS)),
    ("acted", np.int8, (2, MOST_UNITS)),  # whether the unit has acted in the current turn
    ("spotted", np.int8, (2, MOST_UNITS)),  # whether the enemy sees the unit
    ("turn", np.int16),  # number of turns that have ended; red moves when it is even
    ("result", np.int8),
)

Constants = np.dtype(
    [
        ("turns", np.int64),  # length of the game, both sides counted together
        ("threshold", np.int64),  # after the last turn, the game is a draw up to this lead
        ("fog", np.int64),
        ("stops", np.int64),  # whether an ambushed unit stops before the enemy, or stays
        ("counts_units", np.int64),  # whether the number of units decides, and not their health
        ("units", np.int64, (2,)),
        ("kind", np.int64, (2, MOST_UNITS)),
        ("home", np.int64, (2, MOST_UNITS)),
        ("health", np.int64, (2, MOST_UNITS)),
        ("acted", np.int64, (2, MOST_UNITS)),
        ("way", np.int64, (len(KINDS),)),
        ("moves", np.int64, (len(KINDS),)),
        ("indirect", np.int64, (len(KINDS),)),
        ("power", np.int64, (len(KINDS), len(KINDS))),
        ("hits_air", np.int64, (len(KINDS),)),  # all bits set for kinds that attack planes, else 0
        ("hits_ground", np.int64, (len(KINDS),)),
        ("easy", np.int64, (3, WORDS)),  # the cells that cost 1 to enter, by way to move
        ("hard", np.int64, (3, WORDS)),  # the cells that cost 2 to enter, by way to move
        ("single", np.int64, (CELLS, WORDS)),  # for each cell, the set that has only this cell
        ("low", np.int64),  # whether the first two words of a set are enough for the map
        # The cells that a unit can attack if no unit is in its way, by the unit's kind and cell.
        ("prey", np.int64, (len(KINDS), CELLS, WORDS)),
        ("sight", np.int64, (len(KINDS), CELLS, WORDS)),  # the cells that a unit sees
        ("next", np.int16, (CELLS, 4)),  # the cell in each direction, or NOWHERE
        ("stars", np.int8, (CELLS,)),
        ("weights", np.float64, (FEATURES + 1,)),  # for the evaluator "learned"; the bias is last
    ]
)
