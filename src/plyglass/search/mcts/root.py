"""What searches say about the actions at the root, added up over trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plyglass.search.interface import Decision, Health, Spent
from plyglass.search.mcts.tree import ROOT, Tree


@dataclass(frozen=True)
class RootStatistics:
    """Visits and values of the root actions; values are in the game's own scores, None where an
    action was never tried.
    """

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float | None, ...]
    span: float

    def best(self, choice: str, exploration: float) -> int:
        """The index of the action to play: most visits, best value, or highest confidence bound.

        Equal visits go to the better value and equal values to more visits, since a win now is
        searched more than one to come; what is equal then goes to the first.
        """
        if choice == "visits":
            keys = [(float(visits), self._value(i)) for i, visits in enumerate(self.visits)]
        elif choice == "value":
            keys = [(self._value(i), float(visits)) for i, visits in enumerate(self.visits)]
        else:
            keys = [(self._bound(i, exploration), 0.0) for i in range(len(self.actions))]
        return max(range(len(keys)), key=lambda i: keys[i])

    def _value(self, index: int) -> float:
        value = self.values[index]
        return -math.inf if value is None else value

    def _bound(self, index: int, exploration: float) -> float:
        visits = self.visits[index]
        if visits == 0:
            return -math.inf
        return self._value(index) + self.span * exploration * math.sqrt(
            math.log(max(1, sum(self.visits))) / visits
        )


def root_statistics(trees: Sequence[Tree], actions: tuple[int, ...], work: Any) -> RootStatistics:
    """Add up the root statistics of several trees."""
    visits = dict.fromkeys(actions, 0)
    totals = dict.fromkeys(actions, 0.0)
    for tree in trees:
        columns = (
            tree.of_children(ROOT, field).tolist() for field in ("action", "visits", "total")
        )
        for action, visited, total in zip(*columns, strict=True):
            visits[action] += visited
            totals[action] += total
    low, span = float(work.low), float(work.span)
    values = tuple(
        low + span * totals[action] / visits[action] if visits[action] else None
        for action in actions
    )
    return RootStatistics(actions, tuple(visits.values()), values, span)


def decision_of(
    statistics: RootStatistics,
    planner: Any,
    line: Callable[[int], tuple[tuple[int, int], ...]],
    spent: Spent,
    health: Health | None,
) -> Decision:
    """The decision that root statistics lead to, by the `choice` of the planner; `line` tells
    how play goes on after an action.
    """
    best = statistics.best(planner.choice, planner.exploration)
    return Decision(
        action=statistics.actions[best],
        actions=statistics.actions,
        values=statistics.values,
        visits=statistics.visits,
        line=line(statistics.actions[best]),
        iterations=spent.iterations,
        evaluated=spent.iterations,
        seconds=spent.seconds,
        health=health,
    )
