"""EPIMC: extended perfect-information Monte Carlo. First actions are common to worlds that look
alike; only then is each world known.

Arjonilla, Saffidine and Cazenave 2024 (arXiv 2408.02380), "Perfect Information Monte Carlo with
Postponing Reasoning":

    worlds <- sample(N)
    value(worlds, k): the sum, over groups of worlds that look alike to who moves, of
                      the best over his actions a of  value(worlds of the group after a, k - 1)
    value(worlds, 0): the sum over the worlds of what each is worth if it is known

The value of an action is value(worlds after it, postponed - 1). With `postponed=1` this is
hindsight optimisation. From 2 on an action that shows something can be worth more than one that
does not, and for who plays alone, the more is postponed, the less is promised that nobody can keep.

Needs: what `Hindsight` needs. Cannot: see that knowing is worth something later than `postponed`
actions from now, or bluff: others answer an action, not a way to play. Once others have moved,
worlds that they could tell apart are told apart for the seat as well. Each action more that is
postponed costs as many times more as there are actions.

Differs from the paper in:
- luck to come is foreseen in each world, as in `Hindsight`; while choices are common, nobody acts
  on luck that he has not seen;
- the common choices are those of minimax over groups of worlds, in place of a solver for games of
  imperfect information;
- worlds are known by look-ahead to a horizon, in place of rollouts or of a solver for the whole
  game;
- it is anytime: hindsight first, one step further each time up to the horizon, then one action more
  is postponed each time. The decision rests on the last of these that was completed; an iteration
  is a position reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.belief import LiveBelief
from plyglass.search.choice import TIES, Ties
from plyglass.search.exhaustive.frames import FORESEEN, Terms
from plyglass.search.exhaustive.postponed import PostponedSearch


@dataclass(frozen=True)
class EPIMC:
    """Postponed clairvoyance: common actions for sampled worlds that look alike, then plan in each
    world as if it were known.

    Attributes:
        worlds: how many are sampled, each with its luck; all actions are tried in the same ones.
        postponed: how many actions, the one to decide on included, are common to worlds that look
            alike.
        horizon: how many actions to plan after the first, or to the "end" of the game.
        evaluator: what judges the end of a plan: "score" for the score so far, the name of an
            evaluator, "" for the game's first.
        costs: whether scores never rise, so that a plan that cost as much as the best one can be
            dropped.
        memory: how many positions are remembered; 0 for none.
        ties: which of several best actions to play, if looks before the last find them equal too:
            the "first", the "last", or "uniform" for any, by the seed.
    """

    worlds: int = 30
    postponed: int = 2
    horizon: int | Literal["end"] = 5
    evaluator: str = "score"
    costs: bool = False
    memory: int = 1 << 14
    ties: Ties = "first"

    name: ClassVar[str] = "epimc"

    def __post_init__(self) -> None:
        if self.postponed < 1:
            raise ValueError(
                "The action to decide on is always common to all worlds, so "
                f"postponed={self.postponed} is not possible; give 1 or more."
            )
        refuse_other("ties", self.ties, TIES)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> PostponedSearch:
        terms = Terms(
            depth=None if self.horizon == "end" else self.horizon + 1,
            evaluator=self.evaluator,
            pruning="alpha-beta" if game.discount == 1.0 else "none",
            luck=FORESEEN,
            costs=self.costs,
            memory=self.memory,
        )
        return PostponedSearch(
            self.postponed, terms, self.worlds, game, seat, belief, seed, ties=self.ties
        )
