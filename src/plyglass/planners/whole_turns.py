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
from plyglass.search.belief import LiveBelief
from plyglass.search.turn.space import refuse_less
from plyglass.search.whole_turns.planned import refuse_endless
from plyglass.search.whole_turns.pools import Terms
from plyglass.search.whole_turns.search import WholeTurnSearch


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
