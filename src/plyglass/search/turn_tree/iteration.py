"""The iterations of a search within a turn, and the best final positions that they reach.

grow_turn:  for each iteration:
                descend_turn: choose actions until a position is new, closed or ends the turn
                judge_end:    play the turn to its end, and judge the final position
                keep_end:     keep a good final position, so a search can continue from there
                back_up_turn: credit the value to the path, and close what is now certain
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix
from plyglass.core.memory import read_int, write_int
from plyglass.core.state import Bytes, new_states
from plyglass.core.table import SIZE
from plyglass.core.verbs import change_luck, copy_state, fingerprint, luck_drawn, step
from plyglass.search.clock import is_stopped, late
from plyglass.search.information_sets.nodes import find_slot, look
from plyglass.search.turn_tree.plies import note_action, pass_over, play_plies
from plyglass.search.turn_tree.tree import (
    CLOSED,
    INFORMED,
    TURN_OVER,
    UNCERTAIN,
    back_up_best_turn,
    back_up_mean_turn,
    choose_action,
    close,
    enter_position,
    mean_of,
)
from plyglass.search.values import judge


@kernel
def grow_turn(table, work, ends, nodes, slots, path, done, iterations):
    """Run `iterations` iterations after the first `done`, or fewer if the time runs out."""
    here = work[0]
    for iteration in range(done, done + iterations):
        if nodes[here.top].next == CLOSED or is_full(here, nodes):
            break
        player, plies = descend_turn(table, here, nodes, slots, path, iteration)
        value = judge_end(table, here, nodes, path[here.length - 1], player, plies)
        if late(here.clock):
            break  # the result of an interrupted iteration is invalid
        value = keep_end(table, here, ends, nodes, slots, value)
        back_up_turn(here, nodes, path, value)


@kernel
def descend_turn(table, work, nodes, slots, path, iteration):
    """Choose actions until the position is new, its value is certain, or the turn ends.

    Returns the next mover, and the number of the searching player's plies that are left.
    """
    place_world(table, work, iteration)
    path[0] = work.top
    player, plies = work.mover, work.plies
    work.length, work.plan_length = 1, 0
    while player == work.mover and plies > 0:
        if is_full(work, nodes):
            break
        script = read_int(work.plan, work.plan_length) if work.script > work.plan_length else -1
        choose_action(table, work, nodes, path, script)
        action = path[work.length - 1]
        if work.paired and work.script == 0 and work.plan_length == 0:
            place_world(table, work, nodes[action].visits)
        drawn = luck_drawn(work.world)
        note_action(work, nodes[action].action)
        player = step(table, work.world, player, nodes[action].action)
        player, plies = look_on(table, work, player, plies)
        over = player != work.mover or plies == 0
        enter_position(table, work, nodes, slots, path, player, over)
        if luck_drawn(work.world) != drawn or hides_something(table, work):
            nodes[action].lucky = UNCERTAIN
        position = nodes[path[work.length - 1]]
        if work.script == 0 and (position.visits == 0 or (work.closes and position.next == CLOSED)):
            break
    return player, plies


@kernel
def is_full(work, nodes):
    """Return whether the tree has too little memory for another action.

    An action can add nodes for all kinds, sources and actions of a position, and one result node.
    """
    return work.used + 3 * work.most_actions + 2 > len(nodes)


@kernel
def place_world(table, work, number):
    """Start iteration `number`: copy its world and set its random seed."""
    work.number = number
    world = (number // work.resample) % work.most_worlds
    copy_state(table, work.world, work.worlds + world * table[SIZE])
    change_luck(work.world, mix(work.luck, number))


@kernel
def hides_something(table, work):
    """Return whether something is hidden from the mover; always True if `closes` is off."""
    return not work.closes or look(table, work.world, work.mover, work) != fingerprint(
        table, work.world
    )


@kernel
def look_on(table, work, player, plies):
    """After a ply of the mover, continue to the mover's next ply if the search covers that ply.

    Returns the next mover, and the number of plies that are left.
    """
    if player == work.mover:
        return player, plies
    if plies > 1:
        player = pass_over(table, work, player)
    return player, plies - 1


@kernel
def judge_end(table, work, nodes, position, player, plies):
    """Return the mover's value of the path's end: the known value, or the value of a rollout."""
    known = nodes[position].visits > 0
    if known and (
        nodes[position].lucky == INFORMED or (work.closes and nodes[position].next == CLOSED)
    ):
        return mean_of(nodes, position)
    if nodes[position].player != TURN_OVER:
        while player == work.mover and plies > 0 and not is_stopped(work.clock):
            player = play_plies(table, work, player, 1)
            player, plies = look_on(table, work, player, plies)
    play_plies(table, work, player, work.beyond)
    value = judge(table, work.world, work.mover, work.evaluator)
    work.evaluated += 1
    work.lowest = min(work.lowest, value)
    work.highest = max(work.highest, value)
    return value


@kernel
def back_up_turn(work, nodes, path, value):
    """Back up a value, and close nodes whose value is now certain."""
    if work.backs_up_max:
        back_up_best_turn(nodes, path, work.length, value)
    else:
        back_up_mean_turn(nodes, path, work.length, value)
    if work.closes:
        close(nodes, path, work.length)


@kernel
def inform(table, work, nodes, slots, path, iteration, value):
    """Replay an earlier iteration; its final position gets the value of a later, deeper search."""
    here = work[0]
    descend_turn(table, here, nodes, slots, path, iteration)
    end = nodes[path[here.length - 1]]
    if end.player == TURN_OVER:  # false if the tree was too full for the plan
        if end.lucky != INFORMED:
            end.lucky, end.visits, end.total = INFORMED, 0, 0.0
        back_up_turn(here, nodes, path, value)


# The best final positions of turns, with the plans that led there, so a search can continue there.

EndRecord = np.dtype(
    [
        ("value", np.float64),  # the value for the player whose turn it was
        ("key", np.uint64),  # a hash of what that player sees there
        ("number", np.int64),  # the number of the world and chance that led there
        ("length", np.int64),  # the number of actions in the plan
        ("world", np.int64),  # address of the position
        ("plan", np.int64),  # address of the plan
    ],
    align=True,
)


@dataclass(frozen=True)
class End:
    """The final position of a turn.

    Attributes:
        value: the value for the player whose turn it was.
        world: the final position.
        number: the number of the world and random seed that led to the final position.
        plan: the actions that led to the final position.
    """

    value: float
    world: Bytes
    number: int
    plan: tuple[int, ...]


class Ends:
    """The best few final positions of a turn; no two of them look the same to the player."""

    def __init__(self, game: Game, most: int) -> None:
        self._worlds = new_states(most, game.state)
        self._plans = np.zeros((most, game.most_steps + 1), np.int64)
        self.records: Any = np.zeros(most, EndRecord).view(np.recarray)
        for number in range(most):
            self.records[number].world = self._worlds[number].ctypes.data
            self.records[number].plan = self._plans[number].ctypes.data
        self.clear()

    def clear(self) -> None:
        """Drop all final positions that were found so far."""
        self.records.value = -np.inf

    def best_first(self) -> list[End]:
        """Return the final positions that were kept, the best first."""
        order = np.argsort(-self.records.value, kind="stable")
        return [self._end(number) for number in order if self.records[number].value > -np.inf]

    def _end(self, number: int) -> End:
        record = self.records[number]
        plan = tuple(int(action) for action in self._plans[number, : record.length])
        return End(float(record.value), self._worlds[number].copy(), int(record.number), plan)


@kernel
def keep_end(table, work, ends, nodes, slots, value):
    """Keep the final position of the iteration if it is among the best.

    Returns the value of this position, or the value that a search beyond the turn has found for it.
    """
    if len(ends) == 0:
        return value
    key = look(table, work.world, work.mover, work)
    known = slots[find_slot(nodes, slots, key)]
    if known != 0 and nodes[known].lucky == INFORMED and nodes[known].visits > 0:
        value = nodes[known].total / nodes[known].visits
    worst = 0
    for i in range(len(ends)):
        if ends[i].value > -1e300 and ends[i].key == key:
            return value
        if ends[i].value < ends[worst].value:
            worst = i
    if value > ends[worst].value:
        write_end(table, work, ends[worst], key, value)
    return value


@kernel
def write_end(table, work, end, key, value):
    """Overwrite `end` with the final position of the present iteration."""
    end.value, end.key, end.number, end.length = value, key, work.number, work.plan_length
    copy_state(table, end.world, work.world)
    for i in range(work.plan_length):
        write_int(end.plan, i, read_int(work.plan, i))
