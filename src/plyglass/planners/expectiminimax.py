"""Expectiminimax: search all actions and all chance outcomes to a given depth.

Expectiminimax is minimax with chance nodes (Michie 1966). Alpha-beta (Knuth and Moore 1975) and
Star1 (Ballard 1983) are options. McKenney 2023a (section 0.2.1) and Taucer, Polk and Oommen 2018
describe expectiminimax. With more than two players, each player maximises their own score (max^n,
Luckhardt and Irani 1986). `search.expectimax.lookahead` implements the algorithm.

Needs: chance that can be enumerated, with at most 256 draws in one action. Sampled chance
(`luck="sampled"`) need not be enumerable. Pruning needs two sides with opposed interests, and an
evaluator whose values stay within the scores that the game declares.

`Expectiminimax` cannot reason about what others know. In a game with hidden information, it
searches one world of the belief as if all players saw this world. `PIMC` averages over several
worlds.

Differs from the papers:
- Iterative deepening runs until the budget is used or the depth is reached (`deepening`). An
  iteration is one position reached.
- Values of root actions are exact even with pruning. So the search can detect ties between actions,
  and average values over worlds.
- With pruning and more than two players, all other players are treated as one opponent.
- Positions are remembered with their search depth (`memory`).
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
    """Minimax with chance nodes, which gives exact values to a given depth.

    Attributes:
        depth: the depth of the search in actions or plies, or "end" to search to the end of the
            game.
        unit: whether the depth counts "actions" or "plies" (turns).
        evaluator: the evaluator that judges a leaf: "score" for the score so far, the name of an
            evaluator, or "" for the game's first evaluator.
        pruning: "none", "alpha-beta", or "star1", which prunes outcomes of chance too.
        deepening: whether to deepen step by step; otherwise the search uses only the full `depth`.
        luck: how chance is treated: "averaged" over all outcomes, or "sampled" as one known future
            for every world. Only "sampled" is feasible if an action, such as a card draw, has
            thousands of outcomes.
        alternating: whether a turn counts as a single action, after which the other player moves
            (McKenney 2023b).
        memory: the number of positions to remember; each takes 32 bytes with two players.
        ties: which of several equally good actions to play: the "first", the "last", or "uniform"
            for a random one. Actions count as equally good only if shallower searches also give
            them equal values.
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
        """Return a search that has the planner's parameters and averages over several worlds."""
        terms = Terms(
            depth=None if self.depth == "end" else self.depth,
            unit=self.unit,
            evaluator=self.evaluator,
            pruning=self.pruning,
            luck=FORESEEN if self.luck == "sampled" else AVERAGED,
            alternating=self.alternating,
            memory=self.memory,
        )
        return ExhaustiveSearch(
            terms, sampling, game, seat, belief, seed, deepening=self.deepening, ties=self.ties
        )
