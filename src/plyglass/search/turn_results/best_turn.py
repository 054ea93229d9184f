"""This module plays the best turn by an evaluator, without a search of later turns.

make_turn:  until the turn is over:
                if a chance action is worth trying first (best_gamble): play it
                else: find all results of the turn (find_best) and take the best result
"""

import math

from plyglass.core.compile import kernel
from plyglass.core.luck import mix
from plyglass.core.memory import read_action
from plyglass.core.table import SIZE, SURE
from plyglass.core.verbs import after, change_luck, copy_state, fingerprint, score, step
from plyglass.search.clock import is_stopped, late
from plyglass.search.turn_results.results import (
    actions_of,
    address,
    begin_turn,
    carry_out,
    complete,
    ply_of,
)
from plyglass.search.turn_results.workspace import INSIDE, LUCKY
from plyglass.search.values import judge

NONE = -1


@kernel
def make_turn(table, memory, world, mover):
    """Play the best turn by the evaluator, with the world's own chance; return the next mover.

    If the time runs out, the turn stays unfinished.
    """
    ply, clock = ply_of(world), memory.look[0].clock
    while mover >= 0 and ply_of(world) == ply:
        gamble = best_gamble(table, memory, world, mover)
        if is_stopped(clock):
            break
        if gamble != NONE:
            mover = step(table, world, mover, gamble)
        else:
            chosen = find_best(table, memory, world, mover)
            if is_stopped(clock):
                break
            mover = take(table, memory, world, mover, chosen)
    return mover


@kernel
def best_action(table, memory, world, mover):
    """Return the action with the best result by the evaluator, and the value of this result.

    The search uses this action until it has a plan. If the time runs out, the best action so far is
    returned.
    """
    look, here = memory.look[0], memory.levels[0]
    place = memory.places[len(memory.places) - 1]
    root, trial, here.player = look.states, look.spare, mover
    copy_state(table, root, world)
    best, most = NONE, -math.inf
    for i in range(actions_of(table, look, root, look.actions)):
        place.action = read_action(look.actions, i)
        carry_out(table, look, here, place, root, trial)
        worth = (
            score(table, trial, mover)
            if place.mover < 0
            else judge(table, trial, mover, look.evaluator)
        )
        if worth > most:
            best, most = place.action, worth
        if late(look.clock):
            break
    return best, most


@kernel
def find_best(table, memory, world, mover):
    """Return the root's place that the evaluator ranks best, at the turn's end or before chance."""
    look, places = memory.look[0], memory.places
    copy_state(table, look.states, world)
    look.seat = mover
    begin_turn(table, memory, 1)
    chosen = -1
    for place in range(memory.levels[0].used):
        if places[place].kind > INSIDE and (
            chosen < 0 or places[place].value > places[chosen].value
        ):
            chosen = place
    return chosen


@kernel
def take(table, memory, world, mover, place):
    """Play the actions that lead to a place of the root, up to the first chance event.

    The function also draws the chance event. Returns the next mover, or -1.
    """
    look, places = memory.look[0], memory.places
    place = _first_luck(places, place)
    if places[place].kind == LUCKY or places[place].postponed:
        copy_state(table, world, address(table, look, 0, places[place].parent))
        return step(table, world, mover, places[place].action)
    copy_state(table, world, address(table, look, 0, place))
    return places[place].mover


@kernel
def _first_luck(places, place):
    """Return the first place on the path whose chance part is postponed, or else `place`."""
    first = place
    while place > 0:
        if places[place].postponed:
            first = place
        place = places[place].parent
    return first


# Gambles: chance actions that are tried before the turn is planned.
#
# It is better to draw a card before playing other cards. A plan cannot count on the drawn card, so
# it undervalues such an action. Here each chance action is tried with the same chance samples, and
# the turn is completed greedily. The mean value is compared with the value of the turn without the
# action, completed in the same way.


@kernel
def best_gamble(table, memory, world, mover):
    """Return the chance action that improves the turn most; NONE if no action is found in time."""
    look, here = memory.look[0], memory.levels[0]
    place = memory.places[len(memory.places) - 1]
    if look.draws == 0:
        return NONE
    root, spare, here.player = look.states, look.spare + 3 * table[SIZE], mover
    copy_state(table, root, world)
    best, most, luck = NONE, complete(table, look, here, place, root), fingerprint(table, root)
    if is_stopped(look.clock):
        return NONE
    for i in range(actions_of(table, look, root, look.actions)):
        actions_of(table, look, root, look.actions)  # `complete` has overwritten the actions
        action = read_action(look.actions, i)
        copy_state(table, spare, root)
        if after(table, spare, mover, action) != SURE and ply_of(spare) == ply_of(root):
            total = 0.0
            for number in range(look.draws):
                total += _draw(table, look, here, place, spare, action, mix(luck, number))
            if is_stopped(look.clock):
                return best
            if total > most * look.draws:
                best, most = action, total / look.draws
    return best


@kernel
def _draw(table, look, here, place, spare, action, luck):
    """Play an action with this chance sample, complete the turn greedily, and return its value."""
    root = look.states
    copy_state(table, spare, root)
    change_luck(spare, luck)
    mover = step(table, spare, here.player, action)
    look.reached += 1
    if mover == here.player and ply_of(spare) == ply_of(root):
        return complete(table, look, here, place, spare)
    return judge(table, spare, here.player, look.evaluator)
