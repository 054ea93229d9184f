"""The best ends of turns that a search came across, with the plans that led there, so that it
can be looked further from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.memory import read_int, write_int
from plyglass.core.state import Bytes, rows
from plyglass.core.verbs import copy_state
from plyglass.search.information.nodes import find_slot, look
from plyglass.search.turn.tree import INFORMED

EndRecord = np.dtype(
    [
        ("value", np.float64),  # to the player whose turn it was
        ("key", np.uint64),  # what he sees there
        ("number", np.int64),  # of the world and luck that led there
        ("length", np.int64),  # of the plan
        ("world", np.int64),  # address of the position
        ("plan", np.int64),  # address of the plan
    ],
    align=True,
)


@dataclass(frozen=True)
class End:
    """The end of a turn: its value to the player, the position, and how it was reached: with
    which world and luck, by which plan.
    """

    value: float
    world: Bytes
    number: int
    plan: tuple[int, ...]


class Ends:
    """Room for the best few ends; no two of them look the same to the player."""

    def __init__(self, game: Game, most: int) -> None:
        self._worlds = rows(most, game.state)
        self._plans = np.zeros((most, game.most_steps + 1), np.int64)
        self.records: Any = np.zeros(most, EndRecord).view(np.recarray)
        for number in range(most):
            self.records[number].world, self.records[number].plan = (
                self._worlds[number].ctypes.data,
                self._plans[number].ctypes.data,
            )
        self.clear()

    def clear(self) -> None:
        self.records.value = -np.inf

    def best_first(self) -> list[End]:
        """What was kept, the best one first."""
        order = np.argsort(-self.records.value, kind="stable")
        return [self._end(number) for number in order if self.records[number].value > -np.inf]

    def _end(self, number: int) -> End:
        record = self.records[number]
        plan = tuple(int(action) for action in self._plans[number, : record.length])
        return End(float(record.value), self._worlds[number].copy(), int(record.number), plan)


@kernel
def keep_end(table, work, ends, nodes, slots, value):
    """Keep the end of the iteration if it is among the best; returns its value, or what is known
    of it by looking further.
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
    """Note the end of the iteration in place of another."""
    end.value, end.key, end.number, end.length = value, key, work.number, work.plan_length
    copy_state(table, end.world, work.world)
    for i in range(work.plan_length):
        write_int(end.plan, i, read_int(work.plan, i))
