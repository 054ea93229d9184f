"""The turn of one player, searched from where it stands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from plyglass.core.game import Game
from plyglass.core.luck import next_word
from plyglass.core.state import Bytes
from plyglass.core.world import View
from plyglass.search.information.nodes import InformationTree
from plyglass.search.root import RootStatistics
from plyglass.search.tree import ROOT
from plyglass.search.turn.descent import grow_turn, inform
from plyglass.search.turn.ends import End, Ends
from plyglass.search.turn.space import TurnOptions, TurnSpace
from plyglass.search.turn.tree import CLOSED, position_key

PATH_STEPS = 5  # nodes on the path for an action: position, kind, source, action, link


class Turn:
    """The tree of a turn, and what it takes to grow it."""

    def __init__(self, game: Game, options: TurnOptions, seed: int, best_ends: int = 0) -> None:
        self._game, self._options = game, options
        self._closes = (
            options.closes and options.plies == 1
        )  # what others do after the turn is never certain
        self._space = TurnSpace(game, seed, options)
        self._tree = InformationTree(options.most_nodes)
        self._ends = Ends(game, best_ends)
        self._path = np.zeros(PATH_STEPS * game.most_steps + 2, np.int64)
        self._worlds: Bytes | None = None
        self._most_new = 3 * game.most_actions + 2  # nodes that an action on the path can add

    def begin(self, mover: int, plies: int = 1) -> None:
        """Search a turn of `mover` from its present position, in the worlds that `place` gives;
        look through so many own plies.
        """
        self._tree.clear()
        work = self._space.work[0]
        work.mover, work.plies, work.top, work.lowest, work.highest = (
            mover,
            plies,
            ROOT,
            np.inf,
            -np.inf,
        )
        self._begin_decision()

    def place(self, worlds: Bytes, most: int, certain: bool) -> None:
        """Say which worlds there are now and that there can be `most` in all; `certain`: whether
        the mover sees all that there is.
        """
        work = self._space.work[0]
        self._worlds = worlds  # kept alive: the kernels have its address
        work.worlds, work.most_worlds, work.closes = (
            worlds.ctypes.data,
            most,
            certain and self._closes,
        )

    def enter(self, action: int, view: View) -> bool:
        """Go on from the position that an own action led to, if the tree has it."""
        found = self._position_seen(action, view)
        if found is None:
            return False
        self._space.work[0].top = found
        self._begin_decision()
        return True

    def grow(self, done: int, count: int) -> None:
        """`count` iterations after `done`."""
        tree, space = self._tree, self._space
        tree.reserve((count + 1) * self._most_new)
        tree.used = grow_turn(
            self._game.table,
            space.work,
            self._ends.records,
            tree.nodes,
            tree.slots,
            self._path,
            tree.used,
            done,
            count,
        )

    def inform(self, end: End, value: float) -> None:
        """Say what the end of a turn is worth by looking further."""
        tree, space = self._tree, self._space
        tree.reserve((len(end.plan) + 1) * self._most_new)
        space.follow(end.plan)
        tree.used = inform(
            self._game.table,
            space.work,
            tree.nodes,
            tree.slots,
            self._path,
            tree.used,
            end.number,
            value,
        )
        space.follow(())

    def take_ends(self) -> list[End]:
        """The best ends since they were last taken, the best one first."""
        ends = self._ends.best_first()
        self._ends.clear()
        return ends

    @property
    def exhausted(self) -> bool:
        """Whether every plan is known for certain."""
        return bool(self._tree.nodes[self._top].next == CLOSED)

    @property
    def finished(self) -> bool:
        """Whether more iterations would change nothing: every plan is known, or the tree is
        full.
        """
        return self.exhausted or self._options.most_nodes < self._tree.used + self._most_new

    @property
    def evaluated(self) -> int:
        """Positions that were judged so far."""
        return int(self._space.work[0].evaluated)

    @property
    def nodes(self) -> int:
        """How large the tree is."""
        return self._tree.used

    @property
    def visits(self) -> int:
        """How often the present position was searched, in earlier decisions of the turn too: no
        action of it was tried more often.
        """
        return int(self._tree.nodes[self._top].visits)

    @property
    def value(self) -> float:
        """What the mover can expect of the turn."""
        root = self._tree.nodes[self._top]
        return float(root.total / root.visits)

    def statistics(self, actions: tuple[int, ...]) -> RootStatistics:
        """What the search says of the actions at the present position."""
        found = {
            int(self._tree.nodes[node].action): self._tree.nodes[node]
            for node in self._actions(self._top)
        }
        visits = tuple(int(found[action].visits) if action in found else 0 for action in actions)
        values = tuple(
            float(found[action].total / count) if count else None
            for action, count in zip(actions, visits, strict=True)
        )
        return RootStatistics(actions, visits, values, 1.0)

    def line(self, action: int) -> tuple[tuple[int, int], ...]:
        """The best way on after an action, as (player, action), through the most likely results."""
        nodes, mover = self._tree.nodes, int(self._space.work[0].mover)
        found: list[tuple[int, int]] = []
        node = next(
            (each for each in self._actions(self._top) if nodes[each].action == action), None
        )
        while node is not None and nodes[node].visits > 0 and len(found) < self._game.most_steps:
            found.append((mover, int(nodes[node].action)))
            position = int(nodes[max(self._links(node), key=lambda link: nodes[link].visits)].first)
            tried = [each for each in self._actions(position) if nodes[each].visits > 0]
            node = max(tried, key=lambda each: nodes[each].total / nodes[each].visits, default=None)
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
        key = position_key(self._options.transpositions, np.uint64(view.fingerprint), node)
        positions = (int(self._tree.nodes[link].first) for link in self._links(node))
        return next((each for each in positions if self._tree.nodes[each].key == key), None)

    def _actions(self, position: int) -> Iterator[int]:
        """The actions at a position, in all of its groups."""
        for child in self._tree.children(position):
            if self._tree.nodes[child].lucky:
                yield child
            else:
                yield from self._actions(child)

    def _links(self, action: int) -> Iterator[int]:
        link = int(self._tree.nodes[action].first)
        while link:
            yield link
            link = int(self._tree.nodes[link].next)
