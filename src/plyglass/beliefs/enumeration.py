"""One step of an exact belief: every world that was possible, played on in every way to what the
seat saw next.

A world is played on by one action at a time: each that may be done, with each outcome of its luck.
What then looks as the match does is collected in one pool; what shows the seat nothing new is
collected in another, and played on in its turn.

Kernels cannot make room. One that finds a pool full stops, notes where it is, and goes on from
there when the pool has grown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.beliefs.cloud import Pool, Weights, add_world, borrow_pool
from plyglass.beliefs.prior import blank
from plyglass.beliefs.propagation import NOBODY_SAW, is_seen, look
from plyglass.core.compile import kernel
from plyglass.core.memory import address_of, borrow
from plyglass.core.table import SIZE
from plyglass.core.tape import MOST_DRAWS
from plyglass.core.verbs import choose, copy_state, imagine, legal, start, step, to_move
from plyglass.search.expectimax.outcomes import (
    draws_read,
    next_outcome,
    outcome_probability,
    read_luck_from,
    read_no_tape,
)

ASKED = 1000  # times that a policy is asked what it does in a position
SLICE = 1 << 20  # outcomes after which a kernel stops, so that a person can interrupt
UNKNOWN = -1  # in place of a number of actions: they have not been listed

Place = np.dtype(
    [
        ("world", np.int64),  # which of the worlds is played on
        ("mover", np.int64),  # whose decision it is there
        ("actions", np.int64),  # how many actions may follow, or UNKNOWN
        ("action", np.int64),  # which of them is tried
        ("outcomes", np.int64),  # how many outcomes were looked at
    ],
    align=True,
)
BEGINNING = (0, 0, UNKNOWN, 0, 0)


class Way(NamedTuple):
    """The memory that playing on takes, and how far it has come."""

    sight: Any
    place: Any
    actions: npt.NDArray[np.int32]  # what may be done in the world at this place
    likely: Weights  # and with what probability
    tape: npt.NDArray[np.int64]  # which outcome of the action's luck comes next
    reached: Pool  # what looks as the match does
    unseen: Pool  # what shows nothing new


@kernel
def borrow_way(way):
    """The same way, with arrays whose references are not counted."""
    return Way(
        borrow(way.sight), borrow(way.place), borrow(way.actions), borrow(way.likely),
        borrow(way.tape),
        borrow_pool(way.reached), borrow_pool(way.unseen),
    )  # fmt: skip


@kernel
def begin_on(table, way, setup):
    """Collect the starts that look like the view; without the address of a setup, what the game
    imagines behind it.

    Returns whether all outcomes have been looked at.
    """
    table, way = borrow(table), borrow_way(way)
    sight, tape = way.sight[0], address_of(way.tape)
    while not must_stop(way):
        if begin_world(table, sight, tape, setup):
            add_world(table, way.reached, sight.world, outcome_probability(tape))
        if not next_outcome(tape):
            return True
    return False


@kernel
def begin_world(table, sight, tape, setup):
    """Start or imagine a world with luck as the tape says; returns whether it looks like the
    view, as what is imagined always does.
    """
    if setup == 0:
        copy_state(table, sight.world, sight.after)
        read_luck_from(tape, 0, sight.world)
        imagine(table, sight.world, sight.viewer, np.uint64(0))
        read_no_tape(sight.world)
        return True
    blank(table, sight.world)
    read_luck_from(tape, 0, sight.world)
    start(table, setup, sight.world, np.uint64(0))
    read_no_tape(sight.world)
    look(table, sight)
    return is_seen(table, sight, sight.after)


@kernel
def play_on(table, way, worlds, weights, own_action):
    """Play every world on by one action in every way, and collect what comes of it; returns
    whether all have been played on.
    """
    table, way, worlds, weights = borrow(table), borrow_way(way), borrow(worlds), borrow(weights)
    sight, place, tape = way.sight[0], way.place[0], address_of(way.tape)
    while place.world < len(weights):
        world = address_of(worlds) + place.world * table[SIZE]
        if place.actions == UNKNOWN:
            list_actions(table, way, world, own_action)
        while place.action < place.actions:
            if must_stop(way):
                return False
            play_copy(table, sight, tape, world, place.mover, way.actions[place.action])
            weight = weights[place.world] * way.likely[place.action] * outcome_probability(tape)
            sort_in(table, way, own_action, weight)
            if not next_outcome(tape):
                place.action += 1
        place.world += 1
        place.action, place.actions = 0, UNKNOWN
    return True


@kernel
def must_stop(way):
    """Whether Python has to look after something before the next outcome, which is counted."""
    full = way.reached.used[0] == len(way.reached.weights) or way.unseen.used[0] == len(
        way.unseen.weights
    )
    if full or draws_read(address_of(way.tape)) > MOST_DRAWS:
        return True
    way.place[0].outcomes += 1
    return way.place[0].outcomes % SLICE == 0


@kernel
def list_actions(table, way, world, own_action):
    """Note what may be done in a world and how likely that is: nothing where it is over, or
    where the seat would have had to act.
    """
    sight, place = way.sight[0], way.place[0]
    place.mover = to_move(table, world)
    if place.mover < 0:
        place.actions = 0
    elif place.mover == sight.viewer:
        way.actions[0], way.likely[0] = own_action, 1.0
        place.actions = 0 if own_action == NOBODY_SAW else 1
    elif sight.policy != 0:
        place.actions = ask_policy(table, sight, way, world)
    else:
        place.actions = legal(table, world, address_of(way.actions))
        for i in range(place.actions):
            way.likely[i] = 1.0 / place.actions


@kernel
def ask_policy(table, sight, way, world):
    """Note what the policy does in a world and how often, in many tries; returns how many
    different things it did.
    """
    count = 0
    for _ in range(ASKED):
        action = choose(table, world, sight.stream, sight.policy)
        i = 0
        while i < count and way.actions[i] != action:
            i += 1
        if i == count:
            way.actions[i], way.likely[i] = action, 0.0
            count += 1
        way.likely[i] += 1.0
    for i in range(count):
        way.likely[i] /= ASKED
    return count


@kernel
def play_copy(table, sight, tape, world, mover, action):
    """Play an action in a copy of a world, with luck as the tape says, and note what the seat
    sees then.
    """
    copy_state(table, sight.world, world)
    read_luck_from(tape, 0, sight.world)
    step(table, sight.world, mover, action)
    read_no_tape(sight.world)
    look(table, sight)


@kernel
def sort_in(table, way, own_action, weight):
    """Collect a world that looks as the match does, or one that shows nothing new after an
    action of others.
    """
    sight = way.sight[0]
    by_seat = way.place[0].mover == sight.viewer
    if by_seat == (own_action != NOBODY_SAW) and is_seen(table, sight, sight.after):
        add_world(table, way.reached, sight.world, weight)
    elif not by_seat and is_seen(table, sight, sight.before):
        add_world(table, way.unseen, sight.world, weight)
