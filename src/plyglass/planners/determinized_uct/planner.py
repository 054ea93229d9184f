"""Determinized UCT: one tree over K shared histories of chance.

The Pandemic thesis (c. 2020), algorithms 3 to 10:

    repeat until the budget is used:
        k <- one of the K histories, at random
        descend by UCB1 to the first new node; wherever chance decides, take the k-th child
        judge the leaf by an evaluator, or after a rollout
        add the value to every node on the way
    play the action with the highest bound, or the best plan in the tree (expectimax)

The k-th history is the same in every part of the tree, because its random numbers depend only on a
seed and the number of the ply.

Needs: only the rules of a game. An evaluator of the game judges leaves. If the game has no
evaluator, the score judges leaves. `select="expectimax"` needs one player, a common interest, or
two players in a zero-sum game. `as_coded` and `capped` need scores and evaluator values from 0 to
1.

`DeterminizedUCT` cannot reason about what others know. In a game with hidden information, the
histories are worlds of the belief. After the first action, each history gets its own part of the
tree. Discounts are not applied. With few histories, the plan is tailored to these histories. If K
is 1, the search foresees the future.

Where the pseudo-code and the text of the thesis differ, the planner follows the text. The history
is drawn before the first action is selected (algorithm 4), not after (algorithm 9). The order makes
no difference, because selection at the root does not depend on the history.

The thesis's program does more than the text of the thesis says. `as_coded` copies the program:
- Actions are tried from the last in the list to the first. The action tried first wins ties.
- If the game ends within the tree, the final score is the value, whatever judges other leaves.
- The program's last version also caps confidence bounds at 1 (`capped`). The first action tried is
  then searched until its bound falls below 1. The tree depths in the thesis's table 1 resemble the
  depths that we get without the cap.

Differs from the thesis:
- A history is a random seed for every ply, not a list of cards. In two positions with different
  decks, a history may deal different cards, but never impossible cards.
- With `scale="range"`, an evaluator's values are used as they are, and the range of the values seen
  so far scales the confidence bound.
- Without a `policy`, rollouts choose uniformly among all actions. The thesis's rollouts choose a
  kind of action first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, mix, next_word
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.table import SIZE
from plyglass.core.verbs import change_luck, copy_state, playout, to_move
from plyglass.core.world import View
from plyglass.planners.determinized_uct.histories import (
    HistorySpace,
    expectimax,
    first_best_child,
    traverse,
)
from plyglass.search.clock import is_stopped, late
from plyglass.search.interface import (
    Budget,
    Decision,
    LiveBelief,
    Search,
    Spent,
    run_in_slices,
    started,
)
from plyglass.search.mcts.iteration import back_up_mean
from plyglass.search.mcts.root import RootStatistics, root_statistics
from plyglass.search.mcts.tree import ROOT, SLICE_NODES, Tree
from plyglass.search.turn_tree.plies import play_one
from plyglass.search.turn_tree.tree import value_span
from plyglass.search.turn_tree.workspace import Scale, TurnOptions
from plyglass.search.values import BY_SCORE, judge

ROLLOUT, BY_POLICY, HEURISTIC = range(3)  # what judges a leaf
LEAVES = {"rollout": ROLLOUT, "heavy": BY_POLICY, "heuristic": HEURISTIC}
CHOICE = {"ucb1": "bound", "expectimax": "value"}
PLAN_SECONDS = 5e-8  # time for each node to compute the best plans in the tree, on a busy core


@kernel
def search(table, work, trail, nodes, used, exploration, iterations):
    """Run iterations: draw a history, traverse the tree, judge the leaf, back up (algorithm 10).

    The kernel stops when the time is over. Returns the new size of the tree.
    """
    here = work[0]
    for _ in range(iterations):
        here.history = below(here.stream, here.most_worlds)
        copy_state(table, here.world, here.worlds + here.history * table[SIZE])
        change_luck(here.world, mix(here.luck, here.history))
        here.exploration = exploration * value_span(here)
        used, length, player = traverse(table, here, trail, nodes, used, to_move(table, here.world))
        judge_leaf(table, here, player)
        if late(here.clock):
            break  # the result of an interrupted iteration is invalid
        back_up_mean(nodes, here, trail, length)
    return used


@kernel
def judge_leaf(table, work, player):
    """Judge the leaf for each player, immediately or after a rollout."""
    evaluator = BY_SCORE if work.as_coded and player < 0 else work.evaluator
    if work.leaf == ROLLOUT:
        playout(table, work.world, player, work.actions, work.stream, work.most_steps)
    elif work.leaf != HEURISTIC:
        play_on(table, work, player)
    for each in range(work.players):
        value = judge(table, work.world, each, evaluator)
        work.values[each] = value
        work.lowest = min(work.lowest, value)
        work.highest = max(work.highest, value)
    work.evaluated += 1


@kernel
def play_on(table, work, player):
    """Play to the end by a policy, or greedily by the guiding evaluator.

    In greedy play, each action is random with probability `epsilon`.
    """
    evaluator = work.evaluator
    work.evaluator = work.guide
    work.plan_length = 0
    steps = 0
    while player >= 0 and steps < work.most_steps and not is_stopped(work.clock):
        player = play_one(table, work, player)
        steps += 1
    work.evaluator = evaluator


@dataclass(frozen=True)
class LeafEvaluation:
    """The parameters of judging a leaf.

    Attributes:
        by: what happens before the evaluator judges a leaf: "heuristic" judges the leaf itself,
            "rollout" first plays to the end by `policy`, and "heavy" first plays to the end
            greedily.
        evaluator: the evaluator that judges positions: the name of an evaluator of the game,
            "score" for the score, or "" for the game's first evaluator (the score if the game has
            none).
        policy: with "rollout", the policy of the game that rollouts follow; "" means uniformly
            random play.
        guide: with "heavy", the evaluator that greedy play maximises; "" selects the evaluator that
            judges leaves.
        epsilon: with "heavy", the probability of a random action.
    """

    by: Literal["rollout", "heavy", "heuristic"] = "heuristic"
    evaluator: str = ""
    policy: str = ""
    guide: str = ""
    epsilon: float = 0.1

    name: ClassVar[str] = "evaluation"

    def __post_init__(self) -> None:
        refuse_other("by", self.by, tuple(LEAVES))
        if self.policy and self.by != "rollout":
            raise ValueError(f"policy={self.policy} needs by=rollout, not by={self.by}.")
        if self.guide and self.by != "heavy":
            raise ValueError(f"guide={self.guide} needs by=heavy, not by={self.by}.")


@dataclass(frozen=True)
class DeterminizedUCT:
    """UCT over K shared histories of chance in one tree.

    Attributes:
        histories: K, the number of histories.
        select: the action to play: the one with the highest confidence bound ("ucb1"), or the
            best plan in the tree ("expectimax").
        evaluation: how a leaf is judged.
        exploration: the weight of the exploration term in the confidence bound; the thesis uses the
            square root of 2.
        scale: "range" scales confidence bounds by the range of values; "raw" uses values as they
            are.
        as_coded: whether to copy the thesis's program where the text of the thesis is silent; needs
            scale=raw.
        capped: whether confidence bounds are capped at 1; needs as_coded.
        most_nodes: the size limit of the tree; a node takes 48 bytes.
    """

    histories: int = 3
    select: Literal["ucb1", "expectimax"] = "expectimax"
    evaluation: LeafEvaluation = LeafEvaluation()
    exploration: float = 1.4142135623730951
    scale: Scale = "range"
    as_coded: bool = False
    capped: bool = False
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "determinized-uct"
    moved: ClassVar[Mapping[str, str]] = {
        "leaf": "evaluation.by",
        "evaluator": "evaluation.evaluator",
        "policy": "evaluation.policy",
        "guide": "evaluation.guide",
        "epsilon": "evaluation.epsilon",
    }

    def __post_init__(self) -> None:
        refuse_other("select", self.select, tuple(CHOICE))
        refuse_less("histories", self.histories, 1)
        if (self.as_coded and self.scale != "raw") or (self.capped and not self.as_coded):
            raise ValueError("as_coded=true needs scale=raw, and capped=true needs as_coded=true.")
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> DeterminizedSearch:
        if self.select == "expectimax" and game.players > 2 and not game.cooperative:
            raise ValueError(
                f"{game.name} has {game.players} players who oppose each other, and expectimax "
                "handles two; give select=ucb1."
            )
        return DeterminizedSearch(self, game, belief, seed)

    def options(self) -> TurnOptions:
        """Return the parameters of judging leaves, as the workspace needs them."""
        return TurnOptions(
            rollout=self.evaluation.policy or "greedy",
            epsilon=self.evaluation.epsilon,
            evaluator=self.evaluation.evaluator,
            scale=self.scale,
        )


class DeterminizedSearch(Search):
    """A determinized search of one seat in one match.

    Every decision starts with new histories and an empty tree.
    """

    def __init__(self, planner: DeterminizedUCT, game: Game, belief: LiveBelief, seed: int) -> None:
        self._planner, self._game, self._belief = planner, game, belief
        leaf = planner.evaluation
        self._space = HistorySpace(
            game, seed, planner.options(), belief.clock, planner.histories, leaf.guide
        )
        self.tree = Tree(planner.most_nodes)
        work = self._space.work[0]
        work.leaf = BY_POLICY if leaf.policy else LEAVES[leaf.by]
        work.as_coded, work.cap = planner.as_coded, 1.0 if planner.capped else np.inf
        self._view: View | None = None
        self._spent, self._judged, self._rooted = Spent(), 0, False

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self.tree.clear()
        work = self._space.work[0]
        work.lowest, work.highest, work.depth = np.inf, -np.inf, 0
        self._view, self._spent = view, Spent()
        self._judged, self._rooted = int(work.evaluated), False

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        clock = self._belief.clock
        with started(clock, budget, cancelled):
            if not self._rooted:
                self._belief.sample(self._space.worlds)
                self._space.work[0].luck = next_word(int(self._space.work[0].stream))
                self._rooted = True
            most = SLICE_NODES // (self._game.most_actions + 1) + 1
            run_in_slices(
                self._grow,
                self._spent,
                budget,
                most,
                cancelled,
                clock=clock,
                growth=self._seconds_after,
            )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        work = self._space.work[0]
        means = root_statistics([self.tree], tuple(self._view.legal()), work)
        values = self._best_plans(means) if self._planner.select == "expectimax" else means.values
        statistics = RootStatistics(means.actions, means.visits, values, float(value_span(work)))
        action = self._chosen(statistics)
        return statistics.decision(
            action,
            self.tree.line(action),
            self._spent,
            self._belief.health(),
            evaluated=int(work.evaluated) - self._judged,
            depth=int(work.depth),
        )

    def _seconds_after(self, count: int) -> float:
        """Estimate the seconds needed to run `count` iterations and then to decide."""
        plans = PLAN_SECONDS if self._planner.select == "expectimax" else 0.0
        grown = self.tree.growth_seconds(count * (self._game.most_actions + 2))
        return grown + plans * self.tree.used

    def _grow(self, done: int, count: int) -> None:
        tree, space = self.tree, self._space
        tree.reserve(count * (self._game.most_actions + 2))
        tree.used = search(
            self._game.table,
            space.work,
            space.trail,
            tree.nodes,
            tree.used,
            self._planner.exploration,
            count,
        )

    def _chosen(self, statistics: RootStatistics) -> int:
        """Return the action to play; with `as_coded`, the action tried first wins ties."""
        planner, nodes = self._planner, self.tree.nodes
        if not planner.as_coded or not any(statistics.visits):  # no time for a single iteration
            return statistics.best_action(CHOICE[planner.select], planner.exploration)
        if planner.select == "ucb1":
            cap = self._space.work[0].cap
            return int(nodes[first_best_child(nodes, ROOT, planner.exploration, cap)].action)
        worth = {
            action: value
            for action, value in zip(statistics.actions, statistics.values, strict=True)
            if value is not None
        }
        return max(reversed(worth), key=lambda action: worth[action])

    def _best_plans(self, means: RootStatistics) -> tuple[float | None, ...]:
        """Return the values of the root actions under the best plans that follow them."""
        worth = np.zeros(self.tree.used)
        both = sum(self._game.scores) if self._space.work[0].evaluator == BY_SCORE else 0.0
        common = self._game.players == 1 or self._game.cooperative
        expectimax(self.tree.nodes, self.tree.used, worth, common, both)
        found = {
            int(self.tree.nodes[child].action): float(worth[child])
            for child in self.tree.children(ROOT)
        }
        return tuple(
            found[action] if visits else None
            for action, visits in zip(means.actions, means.visits, strict=True)
        )
