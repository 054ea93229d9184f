"""The memory of a look-ahead by whole turns.

A path has levels. A level where somebody chooses holds all positions of his turn, in the order in
which they were found, and among them the results; a level where luck decides holds its outcomes.
Both are `places`, side by side in the level's pool, each with a state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from plyglass.core.compile import JIT
from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import rows
from plyglass.search.expectimax.outcomes import blank_tapes
from plyglass.search.values import evaluator_of

CHOICE, CHANCE = range(2)  # kinds of levels
DROPPED, INSIDE, RESULT, LUCKY = range(
    -1, 3
)  # kinds of places: in the turn, but not looked beyond; in it; after it; before luck
FULL, LONG_TAPE, DEEP = 1, 2, 3  # faults
LUCKY_ACTIONS = 4  # in one turn, at most
PLANS, PLAN_LENGTH = 6, 62  # turns that were best a short while ago, for each level

Level = np.dtype(
    [
        ("kind", np.int64),
        ("player", np.int64),  # who moves
        ("depth", np.int64),  # turns still to look at, this one included
        ("sign", np.float64),  # 1 if he wants a high value, -1 if a low one
        ("used", np.int64),  # places in use
        ("count", np.int64),  # results or outcomes to look at
        ("next", np.int64),  # the one in progress
        ("chosen", np.int64),  # the best place so far, or -1
        ("alpha", np.float64),
        ("beta", np.float64),
        ("floor", np.float64),  # alpha when the level was opened
        ("ceiling", np.float64),  # beta when the level was opened
        (
            "best",
            np.float64,
            # of a choice: the best value so far; of chance: the sum of probability times value so
            # far
        ),
        ("mass", np.float64),  # of chance: probability of the outcomes to come
        ("rest", np.float64),  # of chance: probability times bound of the outcomes to come
        ("key", np.uint64),  # what the position is remembered by
        ("stamp", np.int64),  # tells entries of this turn from older ones in the table of places
        ("tape", np.int64),  # address of a tape
    ],
    align=True,
)
Place = np.dtype(
    [
        ("key", np.uint64),  # hash of the position
        ("parent", np.int32),  # the place that the action was played in
        (
            "action",
            np.int32,
        ),  # how the position was reached; of a lucky place, the action that draws luck
        ("kind", np.int32),
        ("final", np.int32),  # whether `value` is all there is to know
        ("mover", np.int32),  # who moves there, or -1
        (
            "postponed",
            np.int32,
        ),  # whether luck adds something to the action that the plan goes on without
        ("order", np.int32),  # of the i-th place: which one is i-th in the order of looking
        (
            "value",
            np.float64,
        ),  # what the seat is judged to have; of an outcome, a bound of what it is worth
        ("share", np.float64),  # of an outcome: its probability
    ],
    align=True,
)
Known = np.dtype(
    [("key", np.uint64), ("low", np.float64), ("high", np.float64)], align=True
)  # bounds of a position's value
Look = np.dtype(
    [
        ("level", np.int64),  # the level in progress; -1 when the look is over
        ("seat", np.int64),
        ("together", np.int64),  # whether all players want the same
        ("low", np.float64),
        ("high", np.float64),
        ("evaluator", np.int64),
        ("preferred", np.int64),  # whether only actions that the game recommends are looked at
        ("foreseen", np.int64),  # whether luck is the world's own and known
        ("width", np.int64),  # results that are looked at beyond the turn, at most
        (
            "beam",
            np.int64,
        ),  # positions within the turn that are looked beyond after each action, at most; 0 for all
        (
            "completed",
            np.int64,
            # whether positions are ranked for the beam by what the turn comes to if it is completed
            # greedily
        ),
        (
            "draws",
            np.int64,
            # how often luck is drawn for an action that it adds something to, before a turn is
            # planned
        ),
        ("room", np.int64),  # places in a level
        ("states", np.int64),  # address of the states of all places
        ("actions", np.int64),  # address of room for actions
        ("spare", np.int64),  # address of room for four states
        ("reached", np.int64),  # positions reached
        ("leaves", np.int64),  # positions judged
        ("cut", np.int64),  # whether a position was judged because the depth was used up
        ("fault", np.int64),
    ],
    align=True,
)


@dataclass(frozen=True)
class Terms:
    """How to look ahead.

    Attributes:
        depth: how many turns, the present one included.
        evaluator: what judges a leaf, and the order of looking.
        actions: "all", or "preferred" for those that the game recommends.
        luck: "averaged" over every outcome, or "foreseen" as the world has it.
        width: results of a turn that are looked at beyond it, at most; 0 for all.
        room: positions of one turn, at most.
        memory: positions that are remembered.
        beam: positions within a turn that are looked beyond after each action, the best by the
            evaluator; 0 for all.
        ranked: whether the evaluator judges these as they are, or completed by the best action each
            time.
        draws: how often luck is drawn for an action that it adds something to, before the turn is
            planned; 0 for not at all.
        aim: an evaluator by which a turn that wins at once is looked for before all else; "" for
            none.
    """

    depth: int
    evaluator: str
    actions: Literal["all", "preferred"]
    luck: Literal["averaged", "foreseen"]
    width: int
    room: int
    memory: int
    beam: int = 0
    ranked: Literal["judged", "completed"] = "judged"
    draws: int = 0
    aim: str = ""


class Pools:
    """Owns the memory that `look` and `levels` point to."""

    def __init__(self, game: Game, seat: int, terms: Terms) -> None:
        alone = (
            terms.depth == 1 and game.foresees
        )  # results are judged before luck, so that nothing is looked at beyond them
        count = 1 if alone else (1 + 2 * LUCKY_ACTIONS) * terms.depth + 2
        self.states = rows(count * terms.room + 4, game.state)
        self.places: Any = np.zeros(count * terms.room + 1, Place)
        self.slots = np.zeros((count, 1 << (2 * terms.room - 1).bit_length()), np.int64)
        self.known: Any = np.zeros(1 << (terms.memory.bit_length() - 1), Known)
        self.plans = np.zeros(
            (count, PLANS + 1, PLAN_LENGTH + 1), np.int32
        )  # each begins with its length
        self._tapes = blank_tapes(count)
        self._actions = np.zeros(game.most_actions, np.int32)
        self.levels: Any = np.zeros(count, Level).view(np.recarray)
        self.levels["tape"] = self._tapes.ctypes.data + self._tapes.strides[0] * np.arange(count)
        self.look: Any = np.zeros(1, Look).view(np.recarray)
        self._set_terms(game, seat, terms)
        if JIT:  # compiled code needs no attributes, which a call pays for
            self.levels, self.look = self.levels.view(np.ndarray), self.look.view(np.ndarray)
        else:
            self.places, self.known = self.places.view(np.recarray), self.known.view(np.recarray)

    def _set_terms(self, game: Game, seat: int, terms: Terms) -> None:
        look = self.look[0]
        look.level, look.seat, look.together = -1, seat, game.cooperative
        look.low, look.high = game.scores
        look.evaluator = evaluator_of(game, terms.evaluator)
        look.preferred, look.foreseen = terms.actions == "preferred", terms.luck == "foreseen"
        look.width, look.room, look.beam = terms.width or terms.room, terms.room, terms.beam
        look.completed, look.draws = terms.ranked == "completed", terms.draws
        look.states, look.spare = self.states.ctypes.data, self.states[-4].ctypes.data
        look.actions = self._actions.ctypes.data

    def forget(self) -> None:
        """Begin with a new position: what is remembered is of no use there, and a look that was
        given up may have left tapes anywhere.
        """
        self.known["key"] = 0
        self._tapes[:, TAPE_HEAD::TAPE_STEP] = 0
