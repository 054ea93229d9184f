"""Whole turns: minimax in which a move is a whole turn, and equal results of a turn are one.

Where a turn is many actions, most sequences of them are the same result in another order. This
search finds every result of a turn once, orders them by the evaluator, and looks ahead by turns:
alpha-beta (Knuth and Moore 1975), Star1 and Star2 for luck (Ballard 1983; Star2 probes with turns
that were best before), and a memory of positions. Values are those of `expectiminimax` with
`unit=plies`; but where a game says what an action comes to before luck (the rule `after`), the last
turn is judged there.

Needs: luck that can be enumerated, at most four lucky actions in a turn; two sides with opposed
interests or one with common ones; an evaluator that keeps to the scores that the game declares.
Cannot: reason about what others know. On a game with hidden information it searches one world that
the belief gives, as if everybody saw it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_results import minimax as lookahead
from plyglass.search.turn_results.planned_turn import PlannedTurn, refuse_endless
from plyglass.search.turn_results.workspace import Terms
from plyglass.search.turn_tree.workspace import refuse_less


@dataclass(frozen=True)
class WholeTurns:
    """Minimax over the results of whole turns.

    Attributes:
        depth: how many turns to look ahead, one's own included; a smaller budget looks less far.
        evaluator: what judges a leaf and orders results: a name of the game's, "" for its first,
            "score" for the score so far.
        actions: "all", or "preferred" for those that the game recommends.
        luck: "averaged" over every outcome; "foreseen" takes the world's own luck as known, which
            is honest only with a belief that cheats.
        width: how many results of a turn to look at beyond it, the most promising ones; 0 for all.
        beam: how many positions within a turn are looked beyond after each action, the best by the
            evaluator; 0 for all. For games whose turns have too many positions.
        ranked: how the beam ranks positions: "judged" by the evaluator as they are, or "completed"
            by the best action each time, which costs more and sees what an action prepares.
        draws: how often luck is drawn for each action that it adds something to, as a new card,
            before a turn is planned; the turn begins with the one by which it gains most, if any. 0
            for not at all. For games with the rule `after`.
        aim: a further evaluator of the game, which says how near a win in this turn is; a turn that
            wins is looked for by it first.
        room: positions of one turn, at most.
        memory: positions that are remembered.
    """

    depth: int = 2
    evaluator: str = ""
    actions: Literal["all", "preferred"] = "all"
    luck: Literal["averaged", "foreseen"] = "averaged"
    width: int = 0
    beam: int = 0
    ranked: Literal["judged", "completed"] = "judged"
    draws: int = 0
    aim: str = ""
    room: int = 1 << 15
    memory: int = 1 << 17

    name: ClassVar[str] = "whole-turns"

    def __post_init__(self) -> None:
        refuse_other("actions", self.actions, ("all", "preferred"))
        refuse_other("ranked", self.ranked, ("judged", "completed"))
        refuse_other("luck", self.luck, ("averaged", "foreseen"))
        for name, least in (
            ("depth", 1),
            ("width", 0),
            ("beam", 0),
            ("draws", 0),
            ("room", 2),
            ("memory", 1),
        ):
            refuse_less(name, getattr(self, name), least)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> WholeTurnSearch:
        refuse_endless(game)
        if game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, so that its declared scores bound nothing; use "
                "expectiminimax."
            )
        if game.players > 2 and not game.cooperative:
            raise ValueError(
                f"{game.name} has {game.players} players with interests of their own; whole-turns "
                "knows two sides."
            )
        if self.draws and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so that nothing is known of what luck adds to; "
                "leave out `draws`."
            )
        terms = Terms(
            self.depth,
            self.evaluator,
            self.actions,
            self.luck,
            self.width,
            self.room,
            self.memory,
            self.beam,
            self.ranked,
            self.draws,
            self.aim,
        )
        return WholeTurnSearch(terms, game, seat, belief)


# Search by whole turns in one world: a turn further each time, until the budget is used or the
# depth is reached.
#
# An iteration is one position reached. The decision rests on the deepest look that was completed.


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
