"""The transition of a look-ahead from one position to the next, and the value of a leaf.

Chance is averaged, foreseen or dictated; `frames` defines these modes.
"""

from plyglass.core.compile import kernel
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.memory import read_action, read_int, write_int
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import copy_state, legal, score, step
from plyglass.search.expectimax.frames import AVERAGED, DICTATED, FOREVER, LONG_TAPE, UNLIKE_LUCK
from plyglass.search.expectimax.outcomes import (
    draws_read,
    outcome_probability,
    read_luck_from,
    read_no_tape,
)
from plyglass.search.values import judge


@kernel
def reach(table, look, here, there):
    """Turn `there` into the position that the action in progress leads to."""
    copy_state(table, there.state, here.state)
    if look.luck == AVERAGED:
        read_luck_from(here.tape, 0, there.state)
    elif look.luck == DICTATED:
        read_luck_from(look.future, here.position, there.state)
    take_stock(table, look, here, there.state, -1.0)
    there.player = step(table, there.state, here.player, read_action(here.actions, here.next))
    if look.alternating and there.player == here.player:
        there.player = pass_turn(table, look, there)
    take_stock(table, look, here, there.state, 1.0)
    read_no_tape(there.state)
    note_luck(look, here, there)
    counted = here.depth != FOREVER and (look.plies == 0 or there.player != here.player)
    there.depth = here.depth - 1 if counted else here.depth


@kernel
def take_stock(table, look, here, s, sign):
    """If the game discounts rewards, store how the action changes the scores.

    `sign` is -1 for the call before the action, and 1 for the call after it.
    """
    for i in range(look.width):
        if sign < 0:
            here.earned[i] = 0.0
        if look.discount != 1.0:
            here.earned[i] += sign * score(table, s, look.seat if look.alone else i)


@kernel
def pass_turn(table, look, there):
    """End the turn by the last of the legal actions that end it, if any; return the next mover."""
    for i in range(legal(table, there.state, there.actions) - 1, -1, -1):
        copy_state(table, look.spare, there.state)
        read_no_tape(look.spare)
        if step(table, look.spare, there.player, read_action(there.actions, i)) != there.player:
            return step(table, there.state, there.player, read_action(there.actions, i))
    return there.player


@kernel
def note_luck(look, here, there):
    """Store the probability of the outcome; if chance is dictated, count and compare the draws."""
    here.share = 1.0
    if look.luck == AVERAGED:
        here.share = outcome_probability(here.tape)
        if draws_read(here.tape) > MOST_DRAWS:
            look.fault = LONG_TAPE
    elif look.luck == DICTATED:
        there.position = draws_read(look.future)
        if there.position > MOST_DRAWS:
            look.fault = LONG_TAPE
            return
        for draw in range(here.position, there.position):
            compare_draw(look, draw, TAPE_HEAD + TAPE_STEP * draw)


@kernel
def compare_draw(look, draw, at):
    """Check that a dictated draw has the same options and probabilities, whatever was played."""
    for word in (at + 1, at + 2):
        if draw >= look.drawn:
            write_int(look.seen, word, read_int(look.future, word))
        elif read_int(look.seen, word) != read_int(look.future, word):
            look.fault = UNLIKE_LUCK
    look.drawn = max(look.drawn, draw + 1)


@kernel
def judge_leaf(table, look, there):
    """Store the values of a leaf, minus the score so far if the game discounts rewards."""
    look.leaves += 1
    look.cut = 1 if there.player >= 0 else 0
    for i in range(look.width):
        player = look.seat if look.alone else i
        look.values[i] = judge(table, there.state, player, look.evaluator)
        if look.discount != 1.0:
            look.values[i] -= score(table, there.state, player)
