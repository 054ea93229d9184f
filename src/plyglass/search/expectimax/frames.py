"""The memory of a depth-first look-ahead: one frame for each position on the path.

Kernels cannot call themselves, so the path is an array of frames, allocated once. This array also
lets a search stop anywhere and continue later. `look` is one record with the parameters and the
progress of the whole search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plyglass.core.compile import JIT
from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import new_states
from plyglass.search.expectimax.outcomes import blank_tapes
from plyglass.search.values import evaluator_of

FOREVER = 1 << 30  # a depth that is never reduced: look ahead to the end of the game
# Chance: average over all outcomes, foresee the world's own future, or dictate a future by a tape.
AVERAGED, FORESEEN, DICTATED = range(3)
# Faults: more draws than a tape holds; a dictated draw that depends on the actions.
LONG_TAPE, UNLIKE_LUCK = 1, 2

Frame = np.dtype(
    [
        # the position
        ("state", np.int64),  # its address
        ("actions", np.int64),  # address of the legal actions
        ("tape", np.int64),  # address of the tape that enumerates the outcomes of an action
        ("count", np.int64),  # how many actions there are
        ("next", np.int64),  # the action in progress
        ("player", np.int64),  # who moves, or -1
        ("depth", np.int64),  # the depth that is left to search from here
        ("position", np.int64),  # how many draws of a dictated future were read on the way here
        # the choice
        ("chosen", np.int64),  # the best action so far, or -1
        ("judge", np.int64),  # the index of the value by which the player decides
        ("sign", np.float64),  # 1 if the player maximises this value, -1 if they minimise it
        ("share", np.float64),  # the probability of the outcome in progress
        ("mass", np.float64),  # the probability of all earlier outcomes of the action
        # pruning
        ("alpha", np.float64),  # a value at or below alpha changes nothing
        ("beta", np.float64),  # a value at or above beta changes nothing
        ("floor", np.float64),  # alpha when the position was reached
        ("ceiling", np.float64),  # beta when the position was reached
        ("cut", np.int64),  # whether the depth limit cut a line below this position
        ("key", np.uint64),  # the key of the position in the memory
        # values, `look.width` of them
        ("sums", np.float64, (MOST_PLAYERS,)),  # action in progress: sum of probability * value
        ("best", np.float64, (MOST_PLAYERS,)),  # values of the best action so far
        ("earned", np.float64, (MOST_PLAYERS,)),  # rewards of the action, if the game discounts
    ],
    align=True,
)
Look = np.dtype(
    [
        ("level", np.int64),  # the frame in progress; -1 when the search is over
        ("seat", np.int64),  # the player whose action is searched
        ("width", np.int64),  # values of a position: one for each player, or the seat's alone
        ("alone", np.int64),  # whether only the seat's value is kept
        # Whether all players maximise the seat's value; otherwise the other players minimise it.
        ("together", np.int64),
        ("prunes", np.int64),  # whether actions that cannot matter are skipped
        ("star", np.int64),  # whether outcomes that cannot matter are skipped (Star1)
        ("costs", np.int64),  # whether scores never rise
        ("low", np.float64),  # the lowest possible value
        ("high", np.float64),  # the highest possible value
        ("discount", np.float64),
        ("evaluator", np.int64),  # the evaluator that judges leaves
        ("plies", np.int64),  # whether depth counts turns instead of actions
        ("alternating", np.int64),  # whether every turn counts as a single action
        ("spare", np.int64),  # address of memory for one state
        ("luck", np.int64),  # AVERAGED, FORESEEN or DICTATED
        ("future", np.int64),  # address of the tape of a dictated future
        ("seen", np.int64),  # address of a tape with the draws as they were first read
        ("drawn", np.int64),  # how many draws of a dictated future were read
        ("salt", np.uint64),  # part of the keys in memory, different for each future
        ("fault", np.int64),  # why the search had to stop, or 0
        ("leaves", np.int64),  # positions judged
        # what the position that was left last passes on to its parent
        ("cut", np.int64),  # whether the depth limit cut a line
        ("values", np.float64, (MOST_PLAYERS,)),
    ],
    align=True,
)


@dataclass(frozen=True)
class Terms:
    """The parameters of a look-ahead.

    Attributes:
        depth: the depth of the search in actions or plies, or None to search to the end of the
            game.
        unit: whether the depth counts "actions" or "plies".
        evaluator: the evaluator that judges a leaf: "score", an evaluator of the game, or "" for
            the game's first evaluator.
        pruning: which pruning to use. With "none", the search stores a value for every player, and
            each player maximises their own value. Otherwise the search stores only the seat's
            value.
        luck: AVERAGED, FORESEEN or DICTATED.
        alternating: whether every turn counts as a single action.
        costs: whether scores never rise, and no evaluation is above the score.
        memory: the number of positions to remember, rounded down to a power of two; 0 for none.
    """

    depth: int | None = None
    unit: Literal["actions", "plies"] = "actions"
    evaluator: str = "score"
    pruning: Literal["none", "alpha-beta", "star1"] = "none"
    luck: int = AVERAGED
    alternating: bool = False
    costs: bool = False
    memory: int = 0

    def refuse(self, game: Game) -> None:
        """Raise an error if a game cannot be searched with these parameters."""
        if self.pruning != "none" and game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, so values may lie outside its declared scores; "
                "use pruning=none."
            )
        if self.depth is not None and self.depth < 1:
            raise ValueError(
                f"A depth of {self.depth} looks at nothing; give a positive number, or end to look "
                "to the end of the game."
            )
        if self.memory < 0:
            raise ValueError(
                f"A memory of {self.memory} positions is not possible; give 0 or more."
            )


class Frames:
    """The owner of the memory of a look-ahead.

    Attributes:
        look: an array (1,) of `Look`.
        frames: an array (count,) of `Frame`, the positions on the path, the root first.
        states: an array (count + 1, bytes of a state), the state of each frame and a spare state.
        keys: an array (entries,), the keys of remembered positions. The number of entries is a
            power of two, or 0.
        known: an array (entries, width + 1), the values of the remembered positions, and whether
            the depth limit affected these values.
        results: an array (most_actions, width), the values of the root actions.
        high: the highest possible value.
    """

    def __init__(self, game: Game, seat: int, terms: Terms) -> None:
        counted = terms.depth is not None and terms.unit == "actions"
        count = 2 + (min(terms.depth or 0, game.most_steps) if counted else game.most_steps)
        self.states = new_states(count + 1, game.state)
        self._actions = np.zeros((count, game.most_actions), np.int32)
        self._tapes = blank_tapes(count + 2)
        self.frames: Any = np.zeros(count, Frame).view(np.recarray)
        for name, memory in (
            ("state", self.states),
            ("actions", self._actions),
            ("tape", self._tapes),
        ):
            self.frames[name] = memory.ctypes.data + memory.strides[0] * np.arange(count)
        self.look: Any = np.zeros(1, Look).view(np.recarray)
        self._set_terms(game, seat, terms)
        width = int(self.look[0].width)
        if JIT:  # compiled code needs no recarray, and calls with one are slower
            self.frames, self.look = self.frames.view(np.ndarray), self.look.view(np.ndarray)
        entries = 1 << (terms.memory.bit_length() - 1) if terms.memory else 0
        self.keys = np.zeros(entries, np.uint64)
        self.known = np.zeros((entries, width + 1))
        self.high = game.scores[1]
        self.results = np.zeros((game.most_actions, width))

    def _set_terms(self, game: Game, seat: int, terms: Terms) -> None:
        look = self.look[0]
        look.level, look.seat = -1, seat
        look.alone, look.together = terms.pruning != "none", game.cooperative
        look.width = 1 if look.alone else game.players
        look.prunes, look.star, look.costs = look.alone, terms.pruning == "star1", terms.costs
        look.low, look.high = game.scores
        look.discount, look.evaluator = game.discount, evaluator_of(game, terms.evaluator)
        look.plies, look.alternating = terms.unit == "plies", terms.alternating
        look.luck = terms.luck
        look.spare = self.states[-1].ctypes.data
        look.future, look.seen = self._tapes[-2].ctypes.data, self._tapes[-1].ctypes.data

    def blank_future(self) -> None:
        """Reset the tape to the first future."""
        self._tapes[-2, TAPE_HEAD::TAPE_STEP] = 0

    def rewind(self) -> None:
        """Set the length of the dictated future to the number of draws that were read."""
        self._tapes[-2, 0] = self.look["drawn"][0]
