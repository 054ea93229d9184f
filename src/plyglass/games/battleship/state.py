"""The state and constants of Battleship."""

import numpy as np

from plyglass.core import state_dtype

MOST_SIZE, SHORTEST, MOST_LENGTH = 10, 2, 6  # largest sea; shortest and longest ship

State = state_dtype(
    ("fleet", np.int16, (MOST_SIZE,)),  # the cells of ships: rows with one bit per cell
    ("shots", np.int16, (MOST_SIZE,)),  # the cells fired at
    ("fired", np.int16),  # number of shots
    ("left", np.int16),  # number of ship cells not hit yet
)
Constants = np.dtype([("size", np.int64), ("longest", np.int64)])
