"""This module enumerates all chance outcomes of an action in compiled code.

A tape lists the results of random draws, and counts through these results like an odometer
(`core.tape`).
`core.luck` defines the layout of a tape. While the address of a tape is in a state's header, rules
read their random draws from the tape. `next_outcome` then sets the tape to the next outcome. After
the last outcome, all results on the tape are zero again.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.memory import read_int, read_real, write_int
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import TAPE

TAPE_WORDS = TAPE_HEAD + TAPE_STEP * MOST_DRAWS


def blank_tapes(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return `count` tapes, all at their first outcome, as an array (count, TAPE_WORDS)."""
    tapes = np.zeros((count, TAPE_WORDS), np.int64)
    tapes[:, 1] = MOST_DRAWS
    return tapes


@kernel
def read_luck_from(tape, position, s):
    """Make the state `s` read its random draws from the tape, starting at draw `position`."""
    write_int(tape, 0, position)
    write_int(s, TAPE, tape)


@kernel
def read_no_tape(s):
    """Make the state `s` use its own random seed again."""
    write_int(s, TAPE, 0)


@kernel
def draws_read(tape):
    """Return how many draws were read; the tape is too short for more than `MOST_DRAWS` draws."""
    return read_int(tape, 0)


@kernel
def outcome_probability(tape):
    """Return the probability of the outcome that the tape dictated."""
    probability = 1.0
    for draw in range(min(read_int(tape, 0), MOST_DRAWS)):
        probability *= read_real(tape, TAPE_HEAD + TAPE_STEP * draw + 2)
    return probability


@kernel
def next_outcome(tape):
    """Set the tape to the next outcome.

    The last result that can be increased is increased, and later results become zero. After the
    last outcome, set all results to zero and return False.
    """
    for draw in range(min(read_int(tape, 0), MOST_DRAWS) - 1, -1, -1):
        at = TAPE_HEAD + TAPE_STEP * draw
        if read_int(tape, at) + 1 < read_int(tape, at + 1):
            write_int(tape, at, read_int(tape, at) + 1)
            return True
        write_int(tape, at, 0)
    return False


@kernel
def first_outcome(tape):
    """Set the tape to the first outcome."""
    for draw in range(min(read_int(tape, 0), MOST_DRAWS)):
        write_int(tape, TAPE_HEAD + TAPE_STEP * draw, 0)
