"""The inputs of a net, which a program of a few instructions computes from a state's bytes.

Most inputs are 0 in any position. So the kernel lists the inputs that are not 0, with their values.

The net's player is the player for whom the net judges the state. An instruction reads one number of
a state. If the number's field has a part for each player, parts are counted from the part of the
net's player. Instructions write these inputs:

    ONE_HOT   1 for the input of the value; a value that was never sampled has no input
    RELATIVE  1 for the player that the value names, counted from the net's player, or for nobody
    BITS      1 for each member of a set, among the members that vary
    NUMBER    the scaled number, then 1 for each step that it exceeds
"""

import math

import numpy as np

from plyglass.core.bits import count_ones, lowest_one
from plyglass.core.compile import kernel
from plyglass.core.memory import (
    address_of,
    floats_at,
    ints_at,
    read_int,
    read_real,
    reals_at,
    stack_reals,
)
from plyglass.core.table import PLAYERS
from plyglass.core.verbs import features

ONE_HOT, RELATIVE, BITS, NUMBER = range(4)
# An instruction: the operation; offset, width in bytes and kind of its number; the bytes from one
# player's part to the next (or 0) and the part; its first input; and what the operation needs.
OP, OFFSET, WIDTH, KIND, STRIDE, PART, FIRST, LOW, COUNT, AT = range(10)
COLUMNS = 10
SIGNED, UNSIGNED, REAL = range(3)
MOST_SCALED = 4.0  # the largest absolute value of a scaled number

# The record of a net in memory, in words of 8 bytes.
(
    FUNCTION,  # address of `value.net_value`
    PROGRAM,
    INSTRUCTIONS,
    NUMBERS,  # address of scales and steps, as doubles
    LOOKUPS,  # address of the indices of values among one-hot inputs
    INPUTS,
    UNITS,
    WEIGHTS,  # address of floats: a row of UNITS for each input, then the biases
    OUT,  # address of floats: the weight of each unit, then a bias
    VIEW,  # whether the net judges views
    FEATURES,  # number of the game's features that are inputs
    FEATURES_AT,  # where the scales of these features begin in NUMBERS
    APART,  # whether each seat has its own weights
    MOST_ACTIVE,  # largest number of inputs that are not 0
    SCORES,  # address of the lowest score and the range of scores
    NUMBER_COUNT,
    LOOKUP_COUNT,
) = range(17)
RECORD_WORDS = 17


@kernel
def read_number(s, offset, width, kind):
    """Read an integer of a state. Fields are aligned, so no integer lies across two words."""
    word = read_int(s, offset >> 3)
    if width == 8:
        return word
    number = (word >> (8 * (offset & 7))) & ((1 << (8 * width)) - 1)
    if kind == SIGNED and number >> (8 * width - 1):
        number -= 1 << (8 * width)
    return number


@kernel
def read_single(s, offset):
    """Read a single-precision number of a state; infinite numbers and NaN become 0."""
    number = np.float64(floats_at(s + offset, 1)[0])
    return number if math.isfinite(number) else 0.0


@kernel
def around(number, players):
    """`number % players` for a number from -players to players - 1, without a slow division."""
    return number + players if number < 0 else number


@kernel
def scaled(number, mean, scale):
    return min(MOST_SCALED, max(-MOST_SCALED, (number - mean) * scale))


@kernel
def active_inputs(table, s, player, mover, address, where, values):
    """Write the inputs that are not 0 to `where` and their values to `values`; return the number.

    `s` is a world or a view, whichever the net judges, and `mover` is the player to move. `address`
    is the address of the net's record.
    """
    net = ints_at(address, RECORD_WORDS)
    players = table[PLAYERS]
    where[0], values[0] = around(mover - player, players), 1.0
    where[1], values[1] = players + player, 1.0
    active = 2
    program = ints_at(net[PROGRAM], net[INSTRUCTIONS] * COLUMNS)
    numbers = reals_at(net[NUMBERS], net[NUMBER_COUNT])
    lookups = ints_at(net[LOOKUPS], net[LOOKUP_COUNT])
    for i in range(net[INSTRUCTIONS]):
        at = i * COLUMNS
        offset = program[at + OFFSET]
        if program[at + STRIDE] > 0:
            part = around(player + program[at + PART] - players, players)
            offset += program[at + STRIDE] * part
        if program[at + OP] == NUMBER:
            active = _add_number(program, at, s, offset, numbers, active, where, values)
        else:
            number = read_number(s, offset, program[at + WIDTH], program[at + KIND])
            if program[at + OP] == BITS:
                active = _add_members(program, at, number, active, where, values)
            else:
                place = _place(program, at, number, player, players, lookups)
                if place >= 0:
                    where[active], values[active] = program[at + FIRST] + place, 1.0
                    active += 1
    if net[FEATURES] > 0:
        active = _add_features(table, s, player, net, numbers, active, where, values)
    if net[APART]:
        for i in range(active):
            where[i] += player * net[INPUTS]
    return active


@kernel
def _place(program, at, number, player, players, lookups):
    """The index of a value's input among the inputs of its instruction; -1 if it has no input."""
    low = program[at + LOW]
    if program[at + OP] == RELATIVE:
        return around(number - low - player, players) if low <= number < low + players else players
    if low <= number < low + program[at + COUNT]:
        return lookups[program[at + AT] + number - low]
    return -1


@kernel
def _add_members(program, at, number, active, where, values):
    """Add the members of a set, except those that were the same in all samples."""
    varying = program[at + LOW]
    members = number & varying
    while members != 0:
        member = lowest_one(members)
        where[active] = program[at + FIRST] + count_ones(varying & ((1 << member) - 1))
        values[active] = 1.0
        active += 1
        members &= members - 1
    return active


@kernel
def _add_number(program, at, s, offset, numbers, active, where, values):
    """Add a scaled number and the steps that it exceeds."""
    width, kind, first = program[at + WIDTH], program[at + KIND], program[at + FIRST]
    if kind != REAL:
        number = float(read_number(s, offset, width, kind))
    elif width == 8:
        number = read_real(s, offset >> 3)
    else:
        number = read_single(s, offset)
    scale = program[at + AT]
    where[active], values[active] = first, scaled(number, numbers[scale], numbers[scale + 1])
    active += 1
    for step in range(program[at + COUNT]):
        if number > numbers[scale + 2 + step]:
            where[active], values[active] = first + 1 + step, 1.0
            active += 1
    return active


@kernel
def _add_features(table, s, player, net, numbers, active, where, values):
    """Add the scaled features of the game; they are the last inputs."""
    count = net[FEATURES]
    found, first, scales = stack_reals(count), net[INPUTS] - count, net[FEATURES_AT]
    written = features(table, s, player, address_of(found))
    for i in range(min(count, written)):
        where[active] = first + i
        values[active] = scaled(found[i], numbers[scales + 2 * i], numbers[scales + 2 * i + 1])
        active += 1
    return active
