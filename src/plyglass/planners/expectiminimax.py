"""Expectiminimax: look at everything that players and luck can do, to a depth.

Minimax with chance nodes (Michie 1966); alpha-beta (Knuth and Moore 1975) and Star1 (Ballard 1983)
as options. Documents 000 section 0.2.1 and 002. With more than two players every player maximises
his own score (max^n, Luckhardt and Irani 1986).

Needs: luck that can be enumerated, at most 256 draws in one action, unless it is sampled; for
pruning, two sides with opposed interests, and an evaluator that keeps to the scores that the game
declares.
Cannot: reason about what others know. On a game with hidden information it searches one world that
the belief gives, as if everybody saw it; `PIMC` averages over several.

Differs from the documents in:
- it looks one step further each time until the budget is used or the depth is reached
  (`deepening`); an iteration is a position reached;
- values of the actions at the root are exact, with pruning too, so that ties are seen and values
  can be averaged over worlds;
- with pruning and more than two players, the others are taken to be one enemy;
- positions are remembered with the depth they were searched to (`memory`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_other
from plyglass.search.expectimax.frames import AVERAGED, FORESEEN, Terms
from plyglass.search.expectimax.search import ExhaustiveSearch, Sampling
from plyglass.search.interface import LiveBelief
from plyglass.search.values import TIES, Ties


@dataclass(frozen=True)
class Expectiminimax:
    """Minimax with chance nodes, exact to its depth.

    Attributes:
        depth: how far to look, in actions or plies, or to the "end" of the game.
        unit: what depth counts: "actions", or "plies", the turns of players.
        evaluator: what judges a leaf: "score" for the score so far, the name of an evaluator, ""
            for the first that the game offers.
        pruning: "none", "alpha-beta", or "star1", which prunes outcomes of luck too.
        deepening: whether to look one step further each time; otherwise at once as far as `depth`
            says.
        luck: "averaged" over all that it can bring, or "sampled": one future for every world, which
            is taken to be known. Where an action has thousands of outcomes, as drawing cards has,
            nothing else is possible.
        alternating: whether a turn is taken to be a single action, after which it passes to the
            other player (document 001).
        memory: how many positions are remembered; 32 bytes each with two players.
        ties: which of several best actions to play, if looks that were less deep find them equal
            too: the "first", the "last", or "uniform" for any, by the seed.
    """

    depth: int | Literal["end"] = "end"
    unit: Literal["actions", "plies"] = "actions"
    evaluator: str = "score"
    pruning: Literal["none", "alpha-beta", "star1"] = "none"
    deepening: bool = True
    luck: Literal["averaged", "sampled"] = "averaged"
    alternating: bool = False
    memory: int = 1 << 16
    ties: Ties = "first"

    name: ClassVar[str] = "expectiminimax"

    def __post_init__(self) -> None:
        refuse_other("unit", self.unit, ("actions", "plies"))
        refuse_other("pruning", self.pruning, ("none", "alpha-beta", "star1"))
        refuse_other("luck", self.luck, ("averaged", "sampled"))
        refuse_other("ties", self.ties, TIES)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ExhaustiveSearch:
        return self.begin_in_worlds(Sampling(), game, seat, belief, seed)

    def begin_in_worlds(
        self, sampling: Sampling, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> ExhaustiveSearch:
        """The same search, averaged over several worlds."""
        depth = None if self.depth == "end" else self.depth
        luck = FORESEEN if self.luck == "sampled" else AVERAGED
        terms = Terms(
            depth,
            self.unit,
            self.evaluator,
            self.pruning,
            luck,
            alternating=self.alternating,
            memory=self.memory,
        )
        return ExhaustiveSearch(
            terms, sampling, game, seat, belief, seed, deepening=self.deepening, ties=self.ties
        )
