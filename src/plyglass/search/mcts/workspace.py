"""The memory that one tree search works in, allocated once and used for every iteration.

Kernels take `work` and `trail` instead of a dozen arrays. `work` is one record with all parameters
of an iteration. `trail` has a record for each node on the path of the iteration. Passing an array
costs time, because Numba counts references to arrays. Passing a record costs nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.state import Bytes, new_states
from plyglass.search.mcts.playout import AT_LEAF, TO_THE_END, Playout
from plyglass.search.values import BY_SCORE, evaluator_of

FRESH_LUCK = -1  # in place of the number of a history: chance is drawn anew in every iteration
CREDIT_MOVER = -1  # in place of a player: every node is credited with its mover's value

Work = np.dtype(
    [
        # addresses
        ("root", np.int64),  # the position at the root
        ("world", np.int64),  # the world of the iteration
        ("actions", np.int64),  # room for the legal actions of one decision
        ("stream", np.int64),  # the search's own random numbers
        # the game
        ("players", np.int64),
        ("most_actions", np.int64),  # at one decision
        ("most_steps", np.int64),  # the most actions in a game, and so in a playout
        # values: scaled = (score - low) / span
        ("exploration", np.float64),  # the weight of the confidence bound, on scaled values
        ("low", np.float64),
        ("span", np.float64),
        ("discount", np.float64),  # per action
        ("patience", np.int64),  # visits of a node before its children are searched
        # playouts
        ("playout_policy", np.int64),  # address of the policy of playouts, or 0 for random play
        ("playout_turns", np.int64),  # turns until a playout is cut off; 0 for no cut; or AT_LEAF
        ("playout_evaluator", np.int64),  # address of the evaluator at a playout's end, or BY_SCORE
        # the iteration
        ("values", np.float64, (MOST_PLAYERS,)),  # the value of the iteration for each player
        ("history", np.int64),  # which of several shared histories of chance, or FRESH_LUCK
        ("credited", np.int64),  # the player whose value counts at every node, or CREDIT_MOVER
        # Whether each history has its own nodes after every action, because worlds differ too.
        ("parts", np.int64),
    ],
    align=True,
)
Step = np.dtype(
    [
        ("node", np.int64),
        # The factor for later values: the discount, or 1 after an outcome of chance.
        ("factor", np.float64),
        ("reward", np.float64, (MOST_PLAYERS,)),  # earned by the action, if the game discounts
    ],
    align=True,
)


def new_trail(steps: int) -> Any:
    """Return an empty trail for an iteration; the root has no reward."""
    trail: Any = np.zeros(steps, Step).view(np.recarray)
    trail[0].factor = 1.0
    return trail


class Workspace:
    """The owner of the memory of one tree search.

    Attributes:
        work: an array (1,) of `Work`.
        trail: an array (2 * most_steps + 2,) of `Step`; the first step is the root.
        states: an array (2, bytes of a state): the position at the root, and the world of the
            iteration.
    """

    def __init__(
        self, game: Game, seed: int, exploration: float, scale: str, playout: Playout = TO_THE_END
    ) -> None:
        """Allocate memory; `scale="range"` maps the game's scores to [0, 1], "raw" keeps them."""
        low, high = game.scores if scale == "range" else (0.0, 1.0)
        self.states: Bytes = new_states(2, game.state)
        self._actions = np.zeros(game.most_actions, np.int32)
        self._stream = np.array([seed], np.uint64)
        self.trail = new_trail(2 * game.most_steps + 2)
        self.work: Any = np.zeros(1, Work).view(np.recarray)
        work = self.work[0]
        work.root, work.world = self.states[0].ctypes.data, self.states[1].ctypes.data
        work.actions, work.stream = self._actions.ctypes.data, self._stream.ctypes.data
        work.players, work.discount = game.players, game.discount
        work.most_actions, work.most_steps = game.most_actions, game.most_steps
        work.playout_policy = game.policy(playout.policy) if playout.policy else 0
        work.playout_turns = AT_LEAF if playout.at_leaf else playout.turns
        work.playout_evaluator = (
            evaluator_of(game, playout.evaluator) if playout.is_cut else BY_SCORE
        )
        work.exploration, work.low, work.span = exploration, low, high - low
        work.history, work.credited = FRESH_LUCK, CREDIT_MOVER

    @property
    def root(self) -> Bytes:
        """Return the bytes of the position at the root."""
        row: Bytes = self.states[0]
        return row
