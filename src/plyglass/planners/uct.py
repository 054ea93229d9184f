"""UCT: Monte Carlo tree search with upper confidence bounds.

Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; described in McKenney 2023a
(section 0.2), Pipan 2021 (appendix 1.3) and the Pandemic thesis (algorithm 3).

    repeat until the budget is used:
        world <- the root position, with new chance
        descend by UCB1 to the first new node          (`mcts.iteration`)
        value <- score after a random playout          (`mcts.playout`)
        add the value to every node on the way
    play the action with the most visits

Needs: only the rules of a game.

`UCT` cannot reason about what others know. In a game with hidden information, each tree searches
one world of the belief as if all players saw this world. In such a game, UCT should grow several
trees, whose statistics are summed.

Differs from the paper:
- Chance is sampled anew in every iteration. An action with a random result has a child for every
  result seen.
- Several independent trees can grow in parallel threads (one thread in tournaments). The root
  statistics of these trees are added (`trees`).
- A subtree is kept when the match reaches it (`reuse`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import borrow
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.verbs import change_luck, copy_state, to_move
from plyglass.core.world import View, World
from plyglass.search.interface import (
    Budget,
    Decision,
    LiveBelief,
    Search,
    Spent,
    run_in_slices,
    started,
)
from plyglass.search.mcts.iteration import back_up, descend
from plyglass.search.mcts.playout import TO_THE_END, Playout, judge_by_playout
from plyglass.search.mcts.root import root_statistics
from plyglass.search.mcts.tree import ROOT, SLICE_NODES, Tree, find_outcome
from plyglass.search.mcts.workspace import CREDIT_MOVER, Workspace
from plyglass.search.threads import for_each


@kernel
def search(table, work, trail, nodes, used, iterations):
    """Run `iterations` iterations; return the new size of the tree."""
    table, work, trail, nodes = borrow(table), borrow(work), borrow(trail), borrow(nodes)
    mover = to_move(table, work[0].root)
    for _ in range(iterations):
        copy_state(table, work[0].world, work[0].root)
        change_luck(work[0].world, next_word(work[0].stream))
        used, length, player = descend(table, work[0], trail, nodes, used, mover)
        judge_by_playout(table, work[0], player, 0)
        if work[0].credited != CREDIT_MOVER:
            credit(work[0])
        back_up(nodes, work[0], trail, length)
    return used


@kernel
def credit(work):
    """Give every player the same value: the iteration's value for the credited player."""
    for player in range(work.players):
        work.values[player] = work.values[work.credited]


@dataclass(frozen=True)
class UCT:
    """Monte Carlo tree search with upper confidence bounds.

    Attributes:
        exploration: the weight of the exploration term in the confidence bound, for values scaled
            to [0, 1].
        choice: the action to play: the one with the most "visits", the best "value", or the
            highest "bound".
        trees: the number of independent trees to grow. Each tree gets an equal share of the
            iterations, and the root statistics of all trees are added. The trees grow in parallel
            threads (one thread in tournaments).
        patience: the number of playouts that judge a node before its children are searched.
        optimistic: whether to assume that others play what is best for this seat. This option
            reproduces the TUBSTAP program M-UCT.
        reuse: whether to keep the subtree that the match enters.
        scale: "range" scales values by the game's declared scores; "raw" leaves values as scores.
        playout: the playout that judges a new leaf, by default a random playout to the end.
        most_nodes: the size limit of each tree; a node takes 40 bytes.
    """

    exploration: float = 0.7
    choice: Literal["visits", "value", "bound"] = "visits"
    trees: int = 1
    patience: int = 0
    optimistic: bool = False
    reuse: bool = True
    scale: Literal["range", "raw"] = "range"
    playout: Playout = TO_THE_END
    most_nodes: int = 5_000_000

    name: ClassVar[str] = "uct"

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> UCTSearch:
        if self.optimistic and game.discount != 1.0:
            raise ValueError(
                f"optimistic=true is not possible in {game.name}, which discounts each player's "
                "own rewards; leave it out."
            )
        return UCTSearch(self, game, seat, belief, seed)


class UCTSearch(Search):
    """A UCT search of one seat in one match."""

    def __init__(self, planner: UCT, game: Game, seat: int, belief: LiveBelief, seed: int) -> None:
        self._planner, self._game, self._belief = planner, game, belief
        seeds = [derive(seed, number) for number in range(planner.trees)]
        self._trees = [Tree(planner.most_nodes) for _ in seeds]
        self._spaces = [
            Workspace(game, each, planner.exploration, planner.scale, planner.playout)
            for each in seeds
        ]
        for space in self._spaces:
            space.work[0].patience = planner.patience
            space.work[0].credited = seat if planner.optimistic else CREDIT_MOVER
        self._spent = Spent()
        self._view: View | None = None
        self._rooted = False  # whether the trees have a position to search from

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        keep = self._rooted and self._planner.reuse and not self._game.hides
        for tree, space in zip(self._trees, self._spaces, strict=True):
            seen = _child_seen(tree, space, own_action, view) if keep else None
            tree.clear() if seen is None else tree.keep(seen)
        self._view, self._spent, self._rooted = view, Spent(), False
        if keep:
            # If no search runs before the next view, this view must still be found below the root.
            self._root()

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        clock = self._belief.clock
        with started(clock, budget, cancelled):
            if not self._rooted:
                self._root()
            most = len(self._trees) * (1 + SLICE_NODES // (self._game.most_actions + 1))
            run_in_slices(
                self._grow,
                self._spent,
                budget,
                most,
                cancelled,
                clock=clock,
                growth=self._growth_seconds,
            )

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        statistics = root_statistics(
            self._trees, tuple(self._view.legal()), self._spaces[0].work[0]
        )
        action = statistics.best_action(self._planner.choice, self._planner.exploration)
        line = self._trees[0].line(action)
        return statistics.decision(action, line, self._spent, self._belief.health())

    def _root(self) -> None:
        """Give every tree a world to search from."""
        worlds = new_states(len(self._spaces), self._game.state)
        self._belief.sample(worlds)
        for space, world in zip(self._spaces, worlds, strict=True):
            space.root[:] = world
        self._rooted = True

    def _grow(self, done: int, count: int) -> None:
        """Distribute `count` further iterations, after the first `done`, over the trees in turn.

        So a tree's share of the iterations depends neither on slices nor on threads.
        """
        shares = [
            _dealt(done + count, number, len(self._trees)) - _dealt(done, number, len(self._trees))
            for number in range(len(self._trees))
        ]
        for_each(self._grow_tree, range(len(shares)), shares)

    def _growth_seconds(self, count: int) -> float:
        nodes = (count // len(self._trees) + 1) * (self._game.most_actions + 2)
        return sum(tree.growth_seconds(nodes) for tree in self._trees)

    def _grow_tree(self, number: int, iterations: int) -> None:
        tree, space = self._trees[number], self._spaces[number]
        tree.reserve(iterations * (self._game.most_actions + 2))
        tree.used = search(
            self._game.table, space.work, space.trail, tree.nodes, tree.used, iterations
        )


def _dealt(iterations: int, number: int, trees: int) -> int:
    """Return how many of the first `iterations` go to tree `number` when the trees take turns."""
    return (iterations + trees - 1 - number) // trees


def _child_seen(tree: Tree, space: Workspace, own_action: int | None, view: View) -> int | None:
    """Return the node below the root that leads to exactly this view, or None."""
    for child in tree.children(ROOT):
        node = tree.nodes[child]
        if node.visits == 0 or own_action not in (None, node.action):
            continue
        if node.lucky:
            outcome = find_outcome(tree.nodes, child, np.uint64(view.fingerprint))
            if outcome:
                return int(outcome)
        elif _leads_to(view, space, int(node.player), int(node.action)):
            return child
    return None


def _leads_to(view: View, space: Workspace, player: int, action: int) -> bool:
    world = World(view.game, space.root.copy())
    view.game.verbs.step(view.game.table, world.address, player, action)
    return world.fingerprint == view.fingerprint
