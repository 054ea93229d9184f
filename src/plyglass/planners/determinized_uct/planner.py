"""Determinized UCT: one tree over K shared histories of luck.

Document 004, algorithms 3 to 10. An iteration draws one of the K histories; wherever luck is drawn
in the tree, history k leads to the k-th child. The k-th history is the same in every part of the
tree: luck comes from its seed and the number of the ply.

Needs: nothing of a game but its rules; leaves are judged by an evaluator of the game's where it has
one, else by the score.
For `select="expectimax"`: one player, a common interest, or two players of whom one wins what the
other loses.
For `as_coded` and `capped`: scores and evaluators from 0 to 1.
Cannot: reason about what others know. On a game with hidden information the histories are worlds of
the belief, which part with the first action. Discounts are not applied. With few histories it plans
for luck that it has seen: K = 1 foresees the future.

Where the pseudo-code and the text of the document differ, the text is built: the history is drawn
before the first action is selected (algorithm 4), not after (algorithm 9), which makes no
difference because the selection at the root does not look at it.

The document's program does more than its text says, and `as_coded` does so, too: actions are tried
from the last in the list to the first, what is equal goes to what was tried first, and where a game
ends within the tree its score counts, whatever judges other leaves. Its last version also has no
confidence bound above 1 (`capped`): the first action tried is searched until its bound is below.
The depths of trees in the document's table 1 look like those without.

Differs from the document in:
- a history is the luck of every ply, not a list of cards: where decks differ it may bring other
  cards, but never impossible ones;
- with `scale="range"`: values of an evaluator are taken as they are and the confidence bound is
  measured by the range seen so far;
- without a `policy`: playouts choose among all actions alike, where the document's choose a kind of
  action first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, mix, next_word
from plyglass.core.refusals import refuse_other
from plyglass.core.table import SIZE
from plyglass.core.verbs import change_luck, copy_state, playout, to_move
from plyglass.core.world import View
from plyglass.planners.determinized_uct.histories import (
    HistorySpace,
    expectimax,
    first_best_child,
    traverse,
)
from plyglass.search.interface import Budget, Decision, LiveBelief, Search, Spent, run_in_slices
from plyglass.search.mcts.iteration import back_up_mean
from plyglass.search.mcts.root import RootStatistics, root_statistics
from plyglass.search.mcts.tree import ROOT, SLICE_NODES, Tree
from plyglass.search.turn_tree.plies import play_one
from plyglass.search.turn_tree.tree import value_span
from plyglass.search.turn_tree.workspace import Scale, TurnOptions, refuse_less
from plyglass.search.values import BY_SCORE, judge

ROLLOUT, BY_POLICY, HEURISTIC = range(3)
CHOICE = {"ucb1": "bound", "expectimax": "value"}
LEAVES = {"rollout": ROLLOUT, "heavy": BY_POLICY, "heuristic": HEURISTIC}


@kernel
def search(table, work, trail, nodes, used, exploration, iterations):
    """Algorithm 10: draw a history, traverse the tree, judge the leaf, back up; returns the new
    size of the tree.
    """
    here = work[0]
    for _ in range(iterations):
        here.history = below(here.stream, here.most_worlds)
        copy_state(table, here.world, here.worlds + here.history * table[SIZE])
        change_luck(here.world, mix(here.luck, here.history))
        here.exploration = exploration * value_span(here)
        used, length, player = traverse(table, here, trail, nodes, used, to_move(table, here.world))
        judge_leaf(table, here, player)
        back_up_mean(nodes, here, trail, length)
    return used


@kernel
def judge_leaf(table, work, player):
    """What the leaf is worth to each player: after a rollout, after a heavy rollout, or as it
    stands.
    """
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
    """Play to the end, by a policy of the game; or heavily: on to the best next position by the
    guide, and to any now and then.
    """
    evaluator = work.evaluator
    work.evaluator = work.guide
    work.plan_length = 0
    steps = 0
    while player >= 0 and steps < work.most_steps:
        player = play_one(table, work, player)
        steps += 1
    work.evaluator = evaluator


@dataclass(frozen=True)
class DeterminizedUCT:
    """UCT over K shared histories of luck in one tree.

    Attributes:
        histories: K, how many histories of luck there are.
        leaf: what judges a leaf: "rollout" (random play to the end, then the evaluator), "heavy"
            (the same with greedy play), or "heuristic" (the evaluator alone).
        select: the action to play: highest confidence bound ("ucb1"), or best plan in the tree
            ("expectimax").
        policy: the policy of the game that a rollout plays by; "" is to choose among all actions
            alike.
        guide: the evaluator that a heavy rollout chooses by; "" is the one that judges.
        epsilon: how often a heavy rollout plays at random.
        exploration: the weight of the confidence bound; the document's is the square root of 2.
        evaluator: which evaluator of the game judges; "" is its first, or the score if it has none;
            so is "score".
        scale: "range" measures confidence bounds by the range of values, "raw" takes values as they
            are.
        as_coded: whether to do as the document's program does where that is not in its text; on raw
            values.
        capped: whether, as coded, no confidence bound is above 1.
        most_nodes: how large the tree may grow; 48 bytes a node.
    """

    histories: int = 3
    leaf: Literal["rollout", "heavy", "heuristic"] = "heuristic"
    select: Literal["ucb1", "expectimax"] = "expectimax"
    policy: str = ""
    guide: str = ""
    epsilon: float = 0.1
    exploration: float = 1.4142135623730951
    evaluator: str = ""
    scale: Scale = "range"
    as_coded: bool = False
    capped: bool = False
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "determinized-uct"

    def __post_init__(self) -> None:
        refuse_other("leaf", self.leaf, tuple(LEAVES))
        refuse_other("select", self.select, tuple(CHOICE))
        refuse_less("histories", self.histories, 1)
        if (self.as_coded and self.scale != "raw") or (self.capped and not self.as_coded):
            raise ValueError(
                "As coded, values are taken as they are, and only as coded can bounds be capped: "
                "give as_coded and scale=raw, too."
            )
        if (self.policy and self.leaf != "rollout") or (self.guide and self.leaf != "heavy"):
            raise ValueError(
                "A policy is for leaf=rollout and a guide for leaf=heavy; this leaf is "
                f"{self.leaf}, so leave it out."
            )
        self.options()

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> DeterminizedSearch:
        if self.select == "expectimax" and game.players > 2 and not game.cooperative:
            raise ValueError(
                f"{game.name} has {game.players} players who oppose each other; expectimax knows "
                "two. Select by ucb1."
            )
        return DeterminizedSearch(self, game, belief, seed)

    def options(self) -> TurnOptions:
        """How leaves are judged."""
        return TurnOptions(
            rollout=self.policy or "greedy",
            epsilon=self.epsilon,
            evaluator=self.evaluator,
            scale=self.scale,
        )


class DeterminizedSearch(Search):
    """A determinized search of one seat in one match. Every decision begins with new histories
    and an empty tree.
    """

    def __init__(self, planner: DeterminizedUCT, game: Game, belief: LiveBelief, seed: int) -> None:
        self._planner, self._game, self._belief = planner, game, belief
        self._space, self.tree = (
            HistorySpace(game, seed, planner.options(), planner.histories, planner.guide),
            Tree(planner.most_nodes),
        )
        work = self._space.work[0]
        work.leaf = BY_POLICY if planner.policy else LEAVES[planner.leaf]
        work.as_coded, work.cap = planner.as_coded, 1.0 if planner.capped else np.inf
        self._view: View | None = None
        self._spent, self._judged, self._rooted = Spent(), 0, False

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self.tree.clear()
        work = self._space.work[0]
        work.lowest, work.highest, work.depth = np.inf, -np.inf, 0
        self._view, self._spent, self._judged, self._rooted = (
            view,
            Spent(),
            int(work.evaluated),
            False,
        )

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        if not self._rooted:
            self._belief.sample(self._space.worlds)
            self._space.work[0].luck = next_word(int(self._space.work[0].stream))
            self._rooted = True
        run_in_slices(
            self._grow,
            self._spent,
            budget,
            SLICE_NODES // (self._game.most_actions + 1) + 1,
            cancelled,
        )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        work = self._space.work[0]
        means = root_statistics([self.tree], tuple(self._view.legal()), work)
        values = self._best_plans(means) if self._planner.select == "expectimax" else means.values
        statistics = RootStatistics(means.actions, means.visits, values, float(value_span(work)))
        action = self._chosen(statistics)
        return Decision(
            action=action,
            actions=means.actions,
            values=values,
            visits=means.visits,
            line=self.tree.line(action),
            depth=int(work.depth),
            iterations=self._spent.iterations,
            evaluated=int(work.evaluated) - self._judged,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

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
        """The action to play; as coded, of equal ones the one that was tried first."""
        planner, nodes = self._planner, self.tree.nodes
        if not planner.as_coded:
            return statistics.actions[statistics.best(CHOICE[planner.select], planner.exploration)]
        if planner.select == "ucb1":
            return int(
                nodes[
                    first_best_child(nodes, ROOT, planner.exploration, self._space.work[0].cap)
                ].action
            )
        worth = {
            action: value
            for action, value in zip(statistics.actions, statistics.values, strict=True)
            if value is not None
        }
        return max(reversed(worth), key=lambda action: worth[action])

    def _best_plans(self, means: RootStatistics) -> tuple[float | None, ...]:
        """What the root actions are worth by the best plans behind them."""
        worth = np.zeros(self.tree.used)
        both = sum(self._game.scores) if self._space.work[0].evaluator == BY_SCORE else 0.0
        expectimax(
            self.tree.nodes,
            self.tree.used,
            worth,
            self._game.players == 1 or self._game.cooperative,
            both,
        )
        found = {
            int(self.tree.nodes[child].action): float(worth[child])
            for child in self.tree.children(ROOT)
        }
        return tuple(
            found[action] if visits else None
            for action, visits in zip(means.actions, means.visits, strict=True)
        )
