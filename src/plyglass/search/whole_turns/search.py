"""Search by whole turns in one world: a turn further each time, until the budget is used or the
depth is reached.

An iteration is one position reached. The decision rests on the deepest look that was completed.
"""

from __future__ import annotations

from plyglass.core.game import Game
from plyglass.search.belief import LiveBelief
from plyglass.search.whole_turns import lookahead
from plyglass.search.whole_turns.planned import PlannedTurn
from plyglass.search.whole_turns.pools import Terms

SLICE = 1 << 16  # positions between two looks at whether the search was cancelled


class WholeTurnSearch(PlannedTurn):
    """A search by whole turns of one seat in one match."""

    def __init__(self, terms: Terms, game: Game, seat: int, belief: LiveBelief) -> None:
        super().__init__(terms, game, seat, belief, most=SLICE)
        self._depth = 0

    @property
    def depth(self) -> int:
        """How many turns the decision looks ahead."""
        return self._depth

    def _begin_search(self) -> None:
        self._depth, self._reached, self._judged = 0, 0, 0
        self._pools.forget()
        self._world = self._belief.support(1)[0][0]
        if not (self._wins() or self._gambles()):
            self._look_from(1)

    def _grow(self, done: int, count: int) -> None:
        pools, most = self._pools, int(self._look["reached"][0]) + count
        lookahead.look_ahead(
            self._game.table,
            pools.look,
            pools.levels,
            pools.places,
            pools.slots,
            pools.known,
            pools.plans,
            most,
        )
        if self._look["fault"][0]:
            if self._depth == 0:
                self._refuse_fault()
            self._over = True  # content with the look before
        elif self._look["level"][0] < 0:
            self._complete()

    def _effort(self) -> tuple[int, int]:
        return self._reached + int(self._look["reached"][0]), self._judged + int(
            self._look["leaves"][0]
        )

    def _complete(self) -> None:
        """Take the decision from the look that is over, and begin the next one if it can say
        more.
        """
        self._depth += 1
        self._plan, self._values = (
            self._path(int(self._pools.levels[0]["chosen"])),
            self._values_by_action(),
        )
        self._over = self._depth == self._terms.depth or not self._look["cut"][0]
        if not self._over:
            self._look_further()

    def _look_further(self) -> None:
        """Look a turn further, at the results of this one in the order that the look before has
        found.
        """
        pools, before = self._pools, self._places["value"][: self._terms.room].copy()
        self._reached, self._judged = self._effort()
        self._look_from(self._depth + 1)
        lookahead.order_root(pools.look, pools.levels, pools.places, before)

    def _values_by_action(self) -> dict[int, float]:
        """The best value that was found for a turn that begins with an action; where it was not
        looked at to the end, at most that.
        """
        values: dict[int, float] = {}
        for place in self._ends():
            action, value = self._first_action(place), float(self._places["value"][place])
            values[action] = max(value, values.get(action, value))
        return values

    def _first_action(self, place: int) -> int:
        while self._places["parent"][place] > 0:
            place = int(self._places["parent"][place])
        return int(self._places["action"][place])
