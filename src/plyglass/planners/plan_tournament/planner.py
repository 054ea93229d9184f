"""Plan Tournament: simulate the most promising turns in the same worlds until one turn is left.

    plans = the best results of the turn by the evaluator, each as a sequence of actions
    until one plan is left:
        in `worlds` worlds of the belief (in each later round, twice as many as before):
            simulate every plan that is left, with the same chance
        drop the worse half
    play the plan that is left

Plan Tournament is our own combination of four known parts. First, equal results of a turn are
merged, as in `whole-turns`. Second, rollouts improve on an evaluator's turns (Tesauro and Galperin
1996). Third, all plans share common random numbers, so chance adds little noise to the difference
between plans. Fourth, plans are dropped by sequential halving (Karnin, Koren and Somekh 2013). A
simulation plays the plan, and then each player's best turns by the evaluator. At the end, it judges
the final position. With `deepening`, the first round simulates one turn after the plan, and each
later round simulates one turn more than the round before.

Needs: an evaluator that judges positions between turns well. Chance is sampled, so it need not be
enumerable.

`PlanTournament` cannot find an action that is missing from all turns that the evaluator selects. In
a game with hidden information, simulated players act as if they saw the simulated world.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, new_states
from plyglass.core.world import View
from plyglass.planners.plan_tournament.simulation import (
    EVALUATED,
    FollowUp,
    Simulation,
    simulate_by_playouts,
    simulate_plan,
)
from plyglass.search.interface import LiveBelief
from plyglass.search.mcts.workspace import Workspace
from plyglass.search.turn_results.planned_turn import PlannedTurn, Step
from plyglass.search.turn_results.workspace import (
    EVERY_RESULT,
    PLAN_LENGTH,
    Terms,
    TurnEnumeration,
)

BATCH = 8  # the most worlds in which a plan is simulated at a time
MORE = 4  # with kept answers, a round has this many worlds for each world that collects answers


@dataclass(frozen=True)
class PlanTournament:
    """A tournament of the most promising turns, simulated in the same worlds.

    Attributes:
        plans: the number of turns that take part, namely those that the evaluator ranks best.
        sources: the number of worlds in which plans are found, with equally many plans from each
            world. More than one world helps if hidden information changes what a turn can do.
        worlds: the number of worlds in which the first round simulates every plan. Each later round
            has half as many plans and twice as many worlds as the round before.
        turns: the number of turns simulated after a plan before the position is judged.
        deepening: whether the first round simulates one turn after the plan, and each later round
            simulates one turn more than the round before. Otherwise, every round simulates `turns`
            turns.
        evaluator: the evaluator that judges positions and chooses turns: the name of an evaluator
            of the game, "" for the game's first evaluator, or "score" for the score so far.
        turn: the parameters of enumerating the results of a turn.
        simulation: the parameters of simulating a plan.
    """

    plans: int = 16
    sources: int = 1
    worlds: int = 16
    turns: int = 4
    deepening: bool = False
    evaluator: str = ""
    turn: TurnEnumeration = EVERY_RESULT
    simulation: Simulation = EVALUATED

    name: ClassVar[str] = "plan-tournament"
    moved: ClassVar[Mapping[str, str]] = {
        "actions": "turn.actions",
        "beam": "turn.beam",
        "ranked": "turn.ranked",
        "draws": "turn.draws",
        "aim": "turn.aim",
        "room": "turn.room",
        "judged": "simulation.judged",
        "playout": "simulation.playout",
        "answers": "simulation.answers",
        "replies": "simulation.replies",
        "idle": "simulation.idle",
    }

    def __post_init__(self) -> None:
        refuse_less("plans", self.plans, 2)
        refuse_less("sources", self.sources, 1)
        refuse_less("worlds", self.worlds, 1)
        refuse_less("turns", self.turns, 0)
        if self.simulation.judged == "playouts" and self.deepening:
            raise ValueError("Playouts follow a policy, not the best turns; leave out `deepening`.")

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TournamentSearch:
        self.turn.refuse(game)
        self.simulation.refuse(game)
        return TournamentSearch(self, game, seat, belief, seed)


class TournamentSearch(PlannedTurn):
    """A tournament of plans for one seat in one match.

    An iteration is one plan simulated in one world. If the time is too short to finish a
    tournament, the tournament continues at the next decision of the turn. Then only the plans that
    begin with the played actions take part.
    """

    def __init__(
        self, planner: PlanTournament, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        self._batch = min(BATCH, planner.worlds)
        terms = Terms(planner.evaluator, planner.turn)
        super().__init__(terms, game, seat, belief, most=self._batch)
        self._planner, self._simulation = planner, planner.simulation
        self._worlds = new_states(self._batch + 1, game.state)  # the last row is scratch memory
        self._luck, self._simulated = derive(seed, 0), 0
        self._left: list[int] = []  # the numbers of the plans that are left
        if self._simulation.judged == "playouts":
            self._playouts = Workspace(game, seed, 0.0, "raw", self._simulation.playout)

    def observe(self, own_action: int | None, view: View) -> None:
        super().observe(own_action, view)
        if self._plan and len(self._left) > 1:
            self._continue(own_action)

    # The plans

    def _first_world(self) -> Bytes:
        self._left = []
        self._enumerate_own_turn()
        sources = self._planner.sources
        self._sources = self._belief.support(sources)[0][:sources]
        first: Bytes = self._sources[0]
        return first

    def _begin_search(self) -> None:
        if self._begins_at_once():
            return
        self._candidates = self._best_plans(self._sources)
        if not self._candidates:
            self._answer_by_results()
            return
        self._enumerate_replies()
        self._begin_tournament()
        self._plan = list(self._candidates[0])
        self._begin_decision()

    def _best_plans(self, sources: Bytes) -> list[list[Step]]:
        """Return the best plans by the evaluator, equally many from each world, without duplicates.

        The list is empty if the time runs out before the search has found the results of the turn
        in the first world.
        """
        share = -(-self._planner.plans // len(sources))
        found: dict[tuple[int, ...], list[Step]] = {}
        for source in sources:
            self._world = source
            self._find_results(1)
            if self._clock.stopped:
                break
            self._refuse_fault()
            for place in self._best_ends()[:share]:
                if found and self._clock.late():
                    break
                plan = self._path(place)
                found.setdefault(tuple(action for action, _ in plan), plan)
        return list(found.values())

    def _enumerate_own_turn(self) -> None:
        turn = self._planner.turn
        self._look["beam"], self._look["completed"] = turn.beam, turn.ranked == "completed"
        self._look["draws"] = turn.draws

    def _enumerate_replies(self) -> None:
        """Set how the turns that follow a plan are enumerated, perhaps with a narrower beam."""
        if self._simulation.replies:
            self._look["beam"], self._look["completed"] = self._simulation.replies, False
            self._look["draws"] = 0

    # The tournament

    def _begin_tournament(self) -> None:
        planner, answers = self._planner, self._simulation.answers
        count = len(self._candidates)
        self._left = list(range(count))
        self._round = planner.worlds * (MORE if answers else 1)  # worlds that a round adds
        self._ahead = min(1, planner.turns) if planner.deepening else planner.turns
        self._answered = 0  # turns ahead for which answers are known
        shape = count, max(1, planner.turns), answers + 1, PLAN_LENGTH + 1
        self._answers = np.zeros(shape, np.int32)
        self._count_anew()

    def _count_anew(self) -> None:
        """Reset the sums of values.

        If answers are unknown, collect answers in a few worlds first.
        """
        worlds = self._planner.worlds
        self._totals, self._counted = np.zeros(len(self._candidates)), 0
        unknown = self._answered < self._ahead
        self._kept = -(-self._simulation.answers // worlds) if unknown else 0
        self._goal = worlds if self._kept else self._round  # the number of worlds to reach

    def _rounds(self) -> Iterator[None]:
        """Run sequential halving; yield whenever a plan was simulated in a batch of worlds.

        If answers are kept, the first worlds only collect answers, one world at a time, and no plan
        is dropped.
        """
        while len(self._left) > 1:
            while self._counted < self._goal:
                yield from self._simulate_all(1 if self._kept else self._batch)
                if self._clock.stopped:
                    return
            if self._kept:
                self._answered, self._kept = self._ahead, 0
                self._goal = self._counted + self._round
            else:
                self._drop_worse_half()

    def _drop_worse_half(self) -> None:
        """Begin the next round with half of the plans and twice the worlds."""
        self._left = self._ranking()[: -(-len(self._left) // 2)]
        self._round *= 2
        if self._ahead < self._planner.turns:
            self._ahead += 1
            self._count_anew()
        else:
            self._goal = self._counted + self._round

    def _simulate_all(self, count: int) -> Iterator[None]:
        """Simulate all remaining plans in the same new worlds.

        If the time runs out, these simulations do not count.
        """
        worlds, values = self._worlds[-count - 1 :], np.zeros(len(self._totals))
        self._belief.sample(worlds[:-1])
        for number in self._left:
            values[number] = self._simulate(number, worlds)
            if self._clock.stopped:
                return
            yield
        self._totals += values
        self._counted += count
        self._decide()

    def _simulate(self, number: int, worlds: Bytes) -> float:
        """Return the sum of a plan's values over worlds."""
        plan = np.array([action for action, _ in self._candidates[number]], np.int64)
        table, seat = self._game.table, self._seat
        self._simulated += len(worlds) - 1
        if self._simulation.judged == "playouts":
            luck = np.uint64(derive(self._luck, 1 + self._counted))
            work, clock = self._playouts.work, self._clock.search
            return float(simulate_by_playouts(table, work, worlds[:-1], seat, plan, luck, clock))
        follow_up = FollowUp(
            self._ahead, self._simulation.idle, self._answers[number], self._answered, self._kept
        )
        return float(simulate_plan(table, self._pools.memory, worlds, seat, plan, follow_up))

    def _ranking(self) -> list[int]:
        """Return the remaining plans, the best first."""
        return sorted(self._left, key=lambda number: -self._totals[number])

    # The decision

    def _decide(self) -> None:
        """Take the best plan so far; each first action gets its best remaining plan's value."""
        order = self._ranking()
        self._plan = list(self._candidates[order[0]])
        for number in reversed(order):
            first_action = self._candidates[number][0][0]
            self._values[first_action] = float(self._totals[number] / self._counted)

    def _continue(self, own_action: int | None) -> None:
        """Continue the tournament with the plans that begin with the played actions.

        A plan that expected the turn to end here drops out, because the turn goes on.
        """
        self._left = [
            number
            for number in self._left
            if self._candidates[number][0][0] == own_action and len(self._candidates[number]) > 1
        ]
        for number in self._left:
            self._candidates[number] = self._candidates[number][1:]
        self._begun, self._anew = True, False
        self._begin_decision()

    def _begin_decision(self) -> None:
        self._simulated, self._luck = 0, derive(self._luck, 0)
        self._agenda = self._rounds()
        self._over = len(self._left) == 1

    def _grow(self, done: int, count: int) -> None:
        goal = self._simulated + count
        while self._simulated < goal and not self._over:
            ended = bool(next(self._agenda, True))
            if self._clock.stopped:
                self._agenda = self._rounds()  # drop the simulations in progress
                return
            self._over = ended

    def _effort(self) -> tuple[int, int]:
        return self._simulated, self._simulated
