"""Chance: random numbers, drawn when they are used, from a stream that starts anew with every ply.

One 64-bit seed in a world's header, `luck`, decides all its future chance. At the start of ply k,
the current stream becomes `mix(luck, k)`. So an action that draws more numbers does not change the
numbers of later plies. A different seed gives a different future.

Rules draw only with `draw` and `chance`. If the header has a tape, `draw` and `chance` read their
results from the tape. They also write the number of possible results to the tape. `tape.outcomes`
changes the tape from run to run, like an odometer, and so visits every outcome.

The generator is splitmix64 (Steele, Lea and Flood 2014). We implement this generator ourselves for
two reasons. In a kernel, a call into a library would take a hundred times as long. And the stream
of a library may change between releases. The tests compare this stream with stored values.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import read_int, read_word, write_int, write_real, write_word

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST_PLY = 1  # the number of the first ply; stream 0 is for the start position
IMAGINING = 1 << 40  # the number of the stream for `imagine`, larger than the number of any ply

# A tape is [position, capacity], then (digit, number of digits, probability) for every draw.
TAPE_HEAD, TAPE_STEP = 2, 3


@kernel
def scramble(x):
    """The output function of splitmix64, a bijection of 64-bit words that looks random."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def mix(seed, number):
    """Derive a new seed from a seed and a number that is not negative."""
    return scramble(seed + GOLDEN * np.uint64(number + 1))


@kernel
def fraction(word, n):
    """Map the upper half of a random 64-bit word to a number in 0 .. n-1.

    The function multiplies instead of dividing, which is faster. The bias of each probability is
    below n / 2**32.
    """
    return np.int64(((word >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel
def _unit(word):
    """Map the upper 53 bits of a random word to a number in [0, 1)."""
    return np.float64(np.int64(word >> np.uint64(11))) * (1.0 / 9007199254740992.0)


@kernel
def draw(s, n):
    """Draw a number in 0 .. n-1, where all numbers are equally likely; for use in rules."""
    s.drawn += 1
    if s.tape != 0:
        return _read_digit(s.tape, n, 1.0 / n)
    s.rng = s.rng + GOLDEN
    return fraction(scramble(s.rng), n)


@kernel
def chance(s, weights):
    """Draw an index into `weights`, with probability proportional to the weight; for use in rules.

    `weights` is an array field, a row of an array field, or a tuple. No weight is negative, and at
    least one is positive.
    """
    s.drawn += 1
    total = 0.0
    for i in range(len(weights)):
        total += weights[i]
    if s.tape != 0:
        return _read_weighted_digit(s.tape, weights, total)
    s.rng = s.rng + GOLDEN
    rest = _unit(scramble(s.rng)) * total
    last = 0
    for i in range(len(weights)):
        if weights[i] > 0:
            last = i
            if rest < weights[i]:
                return i
            rest -= weights[i]
    return last


@kernel
def begin_ply(s):
    """Begin a new ply, with its own stream of chance; for use in rules.

    Games of one player need this function, because their turn never passes to another player.
    """
    s.ply += 1
    s.rng = mix(s.luck, s.ply)


@kernel
def _read_digit(tape, n, probability):
    position = read_int(tape, 0)
    write_int(tape, 0, position + 1)
    if position >= read_int(tape, 1):
        return 0  # the tape is full; `outcomes` notices this by the position and raises an error
    at = TAPE_HEAD + TAPE_STEP * position
    write_int(tape, at + 1, n)
    write_real(tape, at + 2, probability)
    return read_int(tape, at)


@kernel
def _read_weighted_digit(tape, weights, total):
    possible = 0
    for i in range(len(weights)):
        if weights[i] > 0:
            possible += 1
    position = read_int(tape, 0)
    digit = _read_digit(tape, possible, 0.0)
    for i in range(len(weights)):
        if weights[i] > 0:
            if digit == 0:
                if position < read_int(tape, 1):
                    write_real(tape, TAPE_HEAD + TAPE_STEP * position + 2, weights[i] / total)
                return i
            digit -= 1
    return 0


@kernel
def next_word(stream):
    """A random 64-bit word from a planner's own stream, whose state is at the address `stream`."""
    state = read_word(stream, 0) + GOLDEN
    write_word(stream, 0, state)
    return scramble(state)


@kernel
def below(stream, n):
    """A number in 0 .. n-1 from a planner's own stream."""
    return fraction(next_word(stream), n)


@kernel
def uniform(stream):
    """A number in [0, 1) from a planner's own stream."""
    return _unit(next_word(stream))
