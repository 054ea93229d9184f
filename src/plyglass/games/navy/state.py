"""The state, setup and constants of Navy Defense, and the vocabulary of its rules."""

import numpy as np

from plyglass.core import state_dtype

MOST_SIZE, MOST_CARGO, MOST_SUBMARINES = 15, 8, 6
CELLS = 16 * MOST_SIZE  # cell (row, column) has the number 16 * row + column (sea.py)
NOWHERE = 255  # stands for no cell
NONE = 127  # stands for no cargo ship
STAY, NORTH, EAST, SOUTH, WEST = range(5)
COUNTERCLOCKWISE, CLOCKWISE = 0, 1
# How a submarine chooses a cargo ship: at each step the ship that it can meet soonest (FREE), a
# random ship until this ship is lost (STICKY), or by one of these two rules (MIXED).
FREE, STICKY, MIXED = range(3)

# Hidden are the submarines outside of the sonar, all submarines' targets, and in MIXED games the
# rule by which submarines choose targets.
State = state_dtype(
    ("cost", np.int32),
    ("step", np.int16),
    ("navy", np.int16),  # the cell of the Navy ship
    ("navy_health", np.int8),
    ("alarm", np.int8),  # the cargo ship that calls for help and is not reached yet, or NONE
    ("heading", np.int8),  # the direction of the cargo ship that was reached last, or -1
    ("sunk", np.int8),  # number of submarines sunk so far
    ("sticky", np.int8),  # in a MIXED game, whether submarines are STICKY
    ("cargo", np.int16, (MOST_CARGO,)),  # the cell of every cargo ship; NOWHERE if it is lost
    ("cargo_health", np.int8, (MOST_CARGO,)),
    ("clockwise", np.int8, (MOST_CARGO,)),
    ("submarine", np.int16, (MOST_SUBMARINES,)),  # cells in ascending order, then NOWHERE
    ("submarine_health", np.int8, (MOST_SUBMARINES,)),
    ("target", np.int8, (MOST_SUBMARINES,)),  # the cargo ship that each submarine hunts, or NONE
    ("order", np.int16, (MOST_SUBMARINES,)),  # the decision of each submarine; 0 between steps
    # The cells attacked in the last step, in ascending order, then NOWHERE.
    ("attacked", np.int16, (MOST_SUBMARINES,)),
)
Constants = np.dtype(
    [
        ("size", np.int64),
        ("cargo", np.int64),
        ("fewest", np.int64),
        ("most", np.int64),
        ("steps", np.int64),
        ("submarines", np.int64),
        ("into_reach", np.int64),  # whether a submarine stops within reach of the ship's cell
        ("strikes_far", np.int64),  # whether a submarine also strikes cells beside its own
        ("harm", np.float64),
        ("route", np.int16, (2, CELLS)),  # the next cell of a ship's route, by direction and cell
        # The cell itself and its neighbours to the north, east, south and west, or NOWHERE.
        ("beside", np.int16, (CELLS, 5)),
    ]
)
# What a scenario gives; chance decides each field that is NOWHERE or -1.
Setup = np.dtype(
    [
        ("navy", np.int16),
        ("cargo", np.int16, (MOST_CARGO,)),
        ("clockwise", np.int8, (MOST_CARGO,)),
        ("submarines", np.int8),  # number of submarines
        ("submarine", np.int16, (MOST_SUBMARINES,)),
    ]
)
