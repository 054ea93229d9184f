"""The memory that one tree search works in, made once and used for every iteration.

Kernels take two records instead of a dozen arrays: `work`, one record with everything that an
iteration needs to know, and `trail`, a record for each node on the path of the iteration. Records
cost nothing to pass on, where Numba counts references to arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.state import Bytes, rows
from plyglass.search.mcts.playout import TO_THE_END, Playout
from plyglass.search.values import BY_SCORE, evaluator_of

Work = np.dtype(
    [
        ("root", np.int64),  # address of the position at the root
        ("world", np.int64),  # address of the world of the iteration
        ("actions", np.int64),  # address of room for the legal actions of one decision
        ("stream", np.int64),  # address of the search's own random numbers
        ("players", np.int64),
        ("most_actions", np.int64),  # at one decision
        ("most_steps", np.int64),  # actions in a whole game: no playout is longer
        ("exploration", np.float64),  # the weight of the confidence bound, on scaled values
        ("low", np.float64),  # the score that becomes value 0
        ("span", np.float64),  # what a score above that is divided by
        ("discount", np.float64),  # per action
        ("patience", np.int64),  # visits of a node before it is looked beyond
        (
            "playout_policy",
            np.int64,
        ),  # address of the policy that playouts go by, or 0 for at random
        ("playout_turns", np.int64),  # of a playout, or 0 for all
        (
            "playout_evaluator",
            np.int64,
        ),  # address of who judges a playout that is cut off, or BY_SCORE
        ("values", np.float64, (MOST_PLAYERS,)),  # what the iteration was worth to each player
        (
            "history",
            np.int64,
            # which history of luck the iteration has, where they are shared (document 004), else
            # FRESH_LUCK
        ),
        ("credited", np.int64),  # whose value counts at every node, or the MOVER's at his own
        (
            "parts",
            np.int64,
        ),  # whether histories part with every action, because more than luck differs between them
    ],
    align=True,
)
FRESH_LUCK = -1
MOVER = -1
Step = np.dtype(
    [
        ("node", np.int64),
        (
            "factor",
            np.float64,
            # what the value behind the node is multiplied by: the discount, or 1 behind an outcome
            # of luck
        ),
        (
            "reward",
            np.float64,
            (MOST_PLAYERS,),
        ),  # what its action earned each player; used where the game discounts
    ],
    align=True,
)


def new_trail(steps: int) -> Any:
    """Room for the trail of an iteration; the root earns nothing."""
    trail: Any = np.zeros(steps, Step).view(np.recarray)
    trail[0].factor = 1.0
    return trail


class Workspace:
    """Owns the memory that `work` and `trail` point to."""

    def __init__(
        self, game: Game, seed: int, exploration: float, scale: str, playout: Playout = TO_THE_END
    ) -> None:
        """`scale` is "range" for values from 0 to 1 by the game's declared scores, or "raw" for
        the scores themselves.
        """
        low, high = game.scores if scale == "range" else (0.0, 1.0)
        self.states: Bytes = rows(2, game.state)
        self._actions = np.zeros(game.most_actions, np.int32)
        self._stream = np.array([seed], np.uint64)
        self.trail = new_trail(2 * game.most_steps + 2)
        self.work: Any = np.zeros(1, Work).view(np.recarray)
        work = self.work[0]
        work.root, work.world = self.states[0].ctypes.data, self.states[1].ctypes.data
        work.actions, work.stream = self._actions.ctypes.data, self._stream.ctypes.data
        work.players, work.discount = game.players, game.discount
        work.most_actions, work.most_steps = game.most_actions, game.most_steps
        work.playout_policy, work.playout_turns = (
            game.policy(playout.policy) if playout.policy else 0,
            playout.turns,
        )
        work.playout_evaluator = (
            evaluator_of(game, playout.evaluator) if playout.turns else BY_SCORE
        )
        work.exploration, work.low, work.span = exploration, low, high - low
        work.history, work.credited = FRESH_LUCK, MOVER

    @property
    def root(self) -> Bytes:
        """The row of the position at the root."""
        row: Bytes = self.states[0]
        return row
