"""Positions within a turn: where they are kept, what can be done in them, and what an action
comes to.
"""

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import read_action, read_int
from plyglass.core.table import AFTER, POSTPONED, SIZE, SURE
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import (
    COUNTS,
    after,
    copy_state,
    fingerprint,
    legal,
    prefer,
    score,
    step,
    to_move,
)
from plyglass.search.expectimax.outcomes import (
    draws_read,
    first_outcome,
    next_outcome,
    outcome_probability,
    read_luck_from,
    read_no_tape,
)
from plyglass.search.turn_results.workspace import DROPPED, FULL, INSIDE, LONG_TAPE, LUCKY, RESULT
from plyglass.search.values import judge

PLY = 0xFFFFFFFF  # the half of COUNTS that numbers plies


@kernel
def ply_of(s):
    """The number of the ply in progress: it changes when a turn is over."""
    return read_int(s, COUNTS) & PLY


@kernel
def address(table, look, level, place):
    """Where the state of a place is."""
    return look.states + (level * look.room + place) * table[SIZE]


@kernel
def actions_of(table, look, s, out):
    """The actions that are looked at."""
    return prefer(table, s, out) if look.preferred else legal(table, s, out)


@kernel
def carry_out(table, look, here, place, source, target):
    """Carry the action of a place out. Where luck is drawn, the position is the one before luck,
    or else that before the action.
    """
    copy_state(table, target, source)
    lucky, place.postponed = False, 0
    if look.foreseen:
        place.mover = step(table, target, here.player, place.action)
    elif table[AFTER] != 0:
        told = after(table, target, here.player, place.action)
        place.mover, place.postponed = to_move(table, target), told == POSTPONED
        lucky = told != SURE and told != POSTPONED
    else:
        read_luck_from(here.tape, 0, target)
        place.mover = step(table, target, here.player, place.action)
        read_no_tape(target)
        lucky = draws_read(here.tape) > 0
        if lucky:
            copy_state(table, target, source)
    if lucky:
        place.kind = LUCKY
    else:
        place.kind = RESULT if place.mover < 0 or ply_of(target) != ply_of(source) else INSIDE


# A beam: where a turn has too many positions, the most promising ones after each action.
#
# How promising a position is the evaluator says, of the position as it is or of what the turn
# comes to if it is completed by the best action each time. The latter costs more and sees what an
# action is a preparation for, as a move is for an attack.


MOST_ACTIONS = 64  # by which a turn is completed


@kernel
def keep_best(table, look, here, places, begin):
    """Of the positions from `begin` on keep as many within the turn as the beam has room for,
    the best for the mover.
    """
    first, kept = look.level * look.room, 0
    for at in range(begin, here.used):
        place = places[first + at]
        if place.kind == INSIDE:
            place.kind, place.value = (
                DROPPED,
                _promise(table, look, here, places, address(table, look, look.level, at)),
            )
    while kept < look.beam:
        best = -1
        for at in range(begin, here.used):
            place = places[first + at]
            if place.kind == DROPPED and (best < 0 or place.value > places[first + best].value):
                best = at
        if best < 0:
            return
        places[first + best].kind = INSIDE
        kept += 1


@kernel
def _promise(table, look, here, places, state):
    """What a position within the turn is worth to the mover, as it is or completed."""
    if look.completed:
        return complete(table, look, here, places[len(places) - 1], state)
    return judge(table, state, here.player, look.evaluator)


@kernel
def complete(table, look, here, place, state):
    """What the turn comes to for the mover if the best action by the evaluator is taken each time,
    until luck has a say or it is over.

    `place` is room to work in.
    """
    now, trial, best = look.spare, look.spare + table[SIZE], look.spare + 2 * table[SIZE]
    copy_state(table, now, state)
    value = -math.inf
    for _ in range(MOST_ACTIONS):
        value, goes_on = -math.inf, False
        for i in range(actions_of(table, look, now, look.actions)):
            place.action = read_action(look.actions, i)
            carry_out(table, look, here, place, now, trial)
            look.reached += 1
            worth = (
                score(table, trial, here.player)
                if place.mover < 0
                else judge(table, trial, here.player, look.evaluator)
            )
            if worth > value:
                value, goes_on = worth, place.kind == INSIDE
                best, trial = trial, best
        if not goes_on:
            return value
        now, best = best, now
    return value


# All that a turn can come to: every position of the turn is found once, however many orders of
# actions lead there.
#
# A turn ends when the ply passes on or the game is over. An action that draws luck ends the
# search within the turn as well: what comes of it is up to luck, and a turn may go on from each
# outcome. Where a game says what an action comes to before luck (the rule `after`), equal ones of
# these positions are one as well, and on the last turn that is looked at they are judged as they
# are. What luck adds to an action may be postponed: the turn is planned on without it.


@kernel
def find_results(table, look, levels, places, slots):
    """Find all positions of the turn that begins in the first place of the level in progress; judge
    its results as they are found.

    Stops early where a result that needs no further look is already too good for the other side to
    allow.
    """
    level = look.level
    here, first = levels[level], level * look.room
    here.stamp += 1
    here.used, here.count = 1, 0
    places[first].kind, places[first].parent = INSIDE, -1
    at, known = 0, 1
    while at < here.used:
        if at == known:  # all positions after so many actions
            known = here.used
            if look.beam > 0:
                keep_best(table, look, here, places, at)
        if places[first + at].kind == INSIDE:
            state = address(table, look, level, at)
            for i in range(actions_of(table, look, state, look.actions)):
                _play(table, look, levels, places, slots, at, read_action(look.actions, i))
                if look.fault == FULL:
                    _settle_for_less(table, look, levels, places)
                if here.alpha >= here.beta or look.fault != 0:
                    return
        at += 1


@kernel
def _settle_for_less(table, look, levels, places):
    """There is no room for more positions: where none found so far ends the turn, count each as
    an end of what can be planned.
    """
    level = look.level
    here, first = levels[level], level * look.room
    for index in range(1, here.used):
        if places[first + index].kind > INSIDE:
            return
    for index in range(1, here.used):
        place = places[first + index]
        place.kind = RESULT
        judge_place(table, look, 0, place, address(table, look, level, index))
        compare(here, index, place.value)


@kernel
def _play(table, look, levels, places, slots, at, action):
    """Play an action in a place, and note where it leads if that is new."""
    level = look.level
    here, first = levels[level], level * look.room
    if here.used == look.room:
        look.fault = FULL
        return
    source, target = address(table, look, level, at), address(table, look, level, here.used)
    place = places[first + here.used]
    place.parent, place.action = at, action
    carry_out(table, look, here, place, source, target)
    place.key = fingerprint(table, target) ^ np.uint64(place.kind == LUCKY)
    look.reached += 1
    if (place.kind == LUCKY and table[AFTER] == 0) or _is_new(places, slots[level], here, first):
        here.used += 1
        if place.kind != INSIDE:
            _note_result(table, look, levels, places, target)


@kernel
def _is_new(places, slots, here, first):
    """Whether the position in the next place is in none before; it then takes its slot in the
    table of places.
    """
    mask = len(slots) - 1
    key = places[first + here.used].key
    at = np.int64(key & np.uint64(mask))
    while slots[at] >> 32 == here.stamp:
        if places[first + (slots[at] & 0xFFFFFFFF)].key == key:
            return False
        at = (at + 1) & mask
    slots[at] = here.stamp << 32 | here.used
    return True


@kernel
def _note_result(table, look, levels, places, state):
    """Judge a result. If there is nothing to look at behind it, it is compared at once; else it
    is put into the order of looking.
    """
    level = look.level
    here, first, index = levels[level], level * look.room, levels[level].used - 1
    place = places[first + index]
    place.final = 0
    if place.kind == RESULT or table[AFTER] != 0:
        judge_place(table, look, here.depth - 1, place, state)
    else:
        place.value = judge(table, state, look.seat, look.evaluator)
    if place.final:
        compare(here, index, place.value)
    else:
        places[first + here.count].order = index
        here.count += 1


@kernel
def judge_place(table, look, depth, place, state):
    """What a position is judged to be worth to the seat, and whether that is all there is to
    know, as many turns as are left.
    """
    look.leaves += 1
    place.final = 1 if place.mover < 0 or depth == 0 else 0
    if place.mover < 0:
        place.value = score(table, state, look.seat)
    else:
        place.value = judge(table, state, look.seat, look.evaluator)
        if depth == 0:
            look.cut = 1


@kernel
def compare(here, index, value):
    """Keep a result if it is the best so far, and narrow the window of what can still matter."""
    if here.chosen < 0 or here.sign * value > here.sign * here.best:
        here.best, here.chosen = value, index
    if here.sign > 0:
        here.alpha = max(here.alpha, value)
    else:
        here.beta = min(here.beta, value)


@kernel
def sort_results(look, levels, places):
    """Put the results that are to be looked at into order, the most promising for the mover
    first (Shell 1959).
    """
    here, first = levels[look.level], look.level * look.room
    gap = here.count // 2
    while gap > 0:
        for i in range(gap, here.count):
            moved = places[first + i].order
            j = i
            while j >= gap and _comes_before(
                here, places, first, moved, places[first + j - gap].order
            ):
                places[first + j].order = places[first + j - gap].order
                j -= gap
            places[first + j].order = moved
        gap //= 2
    here.count = min(here.count, look.width)


@kernel
def _comes_before(here, places, first, one, other):
    """Whether one place is more promising than another, or as promising and found before it."""
    difference = here.sign * (places[first + one].value - places[first + other].value)
    return difference > 0 or (difference == 0 and one < other)


@kernel
def find_outcomes(table, look, levels, places, slots, source, action):
    """Turn the level in progress into the outcomes of an action that draws luck, equal ones
    together.
    """
    level = look.level
    here, first = levels[level], level * look.room
    here.stamp += 1
    here.used, more = 0, True
    first_outcome(here.tape)
    while more and look.fault == 0:
        if here.used == look.room:
            look.fault = FULL
            return
        target, place = address(table, look, level, here.used), places[first + here.used]
        copy_state(table, target, source)
        read_luck_from(here.tape, 0, target)
        mover = step(table, target, here.player, action)
        read_no_tape(target)
        look.reached += 1
        if draws_read(here.tape) > MOST_DRAWS:
            look.fault = LONG_TAPE
        place.key, share = fingerprint(table, target), outcome_probability(here.tape)
        if _is_new(places, slots[level], here, first):
            place.mover, place.share = mover, share
            _note_outcome(table, look, here, place, source, target)
        else:
            _add_share(places, slots[level], here, first, share)
        more = next_outcome(here.tape)


@kernel
def _note_outcome(table, look, here, place, source, target):
    """One outcome more; judged if nothing is to be looked at behind it."""
    passed = ply_of(target) != ply_of(source)
    place.order, place.final, place.kind = here.used, 0, RESULT if passed else INSIDE
    if place.mover < 0 or (passed and here.depth == 1):
        judge_place(table, look, 0, place, target)
    here.used += 1


@kernel
def _add_share(places, slots, here, first, share):
    """The outcome is equal to one before, which is as much likelier."""
    mask = len(slots) - 1
    key = places[first + here.used].key
    at = np.int64(key & np.uint64(mask))
    while places[first + (slots[at] & 0xFFFFFFFF)].key != key:
        at = (at + 1) & mask
    places[first + (slots[at] & 0xFFFFFFFF)].share += share
