"""This module searches a player's own turn: `Turn` grows the tree, and `OwnTurnSearch` decides."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.state import Bytes
from plyglass.core.world import View
from plyglass.search.clock import Clock
from plyglass.search.information_sets.nodes import InformationTree
from plyglass.search.interface import Budget, Decision, LiveBelief, Search, Spent, run_in_slices
from plyglass.search.mcts.root import RootStatistics
from plyglass.search.mcts.tree import ROOT
from plyglass.search.numbered_worlds import Worlds
from plyglass.search.turn_tree.iteration import End, Ends, grow_turn, inform
from plyglass.search.turn_tree.tree import CLOSED, position_key
from plyglass.search.turn_tree.workspace import TurnOptions, TurnSpace

SLICE = 1024  # the most iterations in a slice
COLUMNS = ("action", "visits", "total")
PATH_STEPS = 5  # nodes on the path for an action: position, kind, source, action, link


class Turn:
    """The tree of a turn, with the memory needed to grow it."""

    def __init__(
        self, game: Game, options: TurnOptions, seed: int, clock: Clock, best_ends: int = 0
    ) -> None:
        self._game, self._options = game, options
        # If a rollout goes beyond this turn, no value is certain, because other players act, too.
        self._closes = options.closes and options.plies == 1
        self._space = TurnSpace(game, seed, options, clock)
        self._tree = InformationTree(options.tree.most_nodes)
        self._ends = Ends(game, best_ends)
        self._path = np.zeros(PATH_STEPS * game.most_steps + 2, np.int64)
        self._worlds: Bytes | None = None
        self._most_new = 3 * game.most_actions + 2  # nodes that an action on the path can add

    def begin(self, mover: int, plies: int = 1) -> None:
        """Begin to search a turn of `mover`, looking `plies` of the mover's own plies ahead."""
        self._tree.clear()
        work = self._space.work[0]
        work.mover, work.plies, work.top = mover, plies, ROOT
        work.lowest, work.highest = np.inf, -np.inf
        self._begin_decision()

    def place(self, worlds: Bytes, most: int, certain: bool) -> None:
        """Set the worlds drawn so far; the search uses at most `most` worlds in all.

        `certain` says whether nothing is hidden from the mover.
        """
        work = self._space.work[0]
        self._worlds = worlds  # kept alive: the kernels have its address
        work.worlds, work.most_worlds = worlds.ctypes.data, most
        work.closes = certain and self._closes

    def enter(self, action: int, view: View) -> bool:
        """Move to the position after the mover's action; return whether the tree contains it."""
        found = self._position_seen(action, view)
        if found is None:
            return False
        self._space.work[0].top = found
        self._begin_decision()
        return True

    def grow(self, done: int, count: int) -> None:
        """Run `count` more iterations, after the first `done` iterations."""
        tree, work = self._tree, self._space.work
        tree.reserve((count + 1) * self._most_new)
        work[0].used = tree.used
        grow_turn(
            self._game.table,
            work,
            self._ends.records,
            tree.nodes,
            tree.slots,
            self._path,
            done,
            count,
        )
        tree.used = int(work[0].used)

    def growth_seconds(self, count: int) -> float:
        """Return an estimate of the seconds needed to allocate memory for `count` iterations."""
        return self._tree.growth_seconds((count + 1) * self._most_new)

    def inform(self, end: End, value: float) -> None:
        """Give a final position of the turn the value that a search beyond the turn has found."""
        tree, work = self._tree, self._space.work
        tree.reserve((len(end.plan) + 1) * self._most_new)
        work[0].used = tree.used
        self._space.follow(end.plan)
        inform(self._game.table, work, tree.nodes, tree.slots, self._path, end.number, value)
        self._space.follow(())
        tree.used = int(work[0].used)

    def take_ends(self) -> list[End]:
        """Return the best final positions found since the last call, the best one first."""
        ends = self._ends.best_first()
        self._ends.clear()
        return ends

    @property
    def exhausted(self) -> bool:
        """Return whether the value of every plan is certain."""
        return bool(self._tree.nodes[self._top].next == CLOSED)

    @property
    def finished(self) -> bool:
        """Return whether more iterations would change nothing, or the tree is full."""
        most = self._options.tree.most_nodes
        return self.exhausted or most < self._tree.used + self._most_new

    @property
    def evaluated(self) -> int:
        """Return the number of positions judged so far."""
        return int(self._space.work[0].evaluated)

    @property
    def nodes(self) -> int:
        """Return the number of nodes in the tree."""
        return self._tree.used

    @property
    def visits(self) -> int:
        """Return the visits of the present position in all decisions of the turn.

        No action at this position can have more visits.
        """
        return int(self._tree.nodes[self._top].visits)

    @property
    def value(self) -> float:
        """Return the mover's expected value of the turn."""
        root = self._tree.nodes[self._top]
        return float(root.total / root.visits)

    def statistics(self, actions: tuple[int, ...]) -> RootStatistics:
        """Return the visits and values of the actions at the present position."""
        _, *columns = self._columns(self._top)
        found = {action: (visits, total) for action, visits, total in zip(*columns, strict=True)}
        visits = tuple(found[action][0] if action in found else 0 for action in actions)
        values = tuple(
            found[action][1] / count if count else None
            for action, count in zip(actions, visits, strict=True)
        )
        return RootStatistics(actions, visits, values, 1.0)

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        """Return the best plan after an action, given each action's most frequent result."""
        nodes, mover = self._tree.nodes, int(self._space.work[0].mover)
        found: list[tuple[int, int]] = []
        at, actions, _, _ = self._columns(self._top)
        node = at[actions.index(action)] if action in actions else None
        while node is not None and nodes[node].visits > 0 and len(found) < self._game.most_steps:
            found.append((mover, int(nodes[node].action)))
            position = int(nodes[max(self._links(node), key=lambda link: nodes[link].visits)].first)
            tried = {
                each: total / visits
                for each, _, visits, total in zip(*self._columns(position), strict=True)
                if visits > 0
            }
            node = max(tried, key=tried.__getitem__, default=None)
        return tuple(found)

    @property
    def _top(self) -> int:
        return int(self._space.work[0].top)

    def _begin_decision(self) -> None:
        work = self._space.work[0]
        work.luck = next_word(int(work.stream))
        self._ends.clear()

    def _position_seen(self, action: int, view: View) -> int | None:
        node = next(
            (each for each in self._actions(self._top) if self._tree.nodes[each].action == action),
            None,
        )
        if node is None:
            return None
        key = position_key(self._options.tree.transpositions, np.uint64(view.fingerprint), node)
        positions = (int(self._tree.nodes[link].first) for link in self._links(node))
        return next((each for each in positions if self._tree.nodes[each].key == key), None)

    def _actions(self, position: int) -> Iterator[int]:
        """Yield the actions at a position, in all of its groups."""
        lucky = self._tree.of_children(position, "lucky").tolist()
        for child, is_action in zip(self._tree.children(position), lucky, strict=True):
            if is_action:
                yield child
            else:
                yield from self._actions(child)

    def _columns(self, position: int) -> tuple[list[int], list[int], list[int], list[float]]:
        """Return (nodes, actions, visits, totals) of the actions at a position.

        Reading columns is far quicker than reading node by node if there are many actions.
        """
        found, nodes = [*self._actions(position)], self._tree.nodes
        action, visits, total = (nodes[name][found].tolist() for name in COLUMNS)
        return found, action, visits, total

    def _links(self, action: int) -> Iterator[int]:
        link = int(self._tree.nodes[action].first)
        while link:
            yield link
            link = int(self._tree.nodes[link].next)


class OwnTurnSearch(Search):
    """The base class for searches of the player's current turn.

    The search draws worlds from the belief, keeps its tree during the turn, and decides by the
    statistics at the root. The planner must have the parameters `choice` and `exploration`.
    """

    def __init__(self, planner: Any, turn: Turn, game: Game, seat: int, belief: LiveBelief) -> None:
        self.planner, self.turn, self.seat = planner, turn, seat
        self._belief, self._worlds = belief, Worlds(game, belief)
        self._view: View | None = None
        self._turns = 0
        self._spent, self._judged, self._visited = Spent(), 0, 0

    @abstractmethod
    def grow(self, done: int, count: int) -> None:
        """Run `count` iterations, after the first `done` iterations.

        The result must not depend on the sizes of slices.
        """

    def plies(self, turn: int) -> int:
        """Return how many of the seat's plies a search covers in the seat's turn number `turn`."""
        return 1

    def evaluated(self) -> int:
        """Return the number of positions judged in the match so far."""
        return self.turn.evaluated

    def iterated(self) -> int:
        """Return the number of iterations of this decision."""
        return self.turn.visits - self._visited

    def observe(self, own_action: int | None, view: View) -> None:
        self._belief.observe(own_action, view)
        self._worlds.forget(view)
        within = self._view is not None and self._view.to_move == self.seat == view.to_move
        self._turns += not within and view.to_move == self.seat
        if not (within and own_action is not None and self.turn.enter(own_action, view)):
            self.turn.begin(self.seat, self.plies(self._turns))
        self._view, self._spent, self._judged = view, Spent(), self.evaluated()
        self._visited = self.turn.visits

    def run(self, budget: Budget, cancelled: Callable[[], bool] | None = None) -> None:
        assert self._view is not None, "observe comes before run"
        if len(self._view.legal()) > 1:  # a single action needs no search
            run_in_slices(
                self.grow,
                self._spent,
                budget,
                SLICE,
                cancelled,
                clock=self._belief.clock,
                finished=lambda: self.turn.finished,
                growth=self.turn.growth_seconds,
            )
            if budget.limit is not None and self.turn.exhausted:
                # The last slice may ask for more iterations than were left to run, and a replay has
                # slices of other sizes.
                self._spent.iterations = min(self._spent.iterations, self.iterated())

    def decision(self) -> Decision:
        assert self._view is not None, "observe comes before decision"
        statistics = self.turn.statistics(tuple(self._view.legal()))
        action = statistics.actions[statistics.best(self.planner.choice, self.planner.exploration)]
        return Decision(
            action=action,
            actions=statistics.actions,
            values=statistics.values,
            visits=statistics.visits,
            line=self.turn.line(action),
            iterations=self._spent.iterations,
            evaluated=self.evaluated() - self._judged,
            seconds=self._spent.seconds,
            health=self._belief.health(),
        )

    def grow_own_turn(self, done: int, count: int) -> None:
        """Run `count` iterations after the first `done`, on the seat's turn.

        The worlds come from the belief.
        """
        worlds = self._worlds.first(max(done, self.turn.visits) + count)
        self.turn.place(worlds, self._worlds.most, self._worlds.certain)
        self.turn.grow(done, count)
