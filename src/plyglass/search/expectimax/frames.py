"""The memory of a depth-first look-ahead: one frame for each position on the path, made once and
used for every position.

Kernels cannot call themselves, so the path is an array of frames; that also lets a search stop
anywhere and go on later. `look` is one record with everything that holds for the whole search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plyglass.core.compile import JIT
from plyglass.core.game import MOST_PLAYERS, Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import rows
from plyglass.search.expectimax.outcomes import blank_tapes
from plyglass.search.values import evaluator_of

FOREVER = 1 << 30  # a depth that is not counted down: look ahead to the end of the game
AVERAGED, FORESEEN, DICTATED = range(
    3
)  # luck: every outcome, the world's own future, or one future written on a tape
LONG_TAPE, UNLIKE_LUCK = (
    1,
    2,
)  # faults: more draws than a tape holds; a dictated future that does not mean the same everywhere

Frame = np.dtype(
    [
        ("state", np.int64),  # address of the position
        ("actions", np.int64),  # address of its legal actions
        (
            "tape",
            np.int64,
        ),  # address of the tape that enumerates the luck of the action in progress
        ("count", np.int64),  # how many actions there are
        ("next", np.int64),  # the action in progress
        ("player", np.int64),  # who moves, or -1
        ("depth", np.int64),  # how far to look from here
        ("position", np.int64),  # draws of a dictated future that led here
        ("chosen", np.int64),  # the best action so far, or -1
        ("judge", np.int64),  # which of the values the player goes by
        ("sign", np.float64),  # 1 if he wants it high, -1 if he wants it low
        ("share", np.float64),  # the probability of the outcome in progress
        ("mass", np.float64),  # the probability of the outcomes before it
        ("alpha", np.float64),  # what one side has already; a value at or below it changes nothing
        (
            "beta",
            np.float64,
        ),  # what the other side has already; a value at or above it changes nothing
        ("floor", np.float64),  # alpha when the position was reached
        ("ceiling", np.float64),  # beta when the position was reached
        ("cut", np.int64),  # whether something below was judged because the depth was used up
        ("key", np.uint64),  # what the position is remembered by
        (
            "sums",
            np.float64,
            (MOST_PLAYERS,),
        ),  # of the action in progress: probability times value, over its outcomes so far
        ("best", np.float64, (MOST_PLAYERS,)),  # the values of the best action so far
        (
            "earned",
            np.float64,
            (MOST_PLAYERS,),
        ),  # what the action in progress earned at once; used where the game discounts
    ],
    align=True,
)
Look = np.dtype(
    [
        ("level", np.int64),  # the frame in progress; -1 when the search is over
        ("seat", np.int64),  # for whom is searched
        (
            "width",
            np.int64,
        ),  # how many values a position has: one for each player, or the seat's alone
        (
            "alone",
            np.int64,
        ),  # whether the seat's value alone is kept: he wants it high, the others low
        ("together", np.int64),  # whether the others want it high as well
        ("prunes", np.int64),  # whether positions that cannot matter are skipped
        ("star", np.int64),  # whether outcomes that cannot matter are skipped (Star1)
        ("costs", np.int64),  # whether scores never rise
        ("low", np.float64),  # the lowest value there can be
        ("high", np.float64),  # the highest
        ("discount", np.float64),
        ("evaluator", np.int64),  # what judges a leaf
        ("plies", np.int64),  # whether depth counts turns instead of actions
        ("alternating", np.int64),  # whether a turn is taken to be a single action
        ("spare", np.int64),  # address of room for one state
        ("luck", np.int64),  # AVERAGED, FORESEEN or DICTATED
        ("future", np.int64),  # address of the tape of a dictated future
        ("seen", np.int64),  # address of a tape with the draws as they were first read
        ("drawn", np.int64),  # how many draws of a dictated future were read
        ("salt", np.uint64),  # keeps what is remembered of one future from another
        ("fault", np.int64),  # why the search had to stop, or 0
        ("leaves", np.int64),  # positions judged
        ("cut", np.int64),  # belongs to `values`: whether they rest on a position judged early
        ("values", np.float64, (MOST_PLAYERS,)),  # of the position that was left last
    ],
    align=True,
)


@dataclass(frozen=True)
class Terms:
    """How to look ahead.

    Attributes:
        depth: how far, in actions or plies; None for the end of the game.
        unit: what depth counts.
        evaluator: what judges a leaf: "score", a name of the game's, or "" for its first.
        pruning: "none" keeps a value for every player, each of whom maximises his own; otherwise
            the seat's value alone is kept.
        luck: AVERAGED, FORESEEN or DICTATED.
        alternating: whether every turn is taken to be a single action.
        costs: whether scores never rise, and no judgement is above the score.
        memory: how many positions are remembered, rounded down to a power of two; 0 for none.
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
        """Say in a sentence why these terms do not suit a game."""
        if self.pruning != "none" and game.discount != 1.0:
            raise ValueError(
                f"{game.name} discounts rewards, so that its declared scores bound nothing; use "
                "pruning=none."
            )
        if self.depth is not None and self.depth < 1:
            raise ValueError(
                f"A depth of {self.depth} looks at nothing; give a positive number, or none for "
                "the end of the game."
            )
        if self.memory < 0:
            raise ValueError(
                f"A memory of {self.memory} positions is not possible; give 0 or more."
            )


class Frames:
    """Owns the memory that `look`, `frames` and what is remembered point to."""

    def __init__(self, game: Game, seat: int, terms: Terms) -> None:
        counted = terms.depth is not None and terms.unit == "actions"
        count = 2 + (min(terms.depth or 0, game.most_steps) if counted else game.most_steps)
        self.states = rows(count + 1, game.state)
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
        if JIT:  # compiled code needs no attributes, which a call pays for
            self.frames, self.look = self.frames.view(np.ndarray), self.look.view(np.ndarray)
        entries = 1 << (terms.memory.bit_length() - 1) if terms.memory else 0
        self.keys = np.zeros(entries, np.uint64)
        self.known = np.zeros(
            (entries, width + 1)
        )  # the values, and whether they rest on a position judged early
        self.high = game.scores[1]
        self.results = np.zeros((game.most_actions, width))  # of the actions at the root

    def _set_terms(self, game: Game, seat: int, terms: Terms) -> None:
        look = self.look[0]
        look.level, look.seat, look.alone, look.together = (
            -1,
            seat,
            terms.pruning != "none",
            game.cooperative,
        )
        look.width = 1 if look.alone else game.players
        look.prunes, look.star, look.costs = look.alone, terms.pruning == "star1", terms.costs
        look.low, look.high = game.scores
        look.discount, look.evaluator = game.discount, evaluator_of(game, terms.evaluator)
        look.plies, look.alternating, look.luck = (
            terms.unit == "plies",
            terms.alternating,
            terms.luck,
        )
        look.spare = self.states[-1].ctypes.data
        look.future, look.seen = self._tapes[-2].ctypes.data, self._tapes[-1].ctypes.data

    def blank_future(self) -> None:
        """Make the tape of the dictated future that of the first one."""
        self._tapes[-2, TAPE_HEAD::TAPE_STEP] = 0

    def rewind(self) -> None:
        """Make the tape of the dictated future say how many of its draws were read."""
        self._tapes[-2, 0] = self.look["drawn"][0]
