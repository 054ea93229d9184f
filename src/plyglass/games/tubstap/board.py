"""The records of TUBSTAP, and the words that its rules are written in.

A cell has the number 15 y + x, from the upper left corner of the map. Units of a side are kept by
kind; which of several units of one kind has which slot means nothing, and a view has them in an
order of its own.
"""

import numpy as np

from plyglass.core import state_dtype
from plyglass.games.tubstap.cells import CELLS, WORDS
from plyglass.games.tubstap.units import KINDS

MOST_UNITS, MOST_TURNS = 10, 10_000
FEATURES = 17  # numbers that describe a position to what is learned (features.py)
NOWHERE, UNSEEN = (
    -1,
    -2,
)  # in place of a cell: of a unit that is lost, and of one that a viewer does not see

END, MOVE, STRIKE, SHOOT = range(4)  # kinds of actions
# The source is the cell of the unit. The target is where it goes (MOVE), where it goes and, above
# that, the direction of the enemy that it attacks from there (STRIKE), or the cell of the enemy
# (SHOOT).
NORTH, EAST, SOUTH, WEST = range(4)
DIRECTION_BITS = 8  # how far up the direction is in a target

PLAYING, RED_WON, BLUE_WON, DRAWN = range(4)

State = state_dtype(
    ("cell", np.int16, (2, MOST_UNITS)),
    (
        "last_cell",
        np.int16,
        (2, MOST_UNITS),
    ),  # where the enemy saw the unit last; units that are alike to him swap it (see sight.py)
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
        ("threshold", np.int64),  # by how much the winner has to be ahead after the last turn
        ("fog", np.int64),
        (
            "stops",
            np.int64,
        ),  # whether a unit in an ambush stops before it, and does not stay where it was
        ("counts_units", np.int64),  # whether units count after the last turn, and not their health
        ("units", np.int64, (2,)),
        ("kind", np.int64, (2, MOST_UNITS)),
        ("home", np.int64, (2, MOST_UNITS)),
        ("health", np.int64, (2, MOST_UNITS)),
        ("acted", np.int64, (2, MOST_UNITS)),
        ("way", np.int64, (len(KINDS),)),
        ("moves", np.int64, (len(KINDS),)),
        ("indirect", np.int64, (len(KINDS),)),
        ("power", np.int64, (len(KINDS), len(KINDS))),
        (
            "hits_air",
            np.int64,
            (len(KINDS),),
        ),  # all bits where a kind can attack what flies, else none
        ("hits_ground", np.int64, (len(KINDS),)),
        ("easy", np.int64, (3, WORDS)),  # the cells that cost 1, by way to move
        ("hard", np.int64, (3, WORDS)),  # those that cost 2
        ("single", np.int64, (CELLS, WORDS)),  # the set of a cell alone
        ("low", np.int64),  # whether the map has no more rows than two words of a set
        (
            "prey",
            np.int64,
            (len(KINDS), CELLS, WORDS),
        ),  # the cells that a unit can attack if nobody is in its way, by kind and cell
        (
            "sight",
            np.int64,
            (len(KINDS), CELLS, WORDS),
        ),  # the cells that a unit sees, by kind and where it is
        ("next", np.int16, (CELLS, 4)),  # the cell in each direction, or NOWHERE
        ("stars", np.int8, (CELLS,)),
        (
            "weights",
            np.float64,
            (FEATURES + 1,),
        ),  # of the features, and one alone, for the evaluator that is learned
    ]
)
