"""The base class for searches over information sets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of, borrow
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, new_states
from plyglass.core.verbs import change_luck, copy_state
from plyglass.core.world import View
from plyglass.search.information_sets.nodes import InformationTree, Memories, TreeSpace
from plyglass.search.interface import (
    Budget,
    Decision,
    Health,
    LiveBelief,
    Search,
    Spent,
    run_in_slices,
)
from plyglass.search.mcts.playout import TO_THE_END, Playout
from plyglass.search.mcts.root import RootStatistics, root_statistics
from plyglass.search.mcts.tree import SLICE_NODES
from plyglass.search.mcts.workspace import Workspace

SLICE_BYTES = 1 << 22  # the most bytes of worlds that are drawn at once


class InformationSearch(Search):
    """A search of one seat in one match, with a tree of information sets.

    Each decision starts a new tree or keeps part of the last tree. The planner must have the
    parameters exploration, scale, choice and most_nodes. A subclass grows the tree (`grow`), and
    decides which part of the tree to keep (`forget`).
    """

    def __init__(
        self,
        planner: Any,
        game: Game,
        seat: int,
        belief: LiveBelief,
        seed: int,
        playout: Playout = TO_THE_END,
    ) -> None:
        self.planner, self.game, self.seat, self.belief = planner, game, seat, belief
        self.space = Workspace(game, derive(seed, 0), planner.exploration, planner.scale, playout)
        self.trail = self.space.trail
        self.tree = InformationTree(planner.most_nodes)
        self.memories = Memories(game)
        self.view: View | None = None
        self._spent = Spent()

    @property
    def nodes_per_iteration(self) -> int:
        """Return the largest number of nodes that an iteration adds."""
        return 2 * self.game.most_actions + 2

    @property
    def tree_space(self) -> TreeSpace:
        """Return the arrays that kernels need to grow the tree at its present size."""
        return TreeSpace(
            self.space.work, self.trail, self.memories.records, self.tree.nodes, self.tree.slots
        )

    @abstractmethod
    def grow(self, done: int, count: int) -> None:
        """Run `count` iterations, after the first `done` iterations.

        The result must not depend on the sizes of slices.
        """

    def observe(self, own_action: int | None, view: View) -> None:
        self.belief.observe(own_action, view)
        self.forget(own_action, view)
        self.view, self._spent = view, Spent()

    def forget(self, own_action: int | None, view: View) -> None:
        """Drop the part of the tree that a new view has ruled out."""
        self.tree.clear()

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        most = 1 + min(
            SLICE_NODES // self.nodes_per_iteration, SLICE_BYTES // self.game.state.itemsize
        )
        run_in_slices(
            self.grow,
            self._spent,
            budget,
            most,
            cancelled,
            clock=self.belief.clock,
            growth=lambda count: self.tree.growth_seconds((count + 1) * self.nodes_per_iteration),
        )

    def decision(self) -> Decision:
        assert self.view is not None, "observe comes before decision"
        statistics = self.statistics(tuple(self.view.legal()))
        action = statistics.best_action(self.planner.choice, self.planner.exploration)
        return statistics.decision(action, self.line(action), self._spent, self.health())

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        """Return the principal variation after an action at the root."""
        return self.tree.line(action)

    def statistics(self, actions: tuple[int, ...]) -> RootStatistics:
        """Return the statistics of the root actions."""
        return root_statistics([self.tree], actions, self.space.work[0])

    def health(self) -> Health | None:
        """Return the health of the belief from which worlds are drawn."""
        return self.belief.health()

    def batch(self, done: int, count: int, every: int) -> Batch:
        """Return a batch of the next `count` iterations; each world serves `every` iterations."""
        worlds = new_states(-(-(done + count) // every) - -(-done // every), self.game.state)
        if len(worlds):
            self.belief.sample(worlds)
        return Batch(worlds, done, count, every)


class Batch(NamedTuple):
    """The iterations that one call of a kernel runs, with the worlds that they search.

    Attributes:
        worlds: an array (new worlds, bytes of a state).
        done: the number of earlier iterations of the decision.
        size: the number of iterations in this batch.
        every: the number of iterations that share a world.
    """

    worlds: Bytes
    done: int
    size: int
    every: int


@kernel
def borrow_batch(batch):
    """Return the batch with an array of worlds that Numba does not reference-count."""
    return Batch(borrow(batch.worlds), batch.done, batch.size, batch.every)


@kernel
def place_world(table, work, batch, iteration):
    """Copy the world of an iteration, and give it a random seed of its own."""
    if iteration % batch.every == 0:
        row = iteration // batch.every - (batch.done + batch.every - 1) // batch.every
        copy_state(table, work.root, address_of(batch.worlds) + row * batch.worlds.shape[1])
    copy_state(table, work.world, work.root)
    change_luck(work.world, next_word(work.stream))
