"""The decision at the root: statistics of the root actions, added up over trees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyglass.search.interface import Decision, Health, Spent
from plyglass.search.mcts.tree import ROOT, Tree


@dataclass(frozen=True)
class RootStatistics:
    """Visits and values of the root actions.

    Attributes:
        actions: the legal actions, in the order of the game.
        visits: how often each was searched.
        values: the value of each in the game's own scores; None if it was never tried.
        span: the scale of the confidence bound, in the game's own scores.
    """

    actions: tuple[int, ...]
    visits: tuple[int, ...]
    values: tuple[float | None, ...]
    span: float

    def best(self, choice: str, exploration: float) -> int:
        """The index of the action to play: most visits, best value, or highest bound.

        Among equal visits, the better value wins. Among equal values, more visits win: a win now is
        searched more often than a later win. If both are equal, the first action wins.
        """
        if choice == "visits":
            keys = [(float(visits), self._value(i)) for i, visits in enumerate(self.visits)]
        elif choice == "value":
            keys = [(self._value(i), float(visits)) for i, visits in enumerate(self.visits)]
        else:
            keys = [(self._bound(i, exploration), 0.0) for i in range(len(self.actions))]
        return max(range(len(keys)), key=lambda i: keys[i])

    def best_action(self, choice: str, exploration: float) -> int:
        """The action to play, as `best` finds it."""
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
        """The decision to play `action`; `evaluated` defaults to one position per iteration."""
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
    """The root statistics of several trees, added up."""
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
