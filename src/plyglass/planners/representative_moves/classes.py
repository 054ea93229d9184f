"""This module clusters actions by their results, so a few actions can represent all others.

Every legal action is tried in several worlds that are imagined from the mover's view. All actions
are tried in the same worlds. The game's `features` describe the results. If the game has no
features, the values of its evaluators describe the results. Actions with similar results form a
class.

Two actions are always chosen: the action with the best result, and the best action that certainly
ends the turn. Without an action that ends the turn, a player could be forced to continue until
nothing is left to do. `medoids` chooses the other actions.

The random seed for these worlds is a hash of the mover's view, and does not depend on the world
that is searched. So positions that look alike to the mover have the same few actions. The list of
actions reveals neither hidden information nor later chance.
"""

from __future__ import annotations

import copy
import functools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import interpreted, kernel
from plyglass.core.game import Game
from plyglass.core.luck import mix
from plyglass.core.memory import (
    address_of,
    callable_address,
    read_action,
    read_int,
    stack_ints,
    stack_reals,
    write_action,
)
from plyglass.core.table import (
    CONSTANTS,
    FEATURES,
    LEGAL,
    PLAYERS,
    SIZE,
    TABLE_WORDS,
    address_in_table,
)
from plyglass.core.verbs import (
    copy_state,
    features,
    fingerprint,
    hide,
    imagine,
    legal,
    step,
    to_move,
)
from plyglass.planners.representative_moves.medoids import (
    choose_extremes,
    move_to_medoids,
    scale_by_spread,
)
from plyglass.search.values import BY_SCORE, evaluator_of, judge

MOST_STACK = 1 << 19  # the most bytes of stack for a choice, because threads have little stack

# The words before the constants of a reduced game: the parameters, then the table of the full game.
COUNT, WORLDS, ROUNDS, EVALUATOR, WIDTH, OFFERED, EVALUATORS, TABLE = range(8)
HEAD = TABLE + TABLE_WORDS


class Tried(NamedTuple):
    """The results of each action, summed over the worlds.

    Attributes:
        points: (actions * width,): the features of the results, action by action.
        judged: (actions,): the values of the results.
        passing: (actions,): the number of worlds in which the action ends the turn.
        features: (width,): scratch memory for the features of one position.
    """

    points: Any
    judged: Any
    passing: Any
    features: Any


@kernel
def few_legal(r, s, out):
    """List the legal actions of a game that is reduced to a few actions."""
    table = stack_ints(TABLE_WORDS)
    for word in range(TABLE_WORDS):
        table[word] = term(r, TABLE + word)
    count, player = legal(table, s, out), to_move(table, s)
    if count <= term(r, COUNT) or player < 0:
        return count
    width = term(r, WIDTH)
    tried = Tried(
        stack_reals(count * width), stack_reals(count), stack_ints(count), stack_reals(width)
    )
    chosen, classes, nearest = stack_ints(term(r, COUNT)), stack_ints(count), stack_reals(count)
    try_actions(table, r, s, player, out, tried, stack_ints(3 * (table[SIZE] >> 3)))
    fixed = choose_fixed(tried, chosen, term(r, WORLDS))
    scale_by_spread(tried.points, count, width)
    choose_extremes(tried.points, count, width, chosen, fixed, nearest)
    move_to_medoids(tried.points, count, width, chosen, fixed, classes, term(r, ROUNDS))
    return keep_chosen(out, chosen, classes)


@kernel
def term(r, name):
    """Return a parameter of the classes, which is stored before the game's constants."""
    return read_int(r, name - HEAD)


@kernel
def try_actions(table, r, s, player, out, tried, states):
    """Play every action in every world and sum the results; `states` is scratch memory."""
    view = address_of(states)
    world, after = view + table[SIZE], view + 2 * table[SIZE]
    for i in range(len(tried.points)):
        tried.points[i] = 0.0
    for i in range(len(tried.judged)):
        tried.judged[i], tried.passing[i] = 0.0, 0
    copy_state(table, view, s)
    hide(table, view, player)
    for number in range(term(r, WORLDS)):
        copy_state(table, world, view)
        imagine(table, world, player, mix(fingerprint(table, view), number))
        for i in range(len(tried.judged)):
            copy_state(table, after, world)
            mover = step(table, after, player, read_action(out, i))
            tried.passing[i] += 1 if mover != player else 0
            tried.judged[i] += judge(table, after, player, term(r, EVALUATOR))
            describe(table, r, after, player, tried, i * len(tried.features))


@kernel
def describe(table, r, s, player, tried, at):
    """Add the features of a position to `tried.points`, starting at index `at`."""
    if table[FEATURES] != 0:
        for i in range(features(table, s, player, address_of(tried.features))):
            tried.points[at + i] += tried.features[i]
        return
    for number in range(term(r, OFFERED)):
        for each in range(table[PLAYERS]):
            tried.points[at] += judge(table, s, each, read_int(term(r, EVALUATORS), number))
            at += 1


@kernel
def choose_fixed(tried, chosen, worlds):
    """Choose the best action, and the best action that certainly ends the turn.

    Only one action is chosen if the best action itself certainly ends the turn, or if no action
    certainly ends it. Returns the number of chosen actions.
    """
    best, passing = 0, -1
    for i in range(len(tried.judged)):
        if tried.judged[i] > tried.judged[best]:
            best = i
        if tried.passing[i] == worlds and (passing < 0 or tried.judged[i] > tried.judged[passing]):
            passing = i
    chosen[0] = best
    if passing < 0 or tried.passing[best] == worlds:
        return 1
    chosen[1] = passing
    return 2


@kernel
def keep_chosen(out, chosen, marks):
    """Leave only the chosen actions in `out`, in their order.

    Return the number of these actions.
    """
    for i in range(len(marks)):
        marks[i] = 0
    for place in range(len(chosen)):
        marks[chosen[place]] = 1
    count = 0
    for i in range(len(marks)):
        if marks[i]:
            write_action(out, count, read_action(out, i))
            count += 1
    return count


@dataclass(frozen=True)
class Classes:
    """The parameters of finding classes of actions.

    Attributes:
        count: the number of actions to keep.
        worlds: the number of worlds in which to try each action.
        rounds: the largest number of rounds in which chosen actions are replaced by the medoids of
            their classes; 0 keeps the first choice.
        evaluator: the evaluator that judges positions; "" is the game's first evaluator.
    """

    count: int
    worlds: int
    rounds: int
    evaluator: str = ""

    def __post_init__(self) -> None:
        if self.count < 2:
            raise ValueError(
                f"count={self.count} leaves no choice; keep at least 2: the best action, and an "
                "action that ends the turn."
            )
        if self.worlds < 1 or self.rounds < 0:
            raise ValueError(
                f"worlds={self.worlds} and rounds={self.rounds} are not possible; give 1 or more "
                "worlds and 0 or more rounds."
            )


def few_actions(game: Game, classes: Classes) -> Game:
    """Return a copy of the game, reduced to a few actions that represent all others.

    Random playouts still play all actions.
    """
    few, table = copy.copy(game), game.table.copy()
    evaluators = np.array(
        [game.evaluator(name) for name in game.evaluators] or [BY_SCORE], np.int64
    )
    width = game.most_features or len(evaluators) * game.players
    _refuse_too_large(game, width)
    evaluator = evaluator_of(game, classes.evaluator)
    terms = (classes.count, classes.worlds, classes.rounds, evaluator, width)
    head = np.array([*terms, len(evaluators), evaluators.ctypes.data, *table], np.int64)
    constants = _joined(head, game.constants_record)
    table[LEGAL], table[CONSTANTS] = _address(game.compiled), constants.ctypes.data + head.nbytes
    # Keep these objects alive, because the table holds their addresses.
    few.__dict__.update(table=table, _kept=(game, evaluators, constants))
    return few


def _refuse_too_large(game: Game, width: int) -> None:
    size = 8 * game.most_actions * (width + 4) + 3 * game.state.itemsize
    if size > MOST_STACK:
        raise ValueError(
            f"{game.name} has up to {game.most_actions} actions with {width} features. Comparing "
            f"them takes {size:,} bytes, and the limit is {MOST_STACK:,}. Declare fewer features, "
            "or name representative moves by a rule `represent`."
        )


def _joined(head: npt.NDArray[np.int64], constants: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the concatenation of head and constants as 64-bit words."""
    size = -constants.nbytes % 8
    return np.frombuffer(head.tobytes() + constants.tobytes() + bytes(size), np.int64).copy()


@functools.cache
def _compiled() -> int:
    return address_in_table("legal", few_legal)


@functools.cache
def _interpreted() -> int:
    return callable_address(interpreted(few_legal))


def _address(compiled: bool) -> int:
    """Return the address of `few_legal`, which is the same for all games."""
    return _compiled() if compiled else _interpreted()
