"""A tournament of plans: the most promising turns are played in the same worlds, and the worse half
drops out, again and again.

A plan is the sequence of actions that leads to a result of the turn. In each world the plan is
carried out, players go on with the best turns that the evaluator knows, and what is reached is
judged. Every plan meets the same worlds with the same luck, so that worlds do not blur the
difference between plans (common random numbers). Halves are dropped as in sequential halving
(Karnin, Koren and Somekh 2013): a plan that is still there is tried twice as often as in the round
before.

Where a game says what an action comes to before luck (the rule `after`), the last turn is judged
there. All plans can be judged a turn ahead and only those that are left further ahead
(`deepening`): that many plans are worse than others is soon seen.

Where playouts judge, players go on by a policy in place of the best turns: a trial is cheaper and
says less.

A tournament that a decision has no time to end goes on at the next one of the turn, with those
plans that begin as it was played.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, rows
from plyglass.core.world import View
from plyglass.search.belief import LiveBelief
from plyglass.search.whole_turns.planned import PlannedTurn, Step
from plyglass.search.whole_turns.pools import PLAN_LENGTH, Terms
from plyglass.search.whole_turns.trials import try_plan, try_plan_by_playouts
from plyglass.search.workspace import Workspace

BATCH = 8  # worlds in which a plan is tried at a time, at most
MORE = 4  # times as many worlds as those in which answers were noted


class TournamentSearch(PlannedTurn):
    """A tournament of plans for one seat in one match. An iteration is one plan carried out in
    one world.
    """

    def __init__(
        self,
        terms: Terms,
        game: Game,
        seat: int,
        belief: LiveBelief,
        *,
        plans: int,
        sources: int,
        turns: int,
        deepening: bool,
        worlds: int,
        answers: int,
        replies: int,
        idle: bool,
        playouts: Workspace | None,
        luck: int,
    ) -> None:
        self._batch = min(BATCH, worlds)
        super().__init__(terms, game, seat, belief, most=self._batch)
        self._plans, self._turns, self._worlds_first, self._most_answers = (
            plans,
            turns,
            worlds,
            answers,
        )
        self._sources, self._replies, self._idle = sources, replies, idle
        self._turns_first = min(1, turns) if deepening else turns
        self._worlds = rows(self._batch + 1, game.state)
        self._playouts, self._luck, self._tried = playouts, luck, 0
        self._left: list[int] = []  # the numbers of the plans that are left

    def observe(self, own_action: int | None, view: View) -> None:
        super().observe(own_action, view)
        if self._plan and len(self._left) > 1:
            self._go_on(own_action)

    def _begin_search(self) -> None:
        self._look_by_terms()
        sources = self._belief.support(self._sources)[0]
        self._world = sources[0]
        if self._wins() or self._gambles():
            return
        self._candidates = self._plans_from(sources[: self._sources])
        self._look_for_replies()
        count = len(self._candidates)
        self._answers = np.zeros(
            (count, max(1, self._turns), self._most_answers + 1, PLAN_LENGTH + 1), np.int32
        )
        self._left, self._round = (
            list(range(count)),
            self._worlds_first * (MORE if self._most_answers else 1),
        )
        self._ahead, self._known = self._turns_first, 0
        self._begin_round()
        self._plan = list(self._candidates[0])
        self._play_rounds()

    def _plans_from(self, sources: Bytes) -> list[list[Step]]:
        """The best plans by the evaluator, as many from each of these worlds; of those with the
        same actions the first.
        """
        found: dict[tuple[int, ...], list[Step]] = {}
        for source in sources:
            self._world = source
            self._look_from(1)
            self._refuse_fault()
            values = self._places["value"]
            for place in sorted(self._ends(), key=lambda place: -values[place])[
                : -(-self._plans // len(sources))
            ]:
                plan = self._path(place)
                found.setdefault(tuple(action for action, _ in plan), plan)
        return list(found.values())

    def _look_by_terms(self) -> None:
        self._look["beam"], self._look["completed"] = (
            self._terms.beam,
            self._terms.ranked == "completed",
        )
        self._look["draws"] = self._terms.draws

    def _look_for_replies(self) -> None:
        """From here on turns are those that follow a plan, for which less is looked at if so
        wished.
        """
        if self._replies:
            self._look["beam"], self._look["completed"], self._look["draws"] = (
                self._replies,
                False,
                0,
            )

    def _go_on(self, own_action: int | None) -> None:
        """Go on with the plans that begin with what was played, from where they now are."""
        self._left = [
            number for number in self._left if self._candidates[number][0][0] == own_action
        ]
        for number in self._left:
            self._candidates[number] = self._candidates[number][1:]
        self._begun = True
        self._play_rounds()

    def _play_rounds(self) -> None:
        self._tried, self._luck = 0, derive(self._luck, 0)
        self._agenda = self._rounds()
        self._over = len(self._left) == 1

    def _grow(self, done: int, count: int) -> None:
        reached = self._tried + count
        while self._tried < reached and not self._over:
            self._over = bool(next(self._agenda, True))

    def _effort(self) -> tuple[int, int]:
        return self._tried, self._tried

    def _begin_round(self) -> None:
        """Count from the beginning; with answers that are not noted yet, first of all in a few
        worlds.
        """
        self._totals, self._counted = np.zeros(len(self._candidates)), 0
        self._noted = (
            -(-self._most_answers // self._worlds_first) if self._known < self._ahead else 0
        )
        self._goal = self._worlds_first if self._noted else self._round

    def _rounds(self) -> Iterator[None]:
        """Try all plans that are left, each in the same worlds, and drop the worse half; stops
        after every batch of worlds for one plan.

        With answers there is a round before, world by world, in which they are noted and no plan is
        dropped.
        """
        while len(self._left) > 1:
            while self._counted < self._goal:
                yield from self._try_all(1 if self._noted else self._batch)
            if self._noted:
                self._known, self._noted = self._ahead, 0
                self._goal = self._counted + self._round
            else:
                self._left = self._by_worth()[: -(-len(self._left) // 2)]
                self._round *= 2
                self._look_further()

    def _look_further(self) -> None:
        """Go on to the next round, a turn further ahead if that is wanted."""
        if self._ahead < self._turns:
            self._ahead += 1
            self._begin_round()
        else:
            self._goal = self._counted + self._round

    def _try_all(self, count: int) -> Iterator[None]:
        """Try all plans that are left in the same new worlds."""
        worlds, values = self._worlds[-count - 1 :], np.zeros(len(self._totals))
        self._belief.sample(worlds[:-1])
        for number in self._left:
            values[number] = self._try(number, worlds)
            yield
        self._totals += values
        self._counted += count
        self._note()

    def _try(self, number: int, worlds: Bytes) -> float:
        pools, plan = (
            self._pools,
            np.array([action for action, _ in self._candidates[number]], np.int64),
        )
        self._tried += len(worlds) - 1
        if self._playouts is not None:
            luck = np.uint64(derive(self._luck, 1 + self._counted))
            return float(
                try_plan_by_playouts(
                    self._game.table, self._playouts.work, worlds[:-1], self._seat, plan, luck
                )
            )
        return float(
            try_plan(
                self._game.table, pools.look, pools.levels, pools.places, pools.slots, worlds,
                self._seat, plan, self._ahead, self._idle,
                self._answers[number], self._known, self._noted,
            )
        )  # fmt: skip

    def _by_worth(self) -> list[int]:
        """The plans that are left, the best first."""
        return sorted(self._left, key=lambda number: -self._totals[number])

    def _note(self) -> None:
        """The best plan so far, and what each action is worth by the best plan that is left and
        begins with it.
        """
        order = self._by_worth()
        self._plan = list(self._candidates[order[0]])
        for number in reversed(order):
            self._values[self._candidates[number][0][0]] = float(
                self._totals[number] / self._counted
            )
