"""The memory of a search by whole turns, and the parameters of enumerating a turn's results.

A search path has levels. If a player chooses at a level, the level holds all positions of their
turn, including the results, in the order of discovery. If chance decides at a level, the level
holds the chance outcomes. Positions and outcomes are called places. The places of a level are
contiguous, and each has its own state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from plyglass.core.compile import JIT, kernel
from plyglass.core.game import Game
from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.memory import borrow
from plyglass.core.refusals import refuse_less, refuse_other
from plyglass.core.state import new_states
from plyglass.search.clock import Clock
from plyglass.search.expectimax.outcomes import blank_tapes
from plyglass.search.values import evaluator_of

LUCKY_ACTIONS = 4  # the most chance actions in one turn
PLANS, PLAN_LENGTH = 6, 62  # recent best turns of a level; the most actions in such a turn
SPARE_STATES = 4


@dataclass(frozen=True)
class TurnEnumeration:
    """The parameters of enumerating the results of a turn.

    Attributes:
        actions: "all" tries all legal actions; "preferred" tries only actions that the game
            recommends.
        beam: the number of positions kept after each action, the best by the evaluator; 0 keeps
            all. A beam is for games whose turns have too many positions.
        ranked: how the beam ranks a position. "judged" evaluates the position as it is. "completed"
            first completes the turn greedily, which costs more, but sees what an action prepares.
        draws: the number of chance samples for each chance action, such as drawing a card. Chance
            actions are tried before the turn is planned. The turn starts with the chance action
            that improves the turn most, if any action improves it. 0 turns this off. `draws` needs
            the rule `after`.
        aim: a second evaluator of the game, which estimates how near a win in this turn is. The
            search first looks for a winning turn by this evaluator; "" turns this off.
        room: the largest number of positions of one turn.
    """

    actions: Literal["all", "preferred"] = "all"
    beam: int = 0
    ranked: Literal["judged", "completed"] = "judged"
    draws: int = 0
    aim: str = ""
    room: int = 1 << 15

    name: ClassVar[str] = "turn"

    def __post_init__(self) -> None:
        refuse_other("actions", self.actions, ("all", "preferred"))
        refuse_other("ranked", self.ranked, ("judged", "completed"))
        refuse_less("beam", self.beam, 0)
        refuse_less("draws", self.draws, 0)
        refuse_less("room", self.room, 2)

    def refuse(self, game: Game) -> None:
        """Raise an error if the turns of a game cannot be enumerated this way."""
        if not game.has_turns:
            raise ValueError(
                f"{game.name} has one player and never begins a ply, so the whole game is one "
                "turn; use expectiminimax or uct."
            )
        if self.draws and not game.foresees:
            raise ValueError(
                f"{game.name} has no rule `after`, so the search cannot tell which actions have a "
                "chance part; leave out `draws`."
            )


EVERY_RESULT = TurnEnumeration()


@dataclass(frozen=True)
class Terms:
    """The parameters of a search by whole turns.

    Attributes:
        evaluator: the evaluator that judges leaves and orders results.
        turn: how the results of a turn are enumerated.
        depth: the number of turns to search, the current one included.
        luck: "averaged" averages over every chance outcome; "foreseen" treats the world's own
            chance as known.
        width: the largest number of results of a turn that are searched further; 0 for all.
        memory: the number of positions to remember.
    """

    evaluator: str
    turn: TurnEnumeration = EVERY_RESULT
    depth: int = 1
    luck: Literal["averaged", "foreseen"] = "averaged"
    width: int = 0
    memory: int = 2


CHOICE, CHANCE = range(2)  # kinds of levels
# Kinds of places: dropped by the beam, within the turn, after the turn, before chance
DROPPED, INSIDE, RESULT, LUCKY = range(-1, 3)
FULL, LONG_TAPE, DEEP = 1, 2, 3  # faults

Look = np.dtype(  # one look-ahead to a fixed depth
    [
        ("level", np.int64),  # the level in progress; -1 when the look-ahead is over
        ("seat", np.int64),  # the player for whom positions are valued
        ("together", np.int64),  # whether all players maximise the same score
        ("low", np.float64),  # the lowest score of the game
        ("high", np.float64),  # the highest score of the game
        ("evaluator", np.int64),  # address, or BY_SCORE
        ("preferred", np.int64),  # whether only actions that the game recommends are tried
        ("foreseen", np.int64),  # whether the world's own chance is known
        ("width", np.int64),  # the most results that are searched beyond the turn
        ("beam", np.int64),  # the most positions kept after each action; 0 for all
        ("completed", np.int64),  # whether the beam ranks greedily completed turns
        ("draws", np.int64),  # chance samples for an action before a turn is planned
        ("room", np.int64),  # places in a level
        ("states", np.int64),  # address of the states of all places
        ("actions", np.int64),  # address of memory for actions
        ("spare", np.int64),  # address of memory for SPARE_STATES states
        ("clock", np.int64),  # address of the search's clock
        ("reached", np.int64),  # positions reached
        ("leaves", np.int64),  # positions judged
        ("cut", np.int64),  # whether the depth limit cut a line that could continue
        ("fault", np.int64),  # 0, FULL, LONG_TAPE or DEEP
    ],
    align=True,
)
Level = np.dtype(
    [
        ("kind", np.int64),  # CHOICE or CHANCE
        ("player", np.int64),  # whose turn it is
        ("depth", np.int64),  # turns still to search, this one included
        ("sign", np.float64),  # 1 if that player maximises the value, -1 if they minimise it
        ("used", np.int64),  # places in use
        ("count", np.int64),  # results or outcomes to search
        ("next", np.int64),  # the result or outcome in progress
        ("chosen", np.int64),  # the best place so far, or -1
        ("alpha", np.float64),
        ("beta", np.float64),
        ("floor", np.float64),  # alpha when the level was opened
        ("ceiling", np.float64),  # beta when the level was opened
        ("best", np.float64),  # the best value so far; of CHANCE: the weighted sum so far
        ("mass", np.float64),  # of CHANCE: probability of the outcomes to come
        ("rest", np.float64),  # of CHANCE: probability times bound of the outcomes to come
        ("key", np.uint64),  # the key of the position in the memory
        ("stamp", np.int64),  # marks this turn's entries in `slots`; older entries count as empty
        ("tape", np.int64),  # address of a tape
    ],
    align=True,
)
Place = np.dtype(
    [
        ("key", np.uint64),  # hash of the position
        ("parent", np.int32),  # the place in which the action was played
        ("action", np.int32),  # the action that led here; of a LUCKY place, the chance action
        ("kind", np.int32),  # DROPPED, INSIDE, RESULT or LUCKY
        ("final", np.int32),  # whether `value` needs no further search
        ("mover", np.int32),  # the player to move, or -1
        ("postponed", np.int32),  # whether the plan continues without the action's chance part
        ("order", np.int32),  # of the i-th place: the place that is searched i-th
        ("value", np.float64),  # for the seat, by the evaluator; of an outcome, a bound
        ("share", np.float64),  # of an outcome: its probability
    ],
    align=True,
)
Known = np.dtype(  # bounds of the value of a position that was searched before
    [("key", np.uint64), ("low", np.float64), ("high", np.float64)], align=True
)


class TurnMemory(NamedTuple):
    """All arrays of a search by whole turns, as one tuple for kernels.

    Attributes:
        look: `Look` [1], the parameters and progress of the present search.
        levels: `Level` [levels], the path; level 0 is the root.
        places: `Place` [levels * room + 1]. Place p of level l is number l * room + p, and its
            state is at `address`. The last place is scratch memory.
        slots: int64 [levels, power of two >= 2 * room], a hash table of the places of each level.
            An entry is stamp << 32 | place.
        known: `Known` [power of two <= memory], a hash table of positions that were searched.
        plans: int32 [levels, PLANS + 1, PLAN_LENGTH + 1], the turns that were recently best at each
            level. A plan starts with its length. The last plan is scratch memory.
    """

    look: Any
    levels: Any
    places: Any
    slots: Any
    known: Any
    plans: Any


@kernel
def borrow_memory(memory):
    """Return the memory with arrays that Numba does not reference-count, which is much faster."""
    return TurnMemory(
        borrow(memory.look),
        borrow(memory.levels),
        borrow(memory.places),
        borrow(memory.slots),
        borrow(memory.known),
        borrow(memory.plans),
    )


class Pools:
    """The owner of a `TurnMemory` and the memory that it points to.

    Attributes:
        memory: the arrays that kernels take.
        states: the states of all places, in the same order, followed by spare states.
    """

    def __init__(self, game: Game, seat: int, terms: Terms, clock: Clock) -> None:
        # One level is enough if results are judged before chance, as no later turn is searched.
        alone = terms.depth == 1 and game.foresees
        count = 1 if alone else (1 + 2 * LUCKY_ACTIONS) * terms.depth + 2
        room = terms.turn.room
        self.states = new_states(count * room + SPARE_STATES, game.state)
        self._tapes = blank_tapes(count)
        self._actions = np.zeros(game.most_actions, np.int32)
        # Interpreted code needs a recarray's attributes; compiled calls would pay for them.
        records = np.ndarray if JIT else np.recarray
        self.memory = TurnMemory(
            look=np.zeros(1, Look).view(records),
            levels=np.zeros(count, Level).view(records),
            places=np.zeros(count * room + 1, Place).view(records),
            slots=np.zeros((count, 1 << (2 * room - 1).bit_length()), np.int64),
            known=np.zeros(1 << (terms.memory.bit_length() - 1), Known).view(records),
            plans=np.zeros((count, PLANS + 1, PLAN_LENGTH + 1), np.int32),
        )
        tapes = self._tapes.ctypes.data + self._tapes.strides[0] * np.arange(count)
        self.memory.levels["tape"] = tapes
        self._clock = clock  # kept alive: the kernels have its address
        self.memory.look["clock"] = clock.search
        self._set_terms(game, seat, terms)

    def _set_terms(self, game: Game, seat: int, terms: Terms) -> None:
        look, turn = self.memory.look.view(np.recarray)[0], terms.turn
        look.level, look.seat, look.together = -1, seat, game.cooperative
        look.low, look.high = game.scores
        look.evaluator = evaluator_of(game, terms.evaluator)
        look.preferred, look.foreseen = turn.actions == "preferred", terms.luck == "foreseen"
        look.width, look.room, look.beam = terms.width or turn.room, turn.room, turn.beam
        look.completed, look.draws = turn.ranked == "completed", turn.draws
        look.states, look.spare = self.states.ctypes.data, self.states[-SPARE_STATES].ctypes.data
        look.actions = self._actions.ctypes.data

    def forget(self) -> None:
        """Forget everything, because a new position is searched.

        Remembered values do not apply to the new position. An abandoned search may have left tapes
        at any outcome.
        """
        self.memory.known["key"] = 0
        self._tapes[:, TAPE_HEAD::TAPE_STEP] = 0
