"""Let an evaluator play games against itself in compiled code, to learn evaluators.

The seed determines the whole game. A game gives the features of every turn's result. Thousands of
games take about a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, uniform
from plyglass.core.memory import address_of
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.table import AFTER
from plyglass.core.verbs import features, score, step, to_move
from plyglass.search.clock import Clock
from plyglass.search.turn_results.best_turn import NONE, best_gamble, find_best, take
from plyglass.search.turn_results.results import address
from plyglass.search.turn_results.workspace import (
    INSIDE,
    RESULT,
    Pools,
    Terms,
    TurnEnumeration,
    borrow_memory,
)

Numbers = npt.NDArray[np.float64]


@kernel
def play_game(tables, memory, world, stream, dice, seen, scores):
    """Play a game to its end and return the number of turns.

    Each seat plays with its own table, because seats may have different weights. `seen` gets the
    features of every turn's result, for every player. If the game has a rule `after`, these are the
    features before the chance event that ends the turn. With probability `dice`, the player plays a
    random one of the turns that the search found, instead of the best turn.
    """
    memory = borrow_memory(memory)
    places, turns, mover = memory.places, 0, to_move(tables[0], world)
    while mover >= 0 and turns < len(seen):
        table = tables[mover]
        gamble = best_gamble(table, memory, world, mover)
        if gamble != NONE:
            mover = step(table, world, mover, gamble)
            continue
        chosen = choose_turn(table, memory, world, mover, stream, dice)
        if places[chosen].kind == RESULT or table[AFTER] != 0:
            for player in range(len(scores)):
                values = address_of(seen) + 8 * seen.shape[2] * (turns * seen.shape[1] + player)
                features(table, address(table, memory.look[0], 0, chosen), player, values)
            turns += 1
        mover = take(table, memory, world, mover, chosen)
    for player in range(len(scores)):
        scores[player] = score(tables[0], world, player)
    return turns


@kernel
def choose_turn(table, memory, world, mover, stream, dice):
    """Choose the best turn by the evaluator or, with probability `dice`, a random turn."""
    chosen = find_best(table, memory, world, mover)
    if uniform(stream) < dice:
        chosen = any_place(memory.levels[0], memory.places, stream)
    return chosen


@kernel
def any_place(root, places, stream):
    """Return the result of a random turn, drawn uniformly from the results that were found."""
    chosen, found = root.chosen, 0
    for place in range(root.used):
        if places[place].kind > INSIDE:
            found += 1
            if below(stream, found) == 0:
                chosen = place
    return chosen


class SelfPlay:
    """Games that an evaluator plays against itself.

    With `draws`, chance actions are sampled before a turn is planned, and the beam ranks completed
    turns.
    """

    def __init__(
        self,
        game: Game,
        evaluator: str,
        *,
        dice: float = 0.0,
        beam: int = 0,
        draws: int = 0,
        room: int = 1 << 15,
    ) -> None:
        if not game.describes:
            raise ValueError(
                f"Cannot learn from {game.name}: it has no rule `features` to describe positions."
            )
        self._game, self._dice = game, dice
        actions: Literal["all", "preferred"] = "preferred" if game.prefers else "all"
        ranked: Literal["judged", "completed"] = "completed" if draws else "judged"
        turn = TurnEnumeration(actions, beam, ranked, draws, room=room)
        self._pools = Pools(game, 0, Terms(evaluator, turn), Clock())
        self._world = new_states(1, game.state)[0]
        self._stream = np.zeros(1, np.uint64)

    def play(
        self, seed: int, most_turns: int = 1000, seats: Sequence[Game] = ()
    ) -> tuple[Numbers, Numbers]:
        """Play a game; return the features of turn results, by turn and player, and the scores.

        `seats` gives a copy of the game for each seat, which may have other weights.
        """
        game, pools = self._game, self._pools
        seen, scores = (
            np.zeros((most_turns, game.players, game.most_features)),
            np.zeros(game.players),
        )
        self._world[:] = game.start(derive(seed, 0)).row()
        self._stream[0] = derive(seed, 1)
        tables = np.stack([each.table for each in seats or [game] * game.players])
        turns = play_game(
            tables, pools.memory, self._world.ctypes.data, self._stream.ctypes.data,
            self._dice, seen, scores,
        )  # fmt: skip
        return seen[:turns], scores

    def end_value(self, player: int, evaluator: int) -> float:
        """Return a player's value of the last game's end; `evaluator` is an address."""
        verbs, table = self._game.verbs, self._game.table
        return float(verbs.evaluate(table, self._world.ctypes.data, player, evaluator))
