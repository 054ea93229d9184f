"""Leaf counts of alpha-beta search with representative moves. Counts depend on the move order.

Alpha-beta can prune the trees of representative moves, because they have no chance nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, get_args

from plyglass.experiments.studies.representative_moves.actions import Acting, Cards, Moment
from plyglass.experiments.studies.representative_moves.leaves import Tree
from plyglass.experiments.studies.representative_moves.readings import Reading, Side, start

Order = Literal["as listed", "last first", "best first"]
ORDERS: tuple[Order, ...] = get_args(Order)
Move = tuple[float, Cards, Cards]
"""The gain of a turn's player by the paper's evaluation, and both fields after the turn."""


class Pruned:
    """An alpha-beta search with the paper's evaluation.

    A player's hand never changes in this search, so the evaluation leaves out the hand.
    """

    def __init__(self, reading: Reading, order: Order) -> None:
        # outcomes are merged, so a moment within a turn must include the changes of health
        reading = replace(reading, spends="nothing", merged="yes")
        self.order, self.acting = order, Acting(reading)
        self.tree = Tree(reading, representative=True)
        self.side = start(reading.hand)
        self._moves: dict[tuple[Cards, Cards], list[Move]] = {}
        self.looked_at = 0

    def leaves(self, depth: int) -> int:
        """Return how many positions a search of this depth evaluates."""
        self.looked_at = 0
        self.value(depth)
        return self.looked_at

    def value(self, depth: int) -> float:
        """Return the start position's value for the player to move, searched `depth` plies deep."""
        return self._search((), (), 0.0, depth, -float("inf"), float("inf"))

    def _search(
        self, own: Cards, other: Cards, value: float, plies: int, alpha: float, beta: float
    ) -> float:
        """Return the value for the player to move, by negamax; `value` is the evaluation so far."""
        if plies == 0:
            self.looked_at += 1
            return value
        for gain, mine, theirs in self.moves(own, other):
            alpha = max(alpha, -self._search(theirs, mine, -value - gain, plies - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def moves(self, own: Cards, other: Cards) -> list[Move]:
        """Return every way to play a turn, in the order of the search."""
        key = own, other
        if key not in self._moves:
            worth = _strength(own) - _strength(other)
            moves = [
                (
                    float(
                        each.healed
                        + each.harmed
                        + _strength(each.own)
                        - _strength(each.opposing)
                        - worth
                    ),
                    each.own,
                    each.opposing,
                )
                for each in self._ways(own, other)
            ]
            if self.order == "best first":
                moves.sort(key=lambda move: -move[0])
            self._moves[key] = moves[::-1] if self.order == "last first" else moves
        return self._moves[key]

    def _ways(self, own: Cards, other: Cards) -> Iterator[Moment]:
        for placed, card, opposing in self.tree.placings(
            self.side._replace(field=own), Side((), (), other)
        ):
            yield from self.acting.paths(self.acting.begin(placed.field, card, opposing))


def _strength(cards: Cards) -> float:
    return float(sum(sum(card[:3]) for card in cards)) / 3
