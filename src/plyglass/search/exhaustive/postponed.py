"""Postponed clairvoyance: first actions that are common to worlds that look alike, and a look-ahead
in each world only after these.

    values(group, 1) = what each action is worth in each world, by a look-ahead as if the world were
    known values(group, k) = the same by one step: whoever moves after an action plays, in all
    worlds that look alike to him, what is best for him on average by values(those worlds, k - 1)

It begins with looks that postpone nothing, one step further each time, and then postpones by one
action more each time. The decision rests on the last look that was completed. A world that looks
like no other is known to who moves, so nothing is postponed there; once that holds for all groups,
the search is over.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from plyglass.core.game import Game
from plyglass.core.state import Bytes
from plyglass.search.belief import LiveBelief
from plyglass.search.choice import Ties
from plyglass.search.exhaustive.frames import FOREVER, Terms
from plyglass.search.exhaustive.groups import Group, GroupLookahead, groups_in
from plyglass.search.exhaustive.lookahead import Results
from plyglass.search.exhaustive.search import ExhaustiveSearch, Sampling
from plyglass.search.mean import WeightedMeans

Values = Generator[None, None, Results]  # values, once all looks that they rest on are carried out


class PostponedSearch(ExhaustiveSearch):
    """A search of one seat in one match that postpones clairvoyance for `postponed` actions;
    luck is foreseen.
    """

    def __init__(
        self,
        postponed: int,
        terms: Terms,
        worlds: int,
        game: Game,
        seat: int,
        belief: LiveBelief,
        seed: int,
        *,
        ties: Ties,
    ) -> None:
        super().__init__(
            terms, Sampling(worlds), game, seat, belief, seed, deepening=True, ties=ties
        )
        self._ahead = self._groups = GroupLookahead(game, seat, terms)
        self._postponed = postponed if terms.depth is None else min(postponed, terms.depth)
        self._fused = False  # whether worlds that look alike were looked into as if they were known

    def _sample(self, number: int) -> list[tuple[Bytes, float]]:
        self._sampled = super()._sample(number)
        return self._sampled

    def _looks(self) -> Iterator[None]:
        yield from super()._looks()
        self._weights = np.array([weight for _, weight in self._sampled])
        self._groups.hold([row for row, _ in self._sampled], self._postponed)
        self._fused = len(self._sampled) > 1
        for common in range(2, self._postponed + 1):
            if not self._fused:
                return
            self._fused = False
            values = yield from self._action_values(0, np.arange(len(self._sampled)), common)
            self._means.append(self._means_of(values))

    def _action_values(self, level: int, group: Group, common: int) -> Values:
        """(worlds, actions, width): what each action is worth in each world, if so many choices
        are common, this one included.
        """
        if common == 1 or len(group) == 1:
            self._fused = self._fused or len(group) > 1
            depth = self._terms.depth
            self._groups.begin_look(level, group, FOREVER if depth is None else depth - level)
            yield
            return self._groups.found()
        values = []
        for action in self._groups.legal(level, group):
            after = yield from self._values_after(level, group, action, common - 1)
            values.append(after)
        return np.stack(values, axis=1)

    def _values_after(self, level: int, group: Group, action: int, common: int) -> Values:
        """(worlds, width): what the worlds of a group are worth after an action."""
        self._groups.begin_step(level, group, action)
        yield
        after = self._groups.levels[level + 1]
        for mover, part in groups_in(after, group):
            values = yield from self._action_values(level + 1, part, common)
            after.values[part] = values[:, self._choice(mover, part, values)]
        return after.earned[group] + self._game.discount * after.values[group]

    def _choice(self, mover: int, group: Group, values: Results) -> int:
        """The action that is best on average for who moves."""
        judge, sign = self._groups.aim(mover)
        return int(np.argmax(sign * (self._weights[group, None] * values[:, :, judge]).sum(axis=0)))

    def _means_of(self, values: Results) -> WeightedMeans:
        """The means of the actions at the root."""
        means, (judge, _) = WeightedMeans(values.shape[1]), self._groups.aim(self._seat)
        for of_world, weight in zip(
            values[:, :, judge].tolist(), self._weights.tolist(), strict=True
        ):
            means.add(dict(enumerate(of_world)), weight)
        return means
