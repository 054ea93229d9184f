"""Luck, enumerated in compiled code: the odometer of `core.tape`, for searches that look at every
outcome of an action.

A tape is laid out as `core.luck` says. While its address is in a state's header, rules read their
luck from it; `next_outcome` then turns it, until every outcome has been seen and it stands at zeros
again.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.memory import read_int, read_real, write_int
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import TAPE

TAPE_WORDS = TAPE_HEAD + TAPE_STEP * MOST_DRAWS


def blank_tapes(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """So many tapes, all at their first outcome."""
    tapes = np.zeros((count, TAPE_WORDS), np.int64)
    tapes[:, 1] = MOST_DRAWS
    return tapes


@kernel
def read_luck_from(tape, position, s):
    """From now on the luck of the state `s` comes from the tape, from this draw on."""
    write_int(tape, 0, position)
    write_int(s, TAPE, tape)


@kernel
def read_no_tape(s):
    """From now on the luck of the state `s` is its own again."""
    write_int(s, TAPE, 0)


@kernel
def draws_read(tape):
    """How many draws were read; more than `MOST_DRAWS` means that the tape was too short."""
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
    """Raise the last digit that can grow and drop those behind it; False, and all digits zero,
    after the last outcome.
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
    """Go back to the first outcome, wherever the tape stands."""
    for draw in range(min(read_int(tape, 0), MOST_DRAWS)):
        write_int(tape, TAPE_HEAD + TAPE_STEP * draw, 0)
