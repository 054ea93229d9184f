"""Plan tournament: the most promising turns, tried in the same worlds with the same luck until one
is left.

Our own combination of known parts: all results of the turn, merged (as in `whole-turns`); a rollout
algorithm that improves on the turns that an evaluator would make (Tesauro and Galperin 1996);
common worlds for all plans; sequential halving (Karnin, Koren and Somekh 2013).

Needs: an evaluator that judges positions between turns well. Luck need not be enumerable: it is
drawn as in play.
Cannot: see what the evaluator's turns never do. Where something is hidden, players go on as if they
saw the world that is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, rows
from plyglass.core.world import View
from plyglass.planners.plan_tournament.simulation import try_plan, try_plan_by_playouts
from plyglass.search.interface import LiveBelief
from plyglass.search.mcts.playout import TO_THE_END, Playout
from plyglass.search.mcts.workspace import Workspace
from plyglass.search.turn_results.planned_turn import PlannedTurn, Step, refuse_endless
from plyglass.search.turn_results.workspace import PLAN_LENGTH, Terms
from plyglass.search.turn_tree.workspace import refuse_less

LEAST = {
    "plans": 2,
    "sources": 1,
    "turns": 0,
    "worlds": 1,
    "answers": 0,
    "beam": 0,
    "draws": 0,
    "replies": 0,
    "room": 2,
}


@dataclass(frozen=True)
class PlanTournament:
    """The most promising turns, tried in the same worlds.

    Attributes:
        plans: how many turns take part, the best by the evaluator.
        sources: in how many worlds plans are looked for, each of which gives as many; more than one
            where what is hidden changes what a turn can do.
        turns: how many turns are made after a plan before the evaluator judges the position.
        deepening: whether the first round makes one turn only, and each round after it one more.
        worlds: in how many worlds every plan of the first round is tried; twice as many in the
            next, with half of the plans.
        answers: how many of the best turns to come are kept in a first round, to be tried alone in
            the next ones; 0 to look at all turns in every world. For games with the rule `after`,
            and worth it where a turn has many results.
        evaluator: what judges positions and makes turns: a name of the game's, "" for its first,
            "score" for the score so far.
        actions: "all", or "preferred" for those that the game recommends.
        judged: who judges what a plan comes to: the "evaluator" after so many turns, or "playouts",
            which go on at once.
        playout: how these play on; the turn of the plan is the first of its turns.
        beam: how many positions within a turn are looked beyond after each action, the best by the
            evaluator; 0 for all. For games whose turns have too many positions.
        ranked: how the beam ranks positions: "judged" by the evaluator as they are, or "completed"
            by the best action each time, which costs more and sees what an action prepares.
        draws: how often luck is drawn for each action that it adds something to, as a new card,
            before a turn is planned; the turn begins with the one by which it gains most, if any. 0
            for not at all. For games with the rule `after`.
        aim: a further evaluator of the game, which says how near a win in this turn is; a turn that
            wins is looked for by it first.
        replies: the beam of turns that follow a plan, ranked as they are judged; 0 for the same as
            in the plan's own turn.
        idle: whether the seat does nothing in the turns that follow, so that others have theirs in
            a row: a plan is judged by what it leaves them to do (counterplay, document 000 section
            2.7).
        room: positions of one turn, at most.
    """

    plans: int = 16
    sources: int = 1
    turns: int = 4
    deepening: bool = False
    worlds: int = 16
    answers: int = 0
    evaluator: str = ""
    actions: Literal["all", "preferred"] = "all"
    judged: Literal["evaluator", "playouts"] = "evaluator"
    playout: Playout = TO_THE_END
    beam: int = 0
    ranked: Literal["judged", "completed"] = "judged"
    draws: int = 0
    aim: str = ""
    replies: int = 0
    idle: bool = False
    room: int = 1 << 15

    name: ClassVar[str] = "plan-tournament"

    def __post_init__(self) -> None:
        refuse_other("actions", self.actions, ("all", "preferred"))
        refuse_other("ranked", self.ranked, ("judged", "completed"))
        refuse_other("judged", self.judged, ("evaluator", "playouts"))
        if self.judged == "evaluator" and self.playout != TO_THE_END:
            raise ValueError(
                "A playout was given, but the evaluator judges; say judged=playouts, or leave out "
                "the playout."
            )
        if self.judged == "playouts" and (self.answers or self.deepening):
            raise ValueError(
                "Playouts go on by a policy, not by the best turns; leave out `answers` and "
                "`deepening`."
            )
        for name, least in LEAST.items():
            refuse_less(name, getattr(self, name), least)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TournamentSearch:
        refuse_endless(game)
        if self.answers and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so that turns cannot be judged before luck; "
                "leave out `answers`."
            )
        if self.draws and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so that nothing is known of what luck adds to; "
                "leave out `draws`."
            )
        if self.judged == "playouts" and game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, and what a plan earns itself is not part of a "
                "playout; use judged=evaluator."
            )
        terms = Terms(
            1,
            self.evaluator,
            self.actions,
            "averaged",
            0,
            self.room,
            2,
            self.beam,
            self.ranked,
            self.draws,
            self.aim,
        )
        return TournamentSearch(
            terms,
            game,
            seat,
            belief,
            plans=self.plans,
            sources=self.sources,
            turns=self.turns,
            deepening=self.deepening,
            worlds=self.worlds,
            answers=self.answers,
            replies=self.replies,
            idle=self.idle,
            playouts=Workspace(game, seed, 0.0, "raw", self.playout)
            if self.judged == "playouts"
            else None,
            luck=derive(seed, 0),
        )


# A tournament of plans: the most promising turns are played in the same worlds, and the worse
# half drops out, again and again.
#
# A plan is the sequence of actions that leads to a result of the turn. In each world the plan is
# carried out, players go on with the best turns that the evaluator knows, and what is reached is
# judged. Every plan meets the same worlds with the same luck, so that worlds do not blur the
# difference between plans (common random numbers). Halves are dropped as in sequential halving
# (Karnin, Koren and Somekh 2013): a plan that is still there is tried twice as often as in the
# round before.
#
# Where a game says what an action comes to before luck (the rule `after`), the last turn is
# judged there. All plans can be judged a turn ahead and only those that are left further ahead
# (`deepening`): that many plans are worse than others is soon seen.
#
# Where playouts judge, players go on by a policy in place of the best turns: a trial is cheaper
# and says less.
#
# A tournament that a decision has no time to end goes on at the next one of the turn, with those
# plans that begin as it was played.


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
