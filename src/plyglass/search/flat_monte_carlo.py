"""Flat Monte Carlo tries every action once per round, in the same world with the same chance.

Planners without a tree use this search.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.verbs import step
from plyglass.core.world import View
from plyglass.search.clock import late
from plyglass.search.interface import Budget, Decision, LiveBelief, Search, Spent, run_in_slices
from plyglass.search.numbered_worlds import Worlds
from plyglass.search.turn_tree.iteration import place_world
from plyglass.search.turn_tree.plies import play_plies
from plyglass.search.turn_tree.workspace import TurnOptions, TurnSpace
from plyglass.search.values import best_of, chosen_of, judge

SLICE = 64  # the most rounds in a slice

Trial = np.dtype(
    [
        ("total", np.float64),  # sum of the values
        ("squares", np.float64),  # sum of the squared values
        ("best", np.float64),  # the highest value
        ("rounds", np.int64),  # the number of values, one per round
        ("now", np.float64),  # the value in the round in progress
        ("action", np.int64),
    ],
    align=True,
)


@dataclass(frozen=True)
class Trials:
    """The parameters of a flat Monte Carlo search.

    Attributes:
        options: how plies are played, and which evaluator judges the final position of a trial.
        plies: the number of plies that a trial plays to the end. With 0, the position right after
            the action is judged.
        keep: whether an action counts by its "mean" value over rounds or by its "best" value.
        most_rounds: the largest number of rounds of a decision; None for no limit.
    """

    options: TurnOptions
    plies: int
    keep: Literal["mean", "best"]
    most_rounds: int | None = None


class TrialSearch(Search):
    """A flat Monte Carlo search of one seat in one match; an iteration is a round.

    If the time runs out during a round, the round does not count. If the time runs out during the
    first round, only the actions tried so far are compared.

    The search plays the action with the highest mean value or best value, as `Trials.keep` says.
    Ties are broken at random.
    """

    def __init__(
        self, trials: Trials, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        self._how, self._game, self._belief = trials, game, belief
        self._worlds = Worlds(game, belief)
        self._space = TurnSpace(game, seed, trials.options, belief.clock)
        self._space.work[0].mover = seat
        self._trials: Any = None
        self._spent, self._rounds, self._judged = Spent(), 0, 0

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._worlds.forget(view)
        self._spent, self._rounds = Spent(), 0
        actions = view.legal()
        self._trials = np.zeros(len(actions), Trial).view(np.recarray)
        self._trials.action, self._trials.best = actions, -np.inf
        work = self._space.work[0]
        work.luck, self._judged = next_word(int(work.stream)), int(work.evaluated)

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        run_in_slices(
            self._grow,
            self._spent,
            budget,
            SLICE,
            cancelled,
            clock=self._belief.clock,
            finished=self._finished,
        )

    def decision(self) -> Decision:
        values = [_value(trial, self._how.keep) for trial in self._trials]
        best = chosen_of(best_of([values], 1.0), "uniform", int(self._space.work[0].luck))
        return Decision(
            action=int(self._trials[best].action),
            actions=tuple(int(action) for action in self._trials.action),
            values=tuple(values),
            visits=tuple(int(rounds) for rounds in self._trials.rounds),
            spread=tuple(_spread(trial) for trial in self._trials),
            iterations=self._rounds,
            evaluated=int(self._space.work[0].evaluated) - self._judged,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

    def _finished(self) -> bool:
        return len(self._trials) == 1 or (
            self._how.most_rounds is not None and self._rounds >= self._how.most_rounds
        )

    def _grow(self, done: int, count: int) -> None:
        """Run up to `count` rounds after the first `done` rounds, at most `most_rounds` in all."""
        most = self._how.most_rounds
        rounds = count if most is None else max(0, min(count, most - done))
        work = self._space.work[0]
        worlds = self._worlds.first((done + rounds) * (1 if work.paired else len(self._trials)))
        work.worlds, work.most_worlds = worlds.ctypes.data, self._worlds.most
        begun = try_actions(
            self._game.table, self._space.work, self._trials, self._how.plies, done, rounds
        )
        self._rounds += int(begun)


def _value(trial: Any, keep: str) -> float | None:
    if trial.rounds == 0:
        return None
    return float(trial.best) if keep == "best" else float(trial.total) / int(trial.rounds)


def _spread(trial: Any) -> float | None:
    rounds = int(trial.rounds)
    if rounds < 2:
        return None
    return math.sqrt(
        max(0.0, float(trial.squares) - float(trial.total) ** 2 / rounds) / (rounds - 1)
    )


@kernel
def try_actions(table, work, trials, plies, done, rounds):
    """Try every action once in each of `rounds` rounds, after the first `done` rounds.

    Returns the number of rounds begun, which is smaller if the time runs out.
    """
    for number in range(done, done + rounds):
        tried = 0
        while tried < len(trials):
            world = number if work[0].paired else number * len(trials) + tried
            trials[tried].now = try_action(table, work[0], trials[tried].action, plies, world)
            if late(work[0].clock):
                break
            tried += 1
        if tried == len(trials) or number == 0:
            for i in range(tried):
                note(trials[i])
        if tried < len(trials):
            return number + 1 - done
    return rounds


@kernel
def try_action(table, work, action, plies, world):
    """Play an action and the remaining plies in a numbered world; return the final value."""
    place_world(table, work, world)
    work.plan_length = 0
    player = step(table, work.world, work.mover, action)
    if plies > 0:
        left = plies if player == work.mover else plies - 1
        play_plies(table, work, player, left)
    work.evaluated += 1
    return judge(table, work.world, work.mover, work.evaluator)


@kernel
def note(trial):
    """Add the value of the round in progress to the statistics of an action."""
    trial.total += trial.now
    trial.squares += trial.now * trial.now
    trial.best = max(trial.best, trial.now)
    trial.rounds += 1
