"""Minimax over the results of turns with alpha-beta, Star1 and Star2, without recursion.

    value(turn) = the best over the turn's results, for the player whose turn it is, of
        the judged value    at the end of the game, or at the full depth
        value(next turn)    otherwise
        the sum over outcomes of probability times value    where an action draws chance

Star1 and Star2 (Ballard 1983) prune chance outcomes. Star1 narrows the window of an outcome by the
best and worst values that the other outcomes can have. Star2 first bounds the value of every
outcome, and only then searches the outcomes. Here the bounds come from replaying turns that were
recently best at the same level of the search. Often one of these turns is good enough for every
outcome, so nothing more is searched. `search.turn_results.workspace` defines levels and places.
"""

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.luck import mix, scramble
from plyglass.core.memory import read_word
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import RNG, copy_state, fingerprint, luck_drawn, step, to_move
from plyglass.search.clock import late
from plyglass.search.expectimax.outcomes import (
    draws_read,
    first_outcome,
    next_outcome,
    outcome_probability,
    read_luck_from,
    read_no_tape,
)
from plyglass.search.mcts.tree import listed
from plyglass.search.turn_results.results import (
    actions_of,
    address,
    compare,
    copy_plan,
    find_results,
    is_new,
    is_same_plan,
    judge_place,
    open_level,
    ply_of,
    write_plan,
)
from plyglass.search.turn_results.workspace import (
    CHANCE,
    CHOICE,
    DEEP,
    FULL,
    INSIDE,
    LONG_TAPE,
    LUCKY,
    PLANS,
    RESULT,
    borrow_memory,
)
from plyglass.search.values import judge


@kernel
def look_ahead(table, memory, most):
    """Search until this depth is complete or `most` positions were reached.

    When the depth is complete, `level` is negative. If the time runs out earlier, this depth has no
    result.
    """
    memory = borrow_memory(memory)
    look = memory.look[0]
    while look.level >= 0 and look.fault == 0 and look.reached < most and not late(look.clock):
        here = memory.levels[look.level]
        if here.next == here.count:
            leave(table, memory)
        else:
            visit(table, memory)


@kernel
def visit(table, memory):
    """Open a level for the next result or outcome of the current level."""
    look, levels, places = memory.look[0], memory.levels, memory.places
    level = look.level
    here, there, first = levels[level], levels[min(level + 1, len(levels) - 1)], level * look.room
    index = places[first + here.next].order
    place = places[first + index]
    if here.kind == CHANCE and place.final:
        credit(table, memory, place.value)
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
        _open_chance(table, memory, address(table, look, level, place.parent), place.action)
    else:
        copy_state(table, address(table, look, level + 1, 0), source)
        _open_choice(table, memory)


@kernel
def leave(table, memory):
    """Close the current level, and credit the level's value to the place that opened the level."""
    look = memory.look[0]
    here = memory.levels[look.level]
    if here.kind == CHOICE and look.level > 0:
        _remember(here, memory.known)
        if here.depth == 1 and here.chosen >= 0:
            _keep_plan(look, here, memory.places, memory.plans[look.level])
    look.level -= 1
    if look.level >= 0:
        credit(table, memory, here.best)


@kernel
def credit(table, memory, value):
    """Credit a value to the current place.

    Then continue with the next place, if the next place can still change the result.
    """
    look, places = memory.look[0], memory.places
    here, first = memory.levels[look.level], look.level * look.room
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
        _probe_others(table, memory)
    _stop_if_decided(look, here)


# A turn: its results, the most promising first.


@kernel
def _open_choice(table, memory):
    """Start the turn in the first place of the current level, unless the turn's value is known."""
    look = memory.look[0]
    here = memory.levels[look.level]
    state = address(table, look, look.level, 0)
    here.kind, here.player = CHOICE, to_move(table, state)
    open_level(look, here)
    here.key = mix(fingerprint(table, state), here.depth)
    if look.foreseen:
        here.key ^= scramble(read_word(state, RNG))
    if _is_known(here, memory.known):
        here.count = 0
        return
    find_results(table, memory)
    _sort_results(look, here, memory.places)


@kernel
def order_root(memory, values):
    """Order the results of the root by their values from a shallower search."""
    places = memory.places
    for i in range(memory.levels[0].count):
        index = places[i].order
        places[index].value = values[index]
    _sort_results(memory.look[0], memory.levels[memory.look[0].level], places)


@kernel
def _sort_results(look, here, places):
    """Sort the results by their promise for the mover, the best first (Shell 1959)."""
    first = look.level * look.room
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
    """Return whether place `one` is more promising than `other`, or equal and found earlier."""
    difference = here.sign * (places[first + one].value - places[first + other].value)
    return difference > 0 or (difference == 0 and one < other)


# Chance: the outcomes of an action, each with a bound.


@kernel
def _open_chance(table, memory, source, action):
    """Open a level with the outcomes of an action.

    Turns that were recently best give bounds on the values of outcomes.
    """
    look, places, plans = memory.look[0], memory.places, memory.plans
    here, first = memory.levels[look.level], look.level * look.room
    here.kind, here.best, here.next = CHANCE, 0.0, 0
    _find_outcomes(table, memory, source, action)
    here.count, here.mass, here.rest = here.used, 0.0, 0.0
    here.sign = 1.0 if here.player == look.seat or look.together else -1.0
    for index in range(here.used):
        place = places[first + index]
        if not place.final:
            place.value = look.low if here.sign > 0 else look.high
            state = address(table, look, look.level, index)
            for plan in range(PLANS if here.depth == 1 and place.kind == INSIDE else 0):
                _probe(table, look, here, place, state, plans[look.level + 1, plan])
        here.mass += place.share
        here.rest += place.share * place.value
    _stop_if_decided(look, here)


@kernel
def _find_outcomes(table, memory, source, action):
    """Fill the current level with the outcomes of a chance action, and merge equal ones."""
    look, places, slots = memory.look[0], memory.places, memory.slots
    level = look.level
    here, first = memory.levels[level], level * look.room
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
        if is_new(places, slots[level], here, first):
            place.mover, place.share = mover, share
            _note_outcome(table, look, here, place, source, target)
        else:
            _add_share(places, slots[level], here, first, share)
        more = next_outcome(here.tape) and not late(look.clock)


@kernel
def _note_outcome(table, look, here, place, source, target):
    """Keep an outcome, and judge it if the search ends there."""
    passed = ply_of(target) != ply_of(source)
    place.order, place.final, place.kind = here.used, 0, RESULT if passed else INSIDE
    if place.mover < 0 or (passed and here.depth == 1):
        judge_place(table, look, 0, place, target)
    here.used += 1


@kernel
def _add_share(places, slots, here, first, share):
    """Add the probability of an outcome to an equal outcome that was found before."""
    mask = len(slots) - 1
    key = places[first + here.used].key
    at = np.int64(key & np.uint64(mask))
    while places[first + (slots[at] & 0xFFFFFFFF)].key != key:
        at = (at + 1) & mask
    places[first + (slots[at] & 0xFFFFFFFF)].share += share


@kernel
def _set_window(look, here, there, place):
    """Set an outcome's window by the known or possible values of the other outcomes (Star1)."""
    low, high = _others(look, here, place)
    there.alpha = max(look.low, (here.alpha - here.best - high) / place.share)
    there.beta = min(look.high, (here.beta - here.best - low) / place.share)


@kernel
def _others(look, here, place):
    """Return the lowest and highest total that the remaining outcomes can add."""
    mass, rest = here.mass - place.share, here.rest - place.share * place.value
    return (rest, look.high * mass) if here.sign > 0 else (look.low * mass, rest)


@kernel
def _stop_if_decided(look, here):
    """Skip the remaining outcomes if they cannot bring the value back into the window.

    After a cutoff, the value is a bound.
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


# Star2: bounds by turns that were best before.


@kernel
def _probe_others(table, memory):
    """Try the best turn of the last outcome in all remaining outcomes."""
    look, places, plans = memory.look[0], memory.places, memory.plans
    here, first = memory.levels[look.level], look.level * look.room
    if here.depth != 1:
        return
    for index in range(here.next, here.count):
        place = places[first + index]
        if not place.final and place.kind == INSIDE:
            state = address(table, look, look.level, index)
            here.rest -= place.share * place.value
            _probe(table, look, here, place, state, plans[look.level + 1, 0])
            here.rest += place.share * place.value


@kernel
def _probe(table, look, here, place, source, plan):
    """Replay a turn in an outcome, if it is legal there; the result bounds the outcome's value."""
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
    """Move the level's best turn to the front of the plans; a new turn drops the last plan."""
    write_plan(places, look.level * look.room, here.chosen, plans[PLANS])
    last = 0
    while last < PLANS - 1 and not is_same_plan(plans[last], plans[PLANS]):
        last += 1
    for plan in range(last, 0, -1):
        copy_plan(plans[plan], plans[plan - 1])
    copy_plan(plans[0], plans[PLANS])


# The transposition table.


@kernel
def _is_known(here, known):
    """If the remembered bounds decide the position, write its value to `best` and return True."""
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
    """Remember the value of the position, or a bound if the value lies outside the window."""
    entry = known[np.int64(here.key & np.uint64(len(known) - 1))]
    low = here.best if here.best > here.floor else -np.inf
    high = here.best if here.best < here.ceiling else np.inf
    if entry.key == here.key:
        low, high = max(low, entry.low), min(high, entry.high)
    entry.key, entry.low, entry.high = here.key, low, high
