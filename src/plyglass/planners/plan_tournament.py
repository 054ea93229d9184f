"""Plan tournament: the most promising turns, tried in the same worlds with the same luck until one
is left.

Our own combination of known parts: all results of the turn, merged (as in `whole-turns`); a rollout
algorithm that improves on the turns that an evaluator would make (Tesauro and Galperin 1996);
common worlds for all plans; sequential halving (Karnin, Koren and Somekh 2013).

Needs: an evaluator that judges positions between turns well. Luck need not be enumerable: it is
drawn as in play. Cannot: see what the evaluator's turns never do. Where something is hidden,
players go on as if they saw the world that is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.core.seeds import derive
from plyglass.search.belief import LiveBelief
from plyglass.search.playout import TO_THE_END, Playout
from plyglass.search.turn.space import refuse_less
from plyglass.search.whole_turns.planned import refuse_endless
from plyglass.search.whole_turns.pools import Terms
from plyglass.search.whole_turns.tournament import TournamentSearch
from plyglass.search.workspace import Workspace

LEAST = {
    "plans": 2,
    "sources": 1,
    "turns": 0,
    "worlds": 1,
    "answers": 0,
    "beam": 0,
    "draws": 0,
    "replies": 0,
    "room": 2,
}


@dataclass(frozen=True)
class PlanTournament:
    """The most promising turns, tried in the same worlds.

    Attributes:
        plans: how many turns take part, the best by the evaluator.
        sources: in how many worlds plans are looked for, each of which gives as many; more than one
            where what is hidden changes what a turn can do.
        turns: how many turns are made after a plan before the evaluator judges the position.
        deepening: whether the first round makes one turn only, and each round after it one more.
        worlds: in how many worlds every plan of the first round is tried; twice as many in the
            next, with half of the plans.
        answers: how many of the best turns to come are kept in a first round, to be tried alone in
            the next ones; 0 to look at all turns in every world. For games with the rule `after`,
            and worth it where a turn has many results.
        evaluator: what judges positions and makes turns: a name of the game's, "" for its first,
            "score" for the score so far.
        actions: "all", or "preferred" for those that the game recommends.
        judged: who judges what a plan comes to: the "evaluator" after so many turns, or "playouts",
            which go on at once.
        playout: how these play on; the turn of the plan is the first of its turns.
        beam: how many positions within a turn are looked beyond after each action, the best by the
            evaluator; 0 for all. For games whose turns have too many positions.
        ranked: how the beam ranks positions: "judged" by the evaluator as they are, or "completed"
            by the best action each time, which costs more and sees what an action prepares.
        draws: how often luck is drawn for each action that it adds something to, as a new card,
            before a turn is planned; the turn begins with the one by which it gains most, if any. 0
            for not at all. For games with the rule `after`.
        aim: a further evaluator of the game, which says how near a win in this turn is; a turn that
            wins is looked for by it first.
        replies: the beam of turns that follow a plan, ranked as they are judged; 0 for the same as
            in the plan's own turn.
        idle: whether the seat does nothing in the turns that follow, so that others have theirs in
            a row: a plan is judged by what it leaves them to do (counterplay, document 000 section
            2.7).
        room: positions of one turn, at most.
    """

    plans: int = 16
    sources: int = 1
    turns: int = 4
    deepening: bool = False
    worlds: int = 16
    answers: int = 0
    evaluator: str = ""
    actions: Literal["all", "preferred"] = "all"
    judged: Literal["evaluator", "playouts"] = "evaluator"
    playout: Playout = TO_THE_END
    beam: int = 0
    ranked: Literal["judged", "completed"] = "judged"
    draws: int = 0
    aim: str = ""
    replies: int = 0
    idle: bool = False
    room: int = 1 << 15

    name: ClassVar[str] = "plan-tournament"

    def __post_init__(self) -> None:
        refuse_other("actions", self.actions, ("all", "preferred"))
        refuse_other("ranked", self.ranked, ("judged", "completed"))
        refuse_other("judged", self.judged, ("evaluator", "playouts"))
        if self.judged == "evaluator" and self.playout != TO_THE_END:
            raise ValueError(
                "A playout was given, but the evaluator judges; say judged=playouts, or leave out "
                "the playout."
            )
        if self.judged == "playouts" and (self.answers or self.deepening):
            raise ValueError(
                "Playouts go on by a policy, not by the best turns; leave out `answers` and "
                "`deepening`."
            )
        for name, least in LEAST.items():
            refuse_less(name, getattr(self, name), least)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> TournamentSearch:
        refuse_endless(game)
        if self.answers and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so that turns cannot be judged before luck; "
                "leave out `answers`."
            )
        if self.draws and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so that nothing is known of what luck adds to; "
                "leave out `draws`."
            )
        if self.judged == "playouts" and game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, and what a plan earns itself is not part of a "
                "playout; use judged=evaluator."
            )
        terms = Terms(
            1,
            self.evaluator,
            self.actions,
            "averaged",
            0,
            self.room,
            2,
            self.beam,
            self.ranked,
            self.draws,
            self.aim,
        )
        return TournamentSearch(
            terms,
            game,
            seat,
            belief,
            plans=self.plans,
            sources=self.sources,
            turns=self.turns,
            deepening=self.deepening,
            worlds=self.worlds,
            answers=self.answers,
            replies=self.replies,
            idle=self.idle,
            playouts=Workspace(game, seed, 0.0, "raw", self.playout)
            if self.judged == "playouts"
            else None,
            luck=derive(seed, 0),
        )
