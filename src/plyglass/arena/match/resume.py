"""Resume interrupted matches with new seats that observe what was played before.

A new seat in a resumed match observes everything that the earlier seat saw, but does not repeat the
earlier seat's searches. So the new seat may decide differently from a seat that has played since
the beginning. A record lists the plies at which the match was resumed, and a replay makes new seats
at the same plies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from plyglass.arena.match.agent import CheatingSeat, Seat
from plyglass.core.world import View, World
from plyglass.search.interface import Decision


class CaughtUpSeat:
    """A new seat in a match that has begun; it first repeats the decisions already played."""

    def __init__(self, seat: Seat, played: Sequence[Decision]) -> None:
        self._seat, self._played = seat, iter(played)

    def observe(self, own_action: int | None, view: View) -> None:
        self._seat.observe(own_action, view)

    def reveal(self, world: World) -> None:
        _reveal(self._seat, world)

    def decide(self) -> Decision:
        played = next(self._played, None)
        return self._seat.decide() if played is None else played


class RenewedSeat:
    """A seat that is replaced by a new seat before each decision whose number is in `renewals`.

    `take(made)` returns a new seat, which makes all decisions after the first `made` decisions.
    """

    def __init__(self, take: Callable[[int], Seat], renewals: Collection[int]) -> None:
        self._take, self._renewals = take, frozenset(renewals)
        self._seat, self._made = take(0), 0
        self._seen: list[tuple[int | None, View] | World] = []

    def observe(self, own_action: int | None, view: View) -> None:
        self._seen.append((own_action, view))
        self._seat.observe(own_action, view)

    def reveal(self, world: World) -> None:
        self._seen.append(world)
        _reveal(self._seat, world)

    def decide(self) -> Decision:
        if self._made in self._renewals:
            self._seat = self._take(self._made)
            for seen in self._seen:
                if isinstance(seen, World):
                    _reveal(self._seat, seen)
                else:
                    self._seat.observe(*seen)
        self._made += 1
        return self._seat.decide()

    def __getattr__(self, name: str) -> Any:
        """Return other attributes, such as the belief, of the current seat."""
        return getattr(self._seat, name)


def _reveal(seat: Seat, world: World) -> None:
    if isinstance(seat, CheatingSeat):
        seat.reveal(world.copy())
