"""EPIMC: extended perfect-information Monte Carlo, where worlds become known after some actions.

Arjonilla, Saffidine and Cazenave 2024 (arXiv 2408.02380), "Perfect Information Monte Carlo with
Postponing Reasoning":

    worlds <- sample(N)
    value(worlds, k): sum over groups of worlds that look alike to the player to move of
                      the best over their actions a of  value(worlds of the group after a, k - 1)
    value(worlds, 0): sum over the worlds of a world's value if this world is known

The value of an action is value(worlds after the action, postponed - 1). `postponed=1` is hindsight
optimisation. With `postponed=2` or more, an action that reveals something can have a higher value
than an action that reveals nothing. In a one-player game, a larger `postponed` makes values less
optimistic.

Needs: the same as `Hindsight`.

`EPIMC` cannot bluff, or see a benefit of information more than `postponed` actions ahead. The other
players respond to a single action of the seat, not to its strategy. Once others have moved, the
search lets the seat distinguish worlds that only these other players could distinguish. Each
further postponed action multiplies the cost by the number of actions.

Differs from the paper:
- Later chance is foreseen in each world, as in `Hindsight`. While several worlds share a choice, no
  player acts on chance outcomes that they have not seen.
- Minimax over groups of worlds makes the shared choices. The paper uses a solver for games of
  imperfect information.
- A look-ahead to a horizon judges known worlds. The paper uses rollouts or a solver for the whole
  game.
- The search is anytime. The search starts with hindsight optimisation, deepened step by step up to
  the horizon. Then each further search postpones one more action than the search before. The
  decision uses the last search that was completed. An iteration is one position reached.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.core.state import Bytes
from plyglass.planners.epimc.world_groups import Group, GroupLookahead, groups_in
from plyglass.search.expectimax.frames import FORESEEN, FOREVER, Terms
from plyglass.search.expectimax.lookahead import Results
from plyglass.search.expectimax.search import ExhaustiveSearch, Sampling, WeightedMeans
from plyglass.search.interface import LiveBelief
from plyglass.search.values import TIES, Ties


@dataclass(frozen=True)
class EPIMC:
    """Perfect-information Monte Carlo in which worlds become known only after some actions.

    Attributes:
        worlds: the number of worlds to sample, each with its own random seed.
        postponed: the number of actions, including the next one, for which worlds that look alike
            share a choice.
        horizon: the number of actions to plan after the first, or "end" to plan to the end of the
            game.
        evaluator: the evaluator that judges the end of a plan: "score" for the score so far, the
            name of an evaluator, or "" for the game's first evaluator.
        costs: whether scores never rise, so the search can drop a plan once its cost reaches that
            of the best plan.
        memory: the number of positions to remember; 0 for none.
        ties: which of several equally good actions to play: the "first", the "last", or "uniform"
            for a random one. Actions count as equally good only if earlier, less complete searches
            also give them equal values.
    """

    worlds: int = 30
    postponed: int = 2
    horizon: int | Literal["end"] = 5
    evaluator: str = "score"
    costs: bool = False
    memory: int = 1 << 14
    ties: Ties = "first"

    name: ClassVar[str] = "epimc"

    def __post_init__(self) -> None:
        if self.postponed < 1:
            raise ValueError(
                f"postponed={self.postponed} is not possible: the action to decide on is always "
                "common to all worlds; give 1 or more."
            )
        refuse_other("ties", self.ties, TIES)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> PostponedSearch:
        terms = Terms(
            depth=None if self.horizon == "end" else self.horizon + 1,
            evaluator=self.evaluator,
            pruning="alpha-beta" if game.discount == 1.0 else "none",
            luck=FORESEEN,
            costs=self.costs,
            memory=self.memory,
        )
        return PostponedSearch(
            self.postponed, terms, self.worlds, game, seat, belief, seed, ties=self.ties
        )


Values = Generator[None, None, Results]  # yields before each look-ahead, which the caller runs


class PostponedSearch(ExhaustiveSearch):
    """An EPIMC search of one seat in one match.

        values(group, 1) = each action's value in each world, by a look-ahead as if the world
                           were known
        values(group, k) = each action's value in each world, if the player to move after the
                           action plays, in all worlds that look alike to this player, the
                           action that is best on average by values(those worlds, k - 1)

    The search begins without postponed actions and deepens step by step. Then each further search
    postpones one more action than the search before. If a world looks like no other, the player to
    move knows this world, so nothing is postponed there. Once the players to move know all worlds,
    the search is over.
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
        self._fused = False  # whether worlds that look alike were searched as if they were known

    def _sample(self, number: int) -> list[tuple[Bytes, float]]:
        self._sampled = super()._sample(number)
        self._groups.hold([row for row, _ in self._sampled], self._postponed)
        return self._sampled

    def _looks(self) -> Iterator[None]:
        yield from super()._looks()
        self._weights = np.array([weight for _, weight in self._sampled])
        self._fused = len(self._sampled) > 1
        for common in range(2, self._postponed + 1):
            if not self._fused:
                return
            self._fused = False
            values = yield from self._action_values(0, np.arange(len(self._sampled)), common)
            self._means.append(self._means_of(values))

    def _action_values(self, level: int, group: Group, common: int) -> Values:
        """Return the values (worlds, actions, width) if the first `common` choices are shared."""
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
        """Return the values of a group's worlds after an action, with shape (worlds, width)."""
        self._groups.begin_step(level, group, action)
        yield
        after = self._groups.levels[level + 1]
        for mover, part in groups_in(after, group):
            values = yield from self._action_values(level + 1, part, common)
            after.values[part] = values[:, self._choice(mover, part, values)]
        return after.earned[group] + self._game.discount * after.values[group]

    def _choice(self, mover: int, group: Group, values: Results) -> int:
        """Return the action that is best for the player to move, on average over the group."""
        judge, sign = self._groups.aim(mover)
        return int(np.argmax(sign * (self._weights[group, None] * values[:, :, judge]).sum(axis=0)))

    def _means_of(self, values: Results) -> WeightedMeans:
        """Return the mean values of the root actions."""
        means, (judge, _) = WeightedMeans(values.shape[1]), self._groups.aim(self._seat)
        for of_world, weight in zip(
            values[:, :, judge].tolist(), self._weights.tolist(), strict=True
        ):
            means.add(dict(enumerate(of_world)), weight)
        return means
