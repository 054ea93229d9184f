"""Turns as plans: rows of actions, each row beginning with how many they are."""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import mix, scramble
from plyglass.core.memory import read_word
from plyglass.core.verbs import RNG, copy_state, fingerprint, luck_drawn, step, to_move
from plyglass.search.mcts.tree import listed
from plyglass.search.turn_results.results import (
    actions_of,
    address,
    compare,
    find_outcomes,
    find_results,
    ply_of,
    sort_results,
)
from plyglass.search.turn_results.workspace import (
    CHANCE,
    CHOICE,
    DEEP,
    INSIDE,
    LUCKY,
    PLAN_LENGTH,
    PLANS,
    RESULT,
)
from plyglass.search.values import judge


@kernel
def write_plan(places, first, place, plan):
    """The actions that lead to a place of the level whose places begin at `first`; none if they
    are too many.
    """
    length, at = 0, place
    while at > 0:
        length, at = length + 1, places[first + at].parent
    plan[0], at = length if length <= PLAN_LENGTH else 0, place
    for i in range(plan[0], 0, -1):
        plan[i], at = places[first + at].action, places[first + at].parent


@kernel
def alike(one, other):
    """Whether two plans are the same."""
    for i in range(one[0] + 1):
        if one[i] != other[i]:
            return False
    return True


@kernel
def copy_plan(target, source):
    for i in range(source[0] + 1):
        target[i] = source[i]


# Minimax over the results of turns, with chance nodes: alpha-beta (Knuth and Moore 1975), Star1
# and Star2 (Ballard 1983).
#
# value(turn) = the best, for who moves, over the results of what it is judged to be worth at the
# end of the game or of the depth value(next turn) otherwise the sum over outcomes of probability
# times value where an action draws luck
#
# Star2 takes a bound of every outcome before it looks at any: here by playing turns again that
# were best a short while ago, in a turn like it. Often the same answer is good enough whatever is
# drawn, and nothing more is looked at.


@kernel
def look_ahead(table, look, levels, places, slots, known, plans, most):
    """Go on until `most` positions were reached in this look, or it is over; then `level` is
    negative.
    """
    while look[0].level >= 0 and look[0].fault == 0 and look[0].reached < most:
        here = levels[look[0].level]
        if here.next == here.count:
            leave(table, look[0], levels, places, known, plans)
        else:
            visit(table, look[0], levels, places, slots, known, plans)


@kernel
def begin(table, look, levels, places, slots, depth):
    """Make the position in the first place of the first level the root, and find what its turn
    can come to.
    """
    root = levels[0]
    root.kind, root.depth, root.player = CHOICE, depth, to_move(table, look[0].states)
    root.alpha, root.beta = look[0].low, look[0].high
    look[0].level, look[0].fault, look[0].cut = 0, 0, 0
    _set_mover(look[0], root)
    find_results(table, look[0], levels, places, slots)


@kernel
def order_root(look, levels, places, values):
    """Look at the results of the root in the order of these values, which a look that was less
    deep has found.
    """
    for i in range(levels[0].count):
        index = places[i].order
        places[index].value = values[index]
    sort_results(look[0], levels, places)


@kernel
def visit(table, look, levels, places, slots, known, plans):
    """Go on with the next result or outcome of the level in progress."""
    level = look.level
    here, there, first = levels[level], levels[min(level + 1, len(levels) - 1)], level * look.room
    index = places[first + here.next].order
    place = places[first + index]
    if here.kind == CHANCE and place.final:
        credit(table, look, levels, places, plans, place.value)
        return
    there.alpha, there.beta, there.player = here.alpha, here.beta, here.player
    there.depth = here.depth - 1 if place.kind == RESULT else here.depth
    source = address(table, look, level, index)
    if level + 1 == len(levels):
        look.fault = DEEP
        return
    look.level = level + 1
    if here.kind == CHANCE:
        _set_window(look, here, there, place)
    if here.kind == CHOICE and place.kind == LUCKY:
        before = address(table, look, level, place.parent)
        _open_chance(table, look, levels, places, slots, plans, before, place.action)
    else:
        copy_state(table, address(table, look, level + 1, 0), source)
        _open_choice(table, look, levels, places, slots, known, plans)


@kernel
def leave(table, look, levels, places, known, plans):
    """Give the value of the level in progress to the place that led there."""
    here = levels[look.level]
    if here.kind == CHOICE and look.level > 0:
        _remember(here, known)
        if here.depth == 1 and here.chosen >= 0:
            _keep_plan(look, here, places, plans[look.level])
    look.level -= 1
    if look.level >= 0:
        credit(table, look, levels, places, plans, here.best)


@kernel
def credit(table, look, levels, places, plans, value):
    """Count the value of the place in progress, and go on to the next one, if that can matter."""
    here, first = levels[look.level], look.level * look.room
    index = places[first + here.next].order
    here.next += 1
    if here.kind == CHOICE:
        places[first + index].value = value
        compare(here, index, value)
        if here.alpha >= here.beta:
            here.count = here.next
        return
    place = places[first + index]
    here.best += place.share * value
    here.mass -= place.share
    here.rest -= place.share * place.value
    if not place.final and here.next < here.count:
        _probe_others(table, look, levels, places, plans)
    _stop_if_decided(look, here)


# -- opening levels
# --------------------------------------------------------------------------------------------------


@kernel
def _open_choice(table, look, levels, places, slots, known, plans):
    """Begin with the turn that starts in the first place of the level in progress, unless enough
    is known of it already.
    """
    here = levels[look.level]
    state = address(table, look, look.level, 0)
    here.kind, here.player = CHOICE, to_move(table, state)
    _set_mover(look, here)
    here.key = mix(fingerprint(table, state), here.depth)
    if look.foreseen:
        here.key ^= scramble(read_word(state, RNG))
    if _is_known(here, known):
        here.count = 0
        return
    find_results(table, look, levels, places, slots)
    sort_results(look, levels, places)


@kernel
def _set_mover(look, here):
    here.sign = 1.0 if here.player == look.seat or look.together else -1.0
    here.floor, here.ceiling = here.alpha, here.beta
    here.next, here.count, here.chosen = 0, 0, -1
    here.best = look.low if here.sign > 0 else look.high


@kernel
def _open_chance(table, look, levels, places, slots, plans, source, action):
    """Begin with the outcomes of an action; each has a bound, by turns that were best in a turn
    like it.
    """
    here, first = levels[look.level], look.level * look.room
    here.kind, here.best, here.next = CHANCE, 0.0, 0
    find_outcomes(table, look, levels, places, slots, source, action)
    here.count, here.mass, here.rest = here.used, 0.0, 0.0
    here.sign = 1.0 if here.player == look.seat or look.together else -1.0
    for index in range(here.used):
        place = places[first + index]
        if not place.final:
            place.value = look.low if here.sign > 0 else look.high
            for plan in range(PLANS if here.depth == 1 and place.kind == INSIDE else 0):
                _probe(
                    table,
                    look,
                    here,
                    place,
                    address(table, look, look.level, index),
                    plans[look.level + 1, plan],
                )
        here.mass += place.share
        here.rest += place.share * place.value
    _stop_if_decided(look, here)


# -- luck
# --------------------------------------------------------------------------------------------------


@kernel
def _set_window(look, here, there, place):
    """What can still matter below an outcome: the window less what the outcomes before it came
    to and those behind it can come to.
    """
    low, high = _others(look, here, place)
    there.alpha = max(look.low, (here.alpha - here.best - high) / place.share)
    there.beta = min(look.high, (here.beta - here.best - low) / place.share)


@kernel
def _others(look, here, place):
    """The least and the most that the outcomes behind the one in progress can come to."""
    mass, rest = here.mass - place.share, here.rest - place.share * place.value
    return (rest, look.high * mass) if here.sign > 0 else (look.low * mass, rest)


@kernel
def _stop_if_decided(look, here):
    """Skip the outcomes left if they cannot bring the value back into the window; it is then no
    more, or no less, than the bound.
    """
    if here.next == here.count:
        return
    bound = here.best + here.rest
    if (here.sign > 0 and bound >= here.beta) or (here.sign < 0 and bound <= here.alpha):
        here.best, here.next = bound, here.count
        return
    other = here.best + (look.high if here.sign > 0 else look.low) * here.mass
    if (here.sign > 0 and other <= here.alpha) or (here.sign < 0 and other >= here.beta):
        here.best, here.next = other, here.count


@kernel
def _probe_others(table, look, levels, places, plans):
    """Try the turn that was best in the outcome before in all that are left."""
    here, first = levels[look.level], look.level * look.room
    if here.depth != 1:
        return
    for index in range(here.next, here.count):
        place = places[first + index]
        if not place.final and place.kind == INSIDE:
            here.rest -= place.share * place.value
            _probe(
                table,
                look,
                here,
                place,
                address(table, look, look.level, index),
                plans[look.level + 1, 0],
            )
            here.rest += place.share * place.value


@kernel
def _probe(table, look, here, place, source, plan):
    """Play a turn again in an outcome, if it can be played there: whoever moves can have at
    least what it comes to.
    """
    if plan[0] == 0:
        return
    copy_state(table, look.spare, source)
    drawn, ply, mover = luck_drawn(source), ply_of(source), here.player
    for i in range(plan[0]):
        if mover != here.player or not listed(
            look.actions, actions_of(table, look, look.spare, look.actions), plan[1 + i]
        ):
            return
        mover = step(table, look.spare, mover, plan[1 + i])
        look.reached += 1
    if luck_drawn(look.spare) != drawn or (mover >= 0 and ply_of(look.spare) == ply):
        return
    look.leaves += 1
    value = judge(table, look.spare, look.seat, look.evaluator)
    place.value = max(place.value, value) if here.sign > 0 else min(place.value, value)


@kernel
def _keep_plan(look, here, places, plans):
    """Keep the best turn of a level as the first of its plans; it moves up if it is there
    already, else the last one goes.
    """
    write_plan(places, look.level * look.room, here.chosen, plans[PLANS])
    last = 0
    while last < PLANS - 1 and not alike(plans[last], plans[PLANS]):
        last += 1
    for plan in range(last, 0, -1):
        copy_plan(plans[plan], plans[plan - 1])
    copy_plan(plans[0], plans[PLANS])


# -- memory
# --------------------------------------------------------------------------------------------------


@kernel
def _is_known(here, known):
    """Whether what is remembered of the position is enough; its value is then in `best`."""
    entry = known[np.int64(here.key & np.uint64(len(known) - 1))]
    if entry.key != here.key:
        return False
    if entry.low == entry.high or entry.low >= here.beta:
        here.best = entry.low
        return True
    if entry.high <= here.alpha:
        here.best = entry.high
        return True
    return False


@kernel
def _remember(here, known):
    """Keep what is known of the position now: its value, or on which side of the window it lies."""
    entry = known[np.int64(here.key & np.uint64(len(known) - 1))]
    low = here.best if here.best > here.floor else -np.inf
    high = here.best if here.best < here.ceiling else np.inf
    if entry.key == here.key:
        low, high = max(low, entry.low), min(high, entry.high)
    entry.key, entry.low, entry.high = here.key, low, high
