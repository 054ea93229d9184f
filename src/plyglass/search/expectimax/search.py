"""Exhaustive search in each world of a sample, to find the action that is best on average.

Iterative deepening makes this an anytime search. An iteration is one position reached.

The decision uses the deepest search that was completed in all worlds. Before the first depth is
complete, the decision uses the worlds and actions searched so far. The values of shallower searches
break ties, so the shorter of two wins and the longer of two losses is preferred. When everything is
searched, the search stops, even if budget is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes
from plyglass.core.world import View
from plyglass.search.expectimax.frames import DICTATED, FORESEEN, FOREVER, Terms
from plyglass.search.expectimax.lookahead import Lookahead, Results
from plyglass.search.interface import (
    Budget,
    Decision,
    LiveBelief,
    Search,
    Spent,
    run_in_slices,
    started,
)
from plyglass.search.values import Ties, best_of, chosen_of

SLICE = 1 << 16  # positions between two checks whether the search was cancelled


@dataclass(frozen=True)
class Sampling:
    """The number of worlds to search, and whether all actions share the same worlds."""

    worlds: int = 1
    paired: bool = True

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(
                f"A search of {self.worlds} worlds looks at nothing; give 1 or more worlds."
            )


class ExhaustiveSearch(Search):
    """An exhaustive search of one seat in one match."""

    def __init__(
        self,
        terms: Terms,
        sampling: Sampling,
        game: Game,
        seat: int,
        belief: LiveBelief,
        seed: int,
        *,
        deepening: bool,
        ties: Ties,
    ) -> None:
        self._terms, self._sampling = terms, sampling
        self._game, self._belief, self._seed = game, belief, seed
        self._deepening, self._ties = deepening, ties
        # Whether a deeper search never finds a higher value.
        self._sinks = terms.costs and terms.evaluator == "score"
        self._seat = seat
        self._ahead = Lookahead(game, seat, terms)
        self._views = 0
        self._view: View | None = None

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._view, self._views = view, self._views + 1
        self._spent, self._reached, self._judged = Spent(), 0, self._ahead.leaves
        # The mean values at each completed depth. The first depth may be incomplete.
        self._means: list[WeightedMeans] = []
        self._agenda: Iterator[None] | None = None
        self._over = False

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        clock = self._belief.clock
        with started(clock, budget, cancelled):
            if self._agenda is None:
                self._agenda = self._looks()
                self._advance()
            run_in_slices(
                self._grow,
                self._spent,
                budget,
                SLICE,
                cancelled,
                clock=clock,
                finished=lambda: self._over,
            )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        actions = tuple(self._view.legal())
        begun = self._means and self._means[0].count
        looks = self._means if begun else [self._unfinished(len(actions))]
        low, high = self._game.scores
        best = best_of([look.values for look in reversed(looks)], high - low)
        action = actions[chosen_of(best, self._ties, derive(self._seed, self._views))]
        means = looks[-1]
        return Decision(
            action=action,
            actions=actions,
            values=means.values,
            line=((self._seat, action),),
            spread=means.spread if means.count > 1 else (),
            iterations=self._reached,
            evaluated=self._ahead.leaves - self._judged,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

    def _grow(self, done: int, count: int) -> None:
        """Search `count` more positions, or fewer if no more are left or the time is over."""
        while count > 0 and not self._over and not self._belief.clock.stopped:
            reached = self._ahead.run(count)
            count -= reached
            self._reached += reached
            if self._ahead.over:
                self._advance()

    def _advance(self) -> None:
        """Begin the next look-ahead, and check the clock.

        Small look-aheads take long for their few positions, because this step is not compiled. The
        number of checks does not depend on the slices, so a replay stops at the same check.
        """
        assert self._agenda is not None
        self._over = bool(next(self._agenda, True))
        self._belief.clock.late()

    def _looks(self) -> Iterator[None]:
        """Search all worlds at each depth in turn; yield when the caller must run a look-ahead."""
        assert self._view is not None
        actions = len(self._view.legal())
        worlds = [*self._worlds(actions)]
        ceilings: list[Results | None] = [None] * len(worlds)
        for depth in self._depths():
            means, cut = WeightedMeans(actions), False
            self._means = self._means or [means]
            for number, (row, only, weight) in enumerate(worlds):
                for _ in self._futures():
                    self._ahead.begin(row, depth, only, ceilings[number])
                    yield
                    means.add(self._ahead.values(), weight * self._ahead.probability())
                    cut = cut or self._ahead.cut
                if self._sinks:
                    ceilings[number] = self._ahead.results()
            if self._means[0] is not means:
                self._means.append(means)
            if not cut:
                return

    def _futures(self) -> Iterator[None]:
        """Yield whenever the caller must search the world with its current future.

        If futures are dictated, set each future of the world in turn before yielding. Otherwise,
        yield once.
        """
        dictated = self._terms.luck == DICTATED
        if dictated:
            self._ahead.first_future()
        yield
        while dictated and self._ahead.next_future():
            yield

    def _depths(self) -> Iterator[int]:
        last = self._terms.depth
        if self._deepening:
            yield from range(1, (last or self._game.most_steps) + 1)
        else:
            yield FOREVER if last is None else last

    def _worlds(self, actions: int) -> Iterator[tuple[Bytes, int | None, float]]:
        """Yield (world, action, weight).

        `action` is the index of the only root action to try in the world; None means all actions.
        """
        if self._sampling.paired:
            yield from ((row, None, weight) for row, weight in self._sample(0))
            return
        samples = [self._sample(only) for only in range(actions)]
        for each in zip(*samples, strict=True):
            yield from ((row, only, weight) for only, (row, weight) in enumerate(each))

    def _sample(self, number: int) -> list[tuple[Bytes, float]]:
        """Return worlds with their weights.

        If chance is foreseen, each world has a future of its own.
        """
        rows, weights = self._belief.support(self._sampling.worlds)
        if self._terms.luck != FORESEEN:
            return [(row, float(weight)) for row, weight in zip(rows, weights, strict=True)]
        futures = max(1, self._sampling.worlds // len(rows))
        sample = []
        for index in range(futures * len(rows)):
            row = rows[index // futures].copy()
            self._game.verbs.change_luck(
                row.ctypes.data, np.uint64(derive(self._seed, self._views, number, index))
            )
            sample.append((row, float(weights[index // futures]) / futures))
        return sample

    def _unfinished(self, actions: int) -> WeightedMeans:
        """Return the values found so far in the first world, before its search is over."""
        means = WeightedMeans(actions)
        if self._agenda is not None:
            means.add(self._ahead.values(), 1.0)
        return means


class WeightedMeans:
    """The mean value of each action over the worlds in which it was tried."""

    def __init__(self, actions: int) -> None:
        self._weights, self._sums, self._squares = [0.0] * actions, [0.0] * actions, [0.0] * actions
        self.count = 0

    def add(self, values: Mapping[int, float], weight: float) -> None:
        """Add the values of actions in one world."""
        self.count += 1
        for action, value in values.items():
            self._weights[action] += weight
            self._sums[action] += weight * value
            self._squares[action] += weight * value * value

    @property
    def values(self) -> tuple[float | None, ...]:
        """Return the mean value of each action, or None for an action that was never tried."""
        return tuple(
            total / weight if weight else None
            for total, weight in zip(self._sums, self._weights, strict=True)
        )

    @property
    def spread(self) -> tuple[float | None, ...]:
        """Return the standard deviation of each action's value over worlds, or None if untried."""
        pairs = zip(self._squares, self._weights, self.values, strict=True)
        return tuple(
            None if mean is None else math.sqrt(max(0.0, square / weight - mean * mean))
            for square, weight, mean in pairs
        )
