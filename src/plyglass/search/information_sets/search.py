"""Base class for searches over information sets: worlds of a belief in, a decision at the root out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.memory import address_of
from plyglass.core.seeds import derive
from plyglass.core.state import Bytes, rows
from plyglass.core.verbs import change_luck, copy_state
from plyglass.core.world import View
from plyglass.search.information_sets.nodes import InformationTree, Memories
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
from plyglass.search.mcts.root import RootStatistics, decision_of, root_statistics
from plyglass.search.mcts.tree import SLICE_NODES
from plyglass.search.mcts.workspace import Workspace


@kernel
def place_world(table, work, worlds, iteration, done, every):
    """Make the world of an iteration ready, with luck of its own; `worlds` has those after
    `done`, one for `every` iterations.
    """
    if iteration % every == 0:
        row = iteration // every - (done + every - 1) // every
        copy_state(table, work.root, address_of(worlds) + row * worlds.shape[1])
    copy_state(table, work.world, work.root)
    change_luck(work.world, next_word(work.stream))


# What searches over information sets have in common: a belief that gives worlds, a tree, and a
# decision by its root.


SLICE_BYTES = 1 << 22  # of worlds that are drawn ahead


class InformationSearch(Search):
    """A search of one seat in one match that begins a new tree with every decision, unless it says
    what it keeps (`forget`).

    `planner` has exploration, scale, choice and most_nodes.
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
        self.tree = InformationTree(planner.most_nodes)
        self.memories = Memories(game)
        self.view: View | None = None
        self._spent = Spent()

    @property
    def nodes_per_iteration(self) -> int:
        """How many nodes an iteration adds at most."""
        return 2 * self.game.most_actions + 2

    @abstractmethod
    def grow(self, done: int, count: int) -> None:
        """`count` iterations after `done`; how they are cut into slices must change nothing."""

    def observe(self, own_action: int | None, view: View) -> None:
        self.belief.observe(own_action, view)
        self.forget(own_action, view)
        self.view, self._spent = view, Spent()

    def forget(self, own_action: int | None, view: View) -> None:
        """Forget what was searched, now that more was seen."""
        self.tree.clear()

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        most = 1 + min(
            SLICE_NODES // self.nodes_per_iteration, SLICE_BYTES // self.game.state.itemsize
        )
        run_in_slices(self.grow, self._spent, budget, most, cancelled)

    def decision(self) -> Decision:
        assert self.view is not None, "observe comes before decision"
        statistics = self.statistics(tuple(self.view.legal()))
        return decision_of(statistics, self.planner, self.line, self._spent, self.health())

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        """How play is expected to go on from an action at the root."""
        return self.tree.line(action)

    def statistics(self, actions: tuple[int, ...]) -> RootStatistics:
        """What the search says about the actions at the root."""
        return root_statistics([self.tree], actions, self.space.work[0])

    def health(self) -> Health | None:
        """How the worlds fare that are searched from."""
        return self.belief.health()

    def worlds(self, done: int, count: int, every: int) -> Bytes:
        """The worlds for `count` iterations after `done`, where every `every` of them share one."""
        worlds = rows(-(-(done + count) // every) - -(-done // every), self.game.state)
        if len(worlds):
            self.belief.sample(worlds)
        return worlds
