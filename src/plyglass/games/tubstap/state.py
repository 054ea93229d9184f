"""The state and constants of TUBSTAP, and the vocabulary of its rules.

Cell (x, y) has the number 15 y + x, from the upper left corner of the map. The units of a side are
kept by kind. The slots of units of the same kind mean nothing, because each view orders them in its
own way.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.games.tubstap.cells import CELLS, WORDS
from plyglass.games.tubstap.units import KINDS

MOST_UNITS, MOST_TURNS = 10, 10_000
FEATURES = 17  # numbers that describe a position (features.py)
NOWHERE, UNSEEN = -1, -2  # in place of a cell: the unit is lost, or its viewer does not see it

# Kinds of actions. The source is the cell of the unit. The target depends on the kind:
#   MOVE    the cell where the unit goes
#   STRIKE  the cell where it goes and, above that, the direction of the enemy that it attacks
#   SHOOT   the cell of the enemy
END, MOVE, STRIKE, SHOOT = range(4)
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTION_BITS = 8  # how far up the direction is in a target

PLAYING, RED_WON, BLUE_WON, DRAWN = range(4)

State = state_dtype(
    ("cell", np.int16, (2, MOST_UNITS)),
    # Where the enemy saw the unit last; units that look alike swap this memory (sight.py).
    ("last_cell", np.int16, (2, MOST_UNITS)),
    ("last_turn", np.int16, (2, MOST_UNITS)),  # when that was
    ("health", np.int8, (2, MOST_UNITS)),
    ("acted", np.int8, (2, MOST_UNITS)),  # in the turn in progress
    ("spotted", np.int8, (2, MOST_UNITS)),  # whether the enemy sees the unit
    ("turn", np.int16),  # turns that have ended; red has the even ones
    ("result", np.int8),
)

Constants = np.dtype(
    [
        ("turns", np.int64),  # of both sides together
        ("threshold", np.int64),  # a lead up to this is a draw after the last turn
        ("fog", np.int64),
        ("stops", np.int64),  # whether an ambushed unit stops before the enemy; else it stays
        ("counts_units", np.int64),  # whether units decide after the last turn, not their health
        ("units", np.int64, (2,)),
        ("kind", np.int64, (2, MOST_UNITS)),
        ("home", np.int64, (2, MOST_UNITS)),
        ("health", np.int64, (2, MOST_UNITS)),
        ("acted", np.int64, (2, MOST_UNITS)),
        ("way", np.int64, (len(KINDS),)),
        ("moves", np.int64, (len(KINDS),)),
        ("indirect", np.int64, (len(KINDS),)),
        ("power", np.int64, (len(KINDS), len(KINDS))),
        ("hits_air", np.int64, (len(KINDS),)),  # all bits set if a kind can attack planes, else 0
        ("hits_ground", np.int64, (len(KINDS),)),
        ("easy", np.int64, (3, WORDS)),  # the cells that cost 1, by way to move
        ("hard", np.int64, (3, WORDS)),  # those that cost 2
        ("single", np.int64, (CELLS, WORDS)),  # the set of a cell alone
        ("low", np.int64),  # whether the map fits into two words of a set
        # The cells that a unit can attack if nobody is in its way, by kind and cell.
        ("prey", np.int64, (len(KINDS), CELLS, WORDS)),
        ("sight", np.int64, (len(KINDS), CELLS, WORDS)),  # the cells that a unit sees
        ("next", np.int16, (CELLS, 4)),  # the cell in each direction, or NOWHERE
        ("stars", np.int8, (CELLS,)),
        ("weights", np.float64, (FEATURES + 1,)),  # of the evaluator "learned"; the bias is last
    ]
)
