"""Chance, enumerated in compiled code: every outcome of an action, one after the other.

A tape works like an odometer (`core.tape`); `core.luck` defines its layout. While its address is in
a state's header, rules read their random draws from it. `next_outcome` then turns it. After the
last outcome it is back at zeros.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.memory import read_int, read_real, write_int
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import TAPE

TAPE_WORDS = TAPE_HEAD + TAPE_STEP * MOST_DRAWS


def blank_tapes(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """(count, TAPE_WORDS): tapes, all at their first outcome."""
    tapes = np.zeros((count, TAPE_WORDS), np.int64)
    tapes[:, 1] = MOST_DRAWS
    return tapes


@kernel
def read_luck_from(tape, position, s):
    """From now on, the state `s` reads its chance from the tape, starting at this draw."""
    write_int(tape, 0, position)
    write_int(s, TAPE, tape)


@kernel
def read_no_tape(s):
    """From now on, the state `s` uses its own chance again."""
    write_int(s, TAPE, 0)


@kernel
def draws_read(tape):
    """How many draws were read; more than `MOST_DRAWS` means the tape was too short."""
    return read_int(tape, 0)


@kernel
def outcome_probability(tape):
    """The probability of the outcome that the tape dictated."""
    probability = 1.0
    for draw in range(min(read_int(tape, 0), MOST_DRAWS)):
        probability *= read_real(tape, TAPE_HEAD + TAPE_STEP * draw + 2)
    return probability


@kernel
def next_outcome(tape):
    """Raise the last digit that can grow, and set those after it to zero.

    Returns False, with all digits zero, after the last outcome.
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
    """Go back to the first outcome."""
    for draw in range(min(read_int(tape, 0), MOST_DRAWS)):
        write_int(tape, TAPE_HEAD + TAPE_STEP * draw, 0)
