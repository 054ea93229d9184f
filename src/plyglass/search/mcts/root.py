"""The decision at the root, from the statistics of the root actions summed over all trees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyglass.search.interface import Decision, Health, Spent
from plyglass.search.mcts.tree import ROOT, Tree


@dataclass(frozen=True)
class RootStatistics:
    """The visits and values of the root actions.

    Attributes:
        actions: the legal actions, in the order of the game.
        visits: the number of times that each action was searched.
        values: the value of each action in the game's own scores; None if it was never tried.
        span: the scale of the confidence bound, in the game's own scores.
    """

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float | None, ...]
    span: float

    def best(self, choice: str, exploration: float) -> int:
        """Return the index of the best action by `choice`: "visits", "value" or "bound".

        If visits are equal, the action with the better value is chosen. If values are equal, the
        action with more visits is chosen, because an immediate win gets more visits than a later
        win. If both are equal, the first action is chosen.
        """
        if choice == "visits":
            keys = [(float(visits), self._value(i)) for i, visits in enumerate(self.visits)]
        elif choice == "value":
            keys = [(self._value(i), float(visits)) for i, visits in enumerate(self.visits)]
        else:
            keys = [(self._bound(i, exploration), 0.0) for i in range(len(self.actions))]
        return max(range(len(keys)), key=lambda i: keys[i])

    def best_action(self, choice: str, exploration: float) -> int:
        """Return the action to play, chosen as in `best`."""
        return self.actions[self.best(choice, exploration)]

    def decision(
        self,
        action: int,
        line: tuple[tuple[int, int], ...],
        spent: Spent,
        health: Health | None,
        *,
        evaluated: int | None = None,
        depth: int = 0,
    ) -> Decision:
        """Return the decision to play `action`."""
        return Decision(
            action=action,
            actions=self.actions,
            values=self.values,
            visits=self.visits,
            line=line,
            depth=depth,
            iterations=spent.iterations,
            evaluated=spent.iterations if evaluated is None else evaluated,
            seconds=spent.seconds,
            health=health,
        )

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
    """Return the sum of the root statistics of several trees."""
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
