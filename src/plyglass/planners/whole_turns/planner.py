"""Whole Turns: minimax in which a move is a whole turn, and equal results of a turn are merged.

If a turn has many actions, most action sequences differ only in their order and have the same
result. This search finds every result of a turn once, orders the results by the evaluator, and
looks ahead by turns. The search uses alpha-beta (Knuth and Moore 1975), a transposition table, and
Star1 and Star2 for chance (Ballard 1983). The values equal those of `expectiminimax` with
`unit=plies`, with one exception. A game may have the rule `after`, which carries out an action only
up to its chance draw. In such a game, the last turn is judged before the chance draw.

    for depth in 1, 2, ... until the budget is used:
        find all results of the turn, the most promising first
        search each by minimax, `depth` turns ahead
        plan the best result that a completed depth has found

Needs: chance that can be enumerated, with at most four chance actions in a turn. The players must
form two sides with opposed interests, or share all interests. The values of the evaluator must stay
within the declared scores.

`WholeTurns` cannot reason about what others know. In a game with hidden information, it searches
one world of the belief as if all players saw this world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.state import Bytes
from plyglass.planners.whole_turns.minimax import look_ahead, order_root
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_results.planned_turn import PlannedTurn
from plyglass.search.turn_results.workspace import EVERY_RESULT, Terms, TurnEnumeration

SLICE = 1 << 16  # positions between two checks whether the search was cancelled


@dataclass(frozen=True)
class WholeTurns:
    """Minimax over the results of whole turns.

    Attributes:
        depth: the number of turns to search, including the current turn. A small budget may not
            reach this depth.
        evaluator: the evaluator that judges leaves and orders results: the name of an evaluator of
            the game, "" for the game's first evaluator, or "score" for the score so far.
        luck: how chance is treated. "averaged" averages over every chance outcome. "foreseen"
            treats the world's own chance as known, which makes sense only with a belief that
            cheats.
        width: the number of results of a turn that are searched further, the most promising first;
            0 for all.
        memory: the number of positions to remember.
        turn: the parameters of enumerating the results of a turn.
    """

    depth: int = 2
    evaluator: str = ""
    luck: Literal["averaged", "foreseen"] = "averaged"
    width: int = 0
    memory: int = 1 << 17
    turn: TurnEnumeration = EVERY_RESULT

    name: ClassVar[str] = "whole-turns"
    moved: ClassVar[Mapping[str, str]] = {
        "actions": "turn.actions",
        "beam": "turn.beam",
        "ranked": "turn.ranked",
        "draws": "turn.draws",
        "aim": "turn.aim",
        "room": "turn.room",
    }

    def __post_init__(self) -> None:
        refuse_other("luck", self.luck, ("averaged", "foreseen"))
        refuse_less("depth", self.depth, 1)
        refuse_less("width", self.width, 0)
        refuse_less("memory", self.memory, 1)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> WholeTurnSearch:
        self.turn.refuse(game)
        if game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, so its declared scores are no bounds; use "
                "expectiminimax."
            )
        if game.players > 2 and not game.cooperative:
            raise ValueError(
                f"{game.name} has {game.players} players with interests of their own; whole-turns "
                "handles only two sides."
            )
        terms = Terms(self.evaluator, self.turn, self.depth, self.luck, self.width, self.memory)
        return WholeTurnSearch(terms, game, seat, belief)


class WholeTurnSearch(PlannedTurn):
    """A `WholeTurns` search of one seat in one match.

    An iteration is one position reached. The search deepens by one turn at a time. The decision
    uses the greatest depth that was completed.
    """

    def __init__(self, terms: Terms, game: Game, seat: int, belief: LiveBelief) -> None:
        super().__init__(terms, game, seat, belief, most=SLICE)
        self._depth = 0

    @property
    def depth(self) -> int:
        """Return the number of turns that the decision looks ahead."""
        return self._depth

    def _first_world(self) -> Bytes:
        self._depth, self._reached, self._judged = 0, 0, 0
        self._pools.forget()
        worlds, _ = self._belief.support(1)
        first: Bytes = worlds[0]
        return first

    def _begin_search(self) -> None:
        if not self._begins_at_once():
            self._find_results(1)
            if self._clock.stopped:
                self._answer_by_results()

    def _grow(self, done: int, count: int) -> None:
        most = int(self._look["reached"][0]) + count
        look_ahead(self._game.table, self._pools.memory, most)
        if self._clock.stopped:
            self._anew = True
            if self._depth == 0:
                self._answer_by_results()
        elif self._look["fault"][0]:
            if self._depth == 0:
                self._refuse_fault()
            self._over = True  # decide by the last completed depth
        elif self._look["level"][0] < 0:
            self._complete()

    def _effort(self) -> tuple[int, int]:
        return (
            self._reached + int(self._look["reached"][0]),
            self._judged + int(self._look["leaves"][0]),
        )

    def _complete(self) -> None:
        """Take the decision from the completed depth, and begin the next if more depth can help."""
        self._depth += 1
        self._plan = self._path(int(self._levels[0]["chosen"]))
        self._values = self._values_by_action()
        self._over = self._depth == self._terms.depth or not self._look["cut"][0]
        if not self._over:
            self._look_further()

    def _look_further(self) -> None:
        """Begin a search one turn deeper, with the results in the order of the last search."""
        values = self._places["value"][: self._terms.turn.room].copy()
        self._reached, self._judged = self._effort()
        self._find_results(self._depth + 1)
        if self._clock.stopped:
            self._anew = True  # decide by the last completed depth
        else:
            order_root(self._pools.memory, values)

    def _values_by_action(self) -> dict[int, float]:
        """Return each first action's best value over its turns, or an upper bound of this value."""
        ends, parents = np.array(self._ends(), np.int64), self._places["parent"]
        first = ends.copy()
        while (deeper := parents[first] > 0).any():
            first[deeper] = parents[first[deeper]]
        actions, found = self._places["action"][first].tolist(), self._places["value"][ends]
        values: dict[int, float] = {}
        for action, value in zip(actions, found.tolist(), strict=True):
            values[action] = max(value, values.get(action, value))
        return values
