"""This module updates an exact belief: every possible world is continued to the next view.

The kernel plays every possible action of a world with every chance outcome. A result whose view
equals the view in the match goes into the pool `reached`. A result that shows the seat nothing new
goes into the pool `unseen`. The kernel later continues it in the same way.

Kernels cannot allocate. When a pool is full, the kernel notes how far it got, and stops. Python
enlarges the pool, and then the kernel continues.
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
from plyglass.search.clock import late
from plyglass.search.expectimax.outcomes import (
    draws_read,
    next_outcome,
    outcome_probability,
    read_luck_from,
    read_no_tape,
)

ASKED = 1000  # samples of a policy's action in a position
SLICE = 1 << 20  # outcomes after which a kernel stops, so a user can interrupt
UNKNOWN = -1  # in place of a number of actions: the actions have not been listed

Place = np.dtype(
    [
        ("world", np.int64),  # the index of the world that is continued
        ("mover", np.int64),  # the player to move in this world
        ("actions", np.int64),  # the number of possible actions, or UNKNOWN
        ("action", np.int64),  # the index of the action that is tried
        ("outcomes", np.int64),  # the number of chance outcomes visited
    ],
    align=True,
)
BEGINNING = (0, 0, UNKNOWN, 0, 0)


class Way(NamedTuple):
    """The memory of an enumeration, with its progress so far.

    Attributes:
        sight: (1,) of `propagation.Sight`.
        place: (1,) of `Place`.
        actions: (most_actions,): the possible actions in the present world.
        likely: (most_actions,): the probabilities of these actions.
        tape: (TAPE_WORDS,): the tape that dictates the chance outcome to play next.
        reached: the worlds whose view equals the view in the match.
        unseen: the worlds that show the seat nothing new.
    """

    sight: Any
    place: Any
    actions: npt.NDArray[np.int32]
    likely: Weights
    tape: npt.NDArray[np.int64]
    reached: Pool
    unseen: Pool


@kernel
def borrow_way(way):
    """Return the `Way` with arrays that Numba does not reference-count."""
    return Way(
        borrow(way.sight), borrow(way.place), borrow(way.actions), borrow(way.likely),
        borrow(way.tape),
        borrow_pool(way.reached), borrow_pool(way.unseen),
    )  # fmt: skip


@kernel
def begin_on(table, way, setup):
    """Collect the start positions that match the view; return whether all outcomes were visited.

    If the address of the setup is 0, collect the worlds that the game imagines for the view.
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
    """Start or imagine a world with chance from the tape; return whether this world fits the view.

    An imagined world always fits the view.
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
    """Play every possible action in every world, and collect the results.

    Returns True once every world is done.
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
    """Count the next outcome, and return whether the kernel must stop.

    The kernel stops after every `SLICE` outcomes. It also stops, without counting the outcome, if a
    pool or the tape is full, or if the time is over.
    """
    full = way.reached.used[0] == len(way.reached.weights) or way.unseen.used[0] == len(
        way.unseen.weights
    )
    if late(way.sight[0].clock) or full or draws_read(address_of(way.tape)) > MOST_DRAWS:
        return True
    way.place[0].outcomes += 1
    return way.place[0].outcomes % SLICE == 0


@kernel
def list_actions(table, way, world, own_action):
    """List the possible actions of a world with their probabilities.

    The list is empty if the game is over in this world. If the seat is to move, the list holds only
    the seat's action in the match, if there was one.
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
    """List the actions that a policy chose in `ASKED` tries, with their frequencies.

    Returns the number of different actions.
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
    """Play an action in a copy of a world, with chance from the tape; store the seat's view."""
    copy_state(table, sight.world, world)
    read_luck_from(tape, 0, sight.world)
    step(table, sight.world, mover, action)
    read_no_tape(sight.world)
    look(table, sight)


@kernel
def sort_in(table, way, own_action, weight):
    """Collect a world whose view equals the new view in the match, or still equals the old one."""
    sight = way.sight[0]
    by_seat = way.place[0].mover == sight.viewer
    if by_seat == (own_action != NOBODY_SAW) and is_seen(table, sight, sight.after):
        add_world(table, way.reached, sight.world, weight)
    elif not by_seat and is_seen(table, sight, sight.before):
        add_world(table, way.unseen, sight.world, weight)
