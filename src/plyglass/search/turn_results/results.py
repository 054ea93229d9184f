"""This module finds all results of a turn, each once, however many action orders lead to it.

A turn ends when the next ply begins or the game is over. A chance action also ends the enumeration,
because the turn may continue differently from each outcome. In games with the rule `after`, a
chance action first leads to a position before chance. Equal positions before chance are merged as
well, and the last turn of a search is judged at such a position. The chance part of an action may
be postponed. A plan then continues without the outcome of this part. `workspace` defines levels and
places.

    find_results:  for each position of the turn, in the order in which they were found:
                       for each action:
                           carry_out -> a new position of the turn, a result, or a chance action
                       after all positions with equally many actions: keep_best drops all but a beam
"""

import math

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.memory import read_action, read_int
from plyglass.core.table import AFTER, POSTPONED, SIZE, SURE
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
from plyglass.search.clock import is_stopped, late
from plyglass.search.expectimax.outcomes import draws_read, read_luck_from, read_no_tape
from plyglass.search.turn_results.workspace import (
    CHOICE,
    DROPPED,
    FULL,
    INSIDE,
    LUCKY,
    PLAN_LENGTH,
    RESULT,
    borrow_memory,
)
from plyglass.search.values import judge

PLY = 0xFFFFFFFF  # masks the half of COUNTS that holds the number of the ply
MOST_ACTIONS = 64  # the most actions that complete a turn


@kernel
def begin_turn(table, memory, depth):
    """Make the first place of level 0 the root, and find the results of its turn."""
    memory = borrow_memory(memory)
    look, root = memory.look[0], memory.levels[0]
    root.kind, root.depth, root.player = CHOICE, depth, to_move(table, look.states)
    root.alpha, root.beta = look.low, look.high
    look.level, look.fault, look.cut = 0, 0, 0
    open_level(look, root)
    find_results(table, memory)


@kernel
def open_level(look, here):
    """Prepare a level for the turn of its player."""
    here.sign = 1.0 if here.player == look.seat or look.together else -1.0
    here.floor, here.ceiling = here.alpha, here.beta
    here.next, here.count, here.chosen = 0, 0, -1
    here.best = look.low if here.sign > 0 else look.high


@kernel
def find_results(table, memory):
    """Find all positions of the turn that starts in the first place of the current level.

    Results are judged as they are found. The search stops early when a final result causes a beta
    cutoff, or when the time is over.
    """
    look, places = memory.look[0], memory.places
    level = look.level
    here, first = memory.levels[level], level * look.room
    here.stamp += 1
    here.used, here.count = 1, 0
    places[first].kind, places[first].parent = INSIDE, -1
    at, known = 0, 1
    while at < here.used:
        if at == known:  # all positions after this number of actions are found
            known = here.used
            if look.beam > 0:
                keep_best(table, look, here, places, at)
                if is_stopped(look.clock):
                    return
        if places[first + at].kind == INSIDE:
            state = address(table, look, level, at)
            for i in range(actions_of(table, look, state, look.actions)):
                _play(table, memory, at, read_action(look.actions, i))
                if look.fault == FULL:
                    _settle_for_less(table, memory)
                if here.alpha >= here.beta or look.fault != 0 or late(look.clock):
                    return
        at += 1


@kernel
def _play(table, memory, at, action):
    """Play an action in a place, and keep the resulting position if it is new."""
    look, places = memory.look[0], memory.places
    level = look.level
    here, first = memory.levels[level], level * look.room
    if here.used == look.room:
        look.fault = FULL
        return
    source, target = address(table, look, level, at), address(table, look, level, here.used)
    place = places[first + here.used]
    place.parent, place.action = at, action
    carry_out(table, look, here, place, source, target)
    place.key = fingerprint(table, target) ^ np.uint64(place.kind == LUCKY)
    look.reached += 1
    if (place.kind == LUCKY and table[AFTER] == 0) or is_new(
        places, memory.slots[level], here, first
    ):
        here.used += 1
        if place.kind != INSIDE:
            _note_result(table, look, here, places, target)


@kernel
def carry_out(table, look, here, place, source, target):
    """Play the action of a place in a copy of its position.

    If the action draws chance, `target` becomes the position before chance. In a game without the
    rule `after`, `target` becomes the position before the action.
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


@kernel
def is_new(places, slots, here, first):
    """Return whether the position of the next place is new; if so, enter it in the hash table."""
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
def _note_result(table, look, here, places, state):
    """Judge the result in the last place; compare the result if it is final, or else queue it."""
    first, index = look.level * look.room, here.used - 1
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
    """Judge a position; its value is final if the game is over or no turns are left to search."""
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
    """Keep a result if it is the best so far, and narrow the alpha-beta window."""
    if here.chosen < 0 or here.sign * value > here.sign * here.best:
        here.best, here.chosen = value, index
    if here.sign > 0:
        here.alpha = max(here.alpha, value)
    else:
        here.beta = min(here.beta, value)


@kernel
def _settle_for_less(table, memory):
    """If a full level contains no end of the turn, treat each of its positions as an end."""
    look, places = memory.look[0], memory.places
    level = look.level
    here, first = memory.levels[level], level * look.room
    for index in range(1, here.used):
        if places[first + index].kind > INSIDE:
            return
    for index in range(1, here.used):
        place = places[first + index]
        place.kind = RESULT
        judge_place(table, look, 0, place, address(table, look, level, index))
        compare(here, index, place.value)


# The addresses and the legal actions of positions.


@kernel
def ply_of(s):
    """Return the number of the current ply, which changes at the end of a turn."""
    return read_int(s, COUNTS) & PLY


@kernel
def address(table, look, level, place):
    """Return the address of the state of a place."""
    return look.states + (level * look.room + place) * table[SIZE]


@kernel
def actions_of(table, look, s, out):
    """Write to `out` the actions to try in a position; return their number."""
    return prefer(table, s, out) if look.preferred else legal(table, s, out)


# The beam: if a turn has too many positions, only the best ones after each action are kept.


@kernel
def keep_best(table, look, here, places, begin):
    """Keep the mover's best positions among the places from `begin` on, up to the beam's width."""
    first, kept = look.level * look.room, 0
    for at in range(begin, here.used):
        place = places[first + at]
        if place.kind == INSIDE:
            state = address(table, look, look.level, at)
            place.kind, place.value = DROPPED, _promise(table, look, here, places, state)
            if late(look.clock):
                return
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
    """Return the mover's value of a position, judged as it is or completed greedily first."""
    if look.completed:
        return complete(table, look, here, places[len(places) - 1], state)
    return judge(table, state, here.player, look.evaluator)


@kernel
def complete(table, look, here, place, state):
    """Complete the turn greedily by the evaluator, and return the mover's value of the result.

    The completed turn ends at the first chance event. `place` is scratch memory. The value is
    invalid if the time ran out.
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
            if late(look.clock):
                return value
            if worth > value:
                value, goes_on = worth, place.kind == INSIDE
                best, trial = trial, best
        if not goes_on:
            return value
        now, best = best, now
    return value


# A turn as a plan: a list that begins with the number of actions, followed by the actions.


@kernel
def write_plan(places, first, place, plan):
    """Write to `plan` the actions that lead to a place, or none if there are too many actions."""
    length, at = 0, place
    while at > 0:
        length, at = length + 1, places[first + at].parent
    plan[0], at = length if length <= PLAN_LENGTH else 0, place
    for i in range(plan[0], 0, -1):
        plan[i], at = places[first + at].action, places[first + at].parent


@kernel
def is_same_plan(one, other):
    """Return whether two plans are the same."""
    for i in range(one[0] + 1):
        if one[i] != other[i]:
            return False
    return True


@kernel
def copy_plan(target, source):
    """Copy a plan."""
    for i in range(source[0] + 1):
        target[i] = source[i]
