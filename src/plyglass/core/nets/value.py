"""The value of a position by a net with one hidden layer.

    inputs -> units, of which all but the last are rectified -> logit -> success from 0 to 1

The last unit stays linear, so a net contains a logistic regression on its inputs. Sums are in
single precision. The order of the terms is fixed, so a value is the same on every processor.
"""

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import (
    address_of,
    call_real,
    floats_at,
    ints_at,
    read_int,
    reals_at,
    stack_floats,
    stack_ints,
    stack_reals,
)
from plyglass.core.nets.inputs import (
    APART,
    FUNCTION,
    INPUTS,
    MOST_ACTIVE,
    OUT,
    RECORD_WORDS,
    SCORES,
    UNITS,
    VIEW,
    WEIGHTS,
    active_inputs,
)
from plyglass.core.table import PLAYERS, SIZE, TABLE_WORDS
from plyglass.core.verbs import copy_state, hide, score, to_move


@kernel
def net_value(rules, s, player, net):
    """The value of a position for `player`, in the range of scores.

    `rules` is the address of a game's table, and `net` is the address of a net's record. The value
    of a finished game is its score.
    """
    table = ints_at(rules, TABLE_WORDS)
    mover = to_move(table, s)
    if mover < 0:
        return score(table, s, player)
    record = ints_at(net, RECORD_WORDS)
    where, values = stack_ints(record[MOST_ACTIVE]), stack_reals(record[MOST_ACTIVE])
    active = _seen_inputs(table, s, player, mover, net, where, values)
    total = logit(record, table[PLAYERS], active, where, values)
    scores = reals_at(record[SCORES], 2)
    return scores[0] + scores[1] / (1.0 + math.exp(-total))


@kernel
def _seen_inputs(table, s, player, mover, net, where, values):
    """List the nonzero inputs of a world, or of the player's view of the world."""
    if not ints_at(net, RECORD_WORDS)[VIEW]:
        return active_inputs(table, s, player, mover, net, where, values)
    view = stack_ints(table[SIZE] >> 3)
    copy_state(table, address_of(view), s)
    hide(table, address_of(view), player)
    return active_inputs(table, address_of(view), player, mover, net, where, values)


@kernel
def logit(net, players, active, where, values):
    """The output of a net for these inputs."""
    units, rows = net[UNITS], net[INPUTS] * (players if net[APART] else 1)
    sums, out = stack_floats(units), floats_at(net[OUT], units + 1)
    biases = floats_at(net[WEIGHTS] + 4 * rows * units, units)
    for unit in range(units):
        sums[unit] = biases[unit]
    for i in range(active):
        value = np.float32(values[i])
        # The compiler knows that this index is positive, so it can add several units at once.
        weights = floats_at(net[WEIGHTS] + 4 * where[i] * units, units)
        for unit in range(units):
            sums[unit] += value * weights[unit]
    total = out[units] + out[units - 1] * sums[units - 1]
    for unit in range(units - 1):
        if sums[unit] > np.float32(0.0):
            total += out[unit] * sums[unit]
    return np.float64(total)  # `float` would keep single precision in compiled code


@kernel
def encode_rows(table, net, rows, players, out):
    """Write the inputs of each state, for its player in `players`, to the rows of `out`."""
    record = ints_at(net, RECORD_WORDS)
    where, values = stack_ints(record[MOST_ACTIVE]), stack_reals(record[MOST_ACTIVE])
    for i in range(len(rows)):
        for column in range(out.shape[1]):
            out[i, column] = np.float32(0.0)
        s = address_of(rows) + i * rows.shape[1]
        mover = to_move(table, s)
        for j in range(_seen_inputs(table, s, players[i], max(0, mover), net, where, values)):
            out[i, where[j]] += np.float32(values[j])  # places of a list share inputs


@kernel
def value_rows(table, net, rows, players, out):
    """Write to `out` the value of each state of `rows` for its player in `players`.

    Searches call the same function for a single state.
    """
    function = read_int(net, FUNCTION)
    for i in range(len(rows)):
        s = address_of(rows) + i * rows.shape[1]
        out[i] = call_real(function, (address_of(table), s, players[i], net))
