"""Three-ply MCTS: search this turn, the opponent's best replies, and the player's next turn.

The algorithm comes from McKenney 2023b ("Three-Ply MCTS for CCGs"), after Dockhorn et al. 2018.
An "end" of a turn is a position in which the turn can end.

    for each round:
        search this turn
        for each of the best ends of this turn:
            search the opponent's turn
            for each of the best ends of the opponent's turn:
                search the player's next turn
            give the end of this turn the value after the opponent's best reply

Needs: one or two players. Without an evaluator, the search judges positions by the score so far,
which is rarely useful.

`ThreePlyMCTS` cannot consider a reply that the evaluator does not rank among the opponent's best
replies. The opponent replies in the world in which the end of the turn was found, as if they knew
all hidden information.

Differs from the paper:

- A round searches the player's turn once, the opponent's turn from each of the `best` ends, and the
  player's next turn from each of the opponent's best ends. Rounds continue while the budget lasts,
  so the search is anytime. Later rounds continue from the best ends so far.
- The paper stores the frontier node from which a rollout began, and backs the value up from this
  node. Here the plan of the rollout is first added to the tree. So the new value replaces only the
  value of this plan's end.
- Among the best ends of the opponent's turn, the opponent chooses the end that is best for the
  opponent after the player's next turn.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import ClassVar, get_args

from plyglass.core.game import Game
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.seeds import derive
from plyglass.core.verbs import to_move
from plyglass.core.world import View
from plyglass.search.interface import LiveBelief
from plyglass.search.turn_tree.iteration import End
from plyglass.search.turn_tree.search import OwnTurnSearch, Turn
from plyglass.search.turn_tree.workspace import Choice, Scale, TurnOptions, TurnTree
from plyglass.search.values import evaluator_of, judge


@dataclass(frozen=True)
class ThreePlyMCTS:
    """Monte Carlo tree search of the current turn, the opponent's reply and the next turn.

    Attributes:
        best: the number of best final positions of each turn from which the search continues.
        simulations: the number of iterations for each of the 1 + best + best * best searches of a
            round.
        rollout: how a turn is played to its end: "random", "greedy" (best evaluation after each
            action), or a policy of the game.
        action_tree: whether an action is chosen by kind, then source, then target.
        exploration: the weight of the exploration term in the confidence bound.
        choice: the action to play: the one with the best "value", or the one with the most
            "visits".
        evaluator: the evaluator that judges positions: the name of an evaluator of the game,
            "score" for the score, or "" for the game's first evaluator (the score if the game has
            none).
        scale: "range" scales confidence bounds by the range of values; "raw" uses values as they
            are.
    """

    best: int = 2
    simulations: int = 100
    rollout: str = "random"
    action_tree: bool = False
    exploration: float = 1.0
    choice: Choice = "value"
    evaluator: str = ""
    scale: Scale = "range"

    name: ClassVar[str] = "three-ply-mcts"

    def __post_init__(self) -> None:
        refuse_other("choice", self.choice, get_args(Choice))
        refuse_less("best", self.best, 1)
        refuse_less("simulations", self.simulations, 1)
        self.options(closes=True)

    def begin(self, game: Game, seat: int, belief: LiveBelief, seed: int) -> ThreePlySearch:
        if game.players > 2:
            raise ValueError(
                f"{game.name} has {game.players} players; three-ply-mcts can plan against one "
                "opponent only."
            )
        return ThreePlySearch(self, game, seat, belief, seed)

    def options(self, closes: bool) -> TurnOptions:
        """Return the parameters of searching one turn."""
        return TurnOptions(
            exploration=self.exploration,
            rollout=self.rollout,
            evaluator=self.evaluator,
            scale=self.scale,
            closes=closes,
            tree=TurnTree(action_tree=self.action_tree),
        )


class ThreePlySearch(OwnTurnSearch):
    """A three-ply search of one seat in one match."""

    _searched: Turn  # the turn that is searched now
    _left: int  # iterations that this turn still gets
    _own_done: int  # iterations of the current turn at this decision

    def __init__(
        self, planner: ThreePlyMCTS, game: Game, seat: int, belief: LiveBelief, seed: int
    ) -> None:
        # The current turn is never closed: later rounds reach its ends again and continue from the
        # best of them.
        self._clock = belief.clock
        turn = Turn(
            game, planner.options(closes=False), derive(seed, 0), belief.clock, planner.best
        )
        super().__init__(planner, turn, game, seat, belief)
        self._game, self._evaluator = game, evaluator_of(game, planner.evaluator)
        options, clock = planner.options(closes=True), belief.clock
        self._reply = Turn(game, options, derive(seed, 1), clock, planner.best)
        self._next = Turn(game, options, derive(seed, 2), clock, 1)
        self._begin_rounds()

    def evaluated(self) -> int:
        return self.turn.evaluated + self._reply.evaluated + self._next.evaluated

    def observe(self, own_action: int | None, view: View) -> None:
        super().observe(own_action, view)
        self._begin_rounds()

    def grow(self, done: int, count: int) -> None:
        """Distribute the iterations over the searches of each round, in order."""
        while count > 0:
            if self._left == 0:
                self._searched, self._left = next(self._schedule), self.planner.simulations
            share = min(count, self._left)
            self._grow_searched(share)
            if self._clock.stopped:
                return
            count, self._left = count - share, self._left - share

    def _begin_rounds(self) -> None:
        self._schedule, self._searched = self._rounds(), self.turn
        self._left, self._own_done = 0, 0

    def _grow_searched(self, share: int) -> None:
        if self._searched is self.turn:
            self.grow_own_turn(self._own_done, share)
            self._own_done += share
        else:
            self._searched.grow(self.planner.simulations - self._left, share)

    def _rounds(self) -> Iterator[Turn]:
        """Yield each turn that the caller must search.

        Then give the ends of the current turn the values that were found.
        """
        while True:
            yield self.turn
            for end in self.turn.take_ends():
                if self._to_move(end) >= 0:
                    value = yield from self._value_after_reply(end)
                    self.turn.inform(end, value)

    def _value_after_reply(self, end: End) -> Generator[Turn, None, float]:
        """Search the reply and the next turn after an end, and return the value of this end."""
        opponent = self._to_move(end)
        self._search_from(self._reply, end)
        yield self._reply
        outlook = -math.inf, 0.0
        for reply in self._reply.take_ends():
            outlook = max(outlook, (yield from self._values_after_next(reply, opponent)))
        return -outlook[1]

    def _values_after_next(
        self, reply: End, opponent: int
    ) -> Generator[Turn, None, tuple[float, float]]:
        """Return (the opponent's value, minus the player's value) of the next turn's best end."""
        if self._to_move(reply) < 0:
            return reply.value, -self._judge(reply, self.seat)
        self._search_from(self._next, reply)
        yield self._next
        return self._judge(self._next.take_ends()[0], opponent), -self._next.value

    def _search_from(self, turn: Turn, end: End) -> None:
        turn.begin(self._to_move(end))
        turn.place(end.world[None], 1, certain=True)

    def _to_move(self, end: End) -> int:
        return int(to_move(self._game.table, end.world.ctypes.data))

    def _judge(self, end: End, player: int) -> float:
        return float(judge(self._game.table, end.world.ctypes.data, player, self._evaluator))
