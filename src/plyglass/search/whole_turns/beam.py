"""A beam: where a turn has too many positions, the most promising ones after each action.

How promising a position is the evaluator says, of the position as it is or of what the turn comes
to if it is completed by the best action each time. The latter costs more and sees what an action is
a preparation for, as a move is for an attack.
"""

import math

from plyglass.core.compile import kernel
from plyglass.core.memory import read_action
from plyglass.core.table import SIZE
from plyglass.core.verbs import copy_state, score
from plyglass.search.judging import judge
from plyglass.search.whole_turns.pools import DROPPED, INSIDE
from plyglass.search.whole_turns.positions import actions_of, address, carry_out

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
