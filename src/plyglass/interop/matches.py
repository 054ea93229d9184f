"""Many matches of one game, advanced in one compiled loop.

A learner plays one seat of each match, or all seats. Compiled opponents play the other seats, at
random or by a policy of the game. The policy decides in a world that is imagined from the
opponent's view. When a match ends, a new match begins in the same step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plyglass.core.compile import kernel
from plyglass.core.game import Game
from plyglass.core.luck import below, next_word
from plyglass.core.memory import address_of, borrow, read_action, write_int
from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import filled, new_states
from plyglass.core.table import PLAYERS, SIZE
from plyglass.core.verbs import (
    choose,
    copy_state,
    hide,
    imagine,
    legal,
    score,
    start,
    step,
    to_move,
)
from plyglass.interop.codec import Codec
from plyglass.interop.observation import Layout, encode

EVERY_SEAT, TAKES_TURNS = -1, -2  # special values for the learner's seat
RANDOM = 0  # special value for the address of a policy
LUCK, OTHERS = 0, 1  # random streams of a match: to begin games, and for the opponents' choices


class Truth(NamedTuple):
    """The true state of all matches.

    Attributes:
        rows: the state of each match.
        mover: the player to move.
        seat: the learner's seat in the current game, or EVERY_SEAT.
        game: how many games have begun.
        scores: the scores at the learner's last decision, by match and player.
        streams: the random streams LUCK and OTHERS of each match.
    """

    rows: npt.NDArray[np.uint8]
    mover: npt.NDArray[np.int64]
    seat: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    streams: npt.NDArray[np.uint64]


class Rules(NamedTuple):
    """The data that all matches share.

    Attributes:
        table: the table of the game's rules.
        setup: the secret setup, as bytes.
        vocabulary: the actions by number.
        runs, scatter, grid: the layout that turns a view into a vector (see `observation`).
        seat: the learner's seat, EVERY_SEAT or TAKES_TURNS.
        policy: the address of the opponents' policy, or RANDOM.
        lowest: the score for an illegal action.
    """

    table: npt.NDArray[np.int64]
    setup: npt.NDArray[np.uint8]
    vocabulary: npt.NDArray[np.int32]
    runs: npt.NDArray[np.int64]
    scatter: npt.NDArray[np.int64]
    grid: npt.NDArray[np.int64]
    seat: int
    policy: int
    lowest: float


class Seen(NamedTuple):
    """The data that learners receive, with an entry for each match.

    Attributes:
        views: the view of the learner, or of the player to move.
        last: the last view of a game that has just ended.
        masks: 1 for the number of each legal action.
        gains: the change of each player's score since the last decision.
        viewer: the player to whom the view belongs.
        actor: the player who acted last.
        over: whether the game ended.
        illegal: whether an illegal action ended the game.
    """

    views: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    masks: npt.NDArray[np.int8]
    gains: npt.NDArray[np.float64]
    viewer: npt.NDArray[np.int64]
    actor: npt.NDArray[np.int64]
    over: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]


class Room(NamedTuple):
    """Memory for one state and one list of actions."""

    state: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.int32]


class Matches:
    """Many matches of one game at once.

    `seat` is the learner's seat. With None, the learner takes the seats in turn, one per game. With
    EVERY_SEAT, the learner plays all seats. `policy` names the opponents' policy. If `policy` is
    empty, the opponents play at random.
    """

    def __init__(
        self, codec: Codec, layout: Layout, count: int, seat: int | None, policy: str = ""
    ) -> None:
        game = layout.game
        if not codec.stable:
            raise ValueError(
                f"{game.name} has no vocabulary, so its actions cannot be numbered in a compiled "
                "loop; override Game.vocabulary."
            )
        if game.compiled is False:
            raise ValueError("Matches in one compiled loop need compiled rules.")
        if seat is not None and not EVERY_SEAT <= seat < game.players:
            raise ValueError(
                f"{game.name} has the seats 0 to {game.players - 1}, not {seat}; None takes turns."
            )
        self.game, self.count = game, count
        # The setup is kept here, because kernels get the address of its memory.
        self._secret = filled(game.setup, game.default_setup())
        self.rules = Rules(
            game.table,
            self._secret.view(np.uint8),
            codec.actions,
            layout.runs,
            layout.scatter,
            layout.grid,
            TAKES_TURNS if seat is None else seat,
            game.policy(policy) if policy else RANDOM,
            game.scores[0],
        )
        self.truth = Truth(
            new_states(count, game.state),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.zeros((count, game.players)),
            np.zeros((count, 2), np.uint64),
        )
        self.seen = Seen(
            np.zeros((count, layout.size), np.float32),
            np.zeros((count, layout.size), np.float32),
            np.zeros((count, codec.size), np.int8),
            np.zeros((count, game.players)),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            np.zeros(count, np.bool_),
            np.zeros(count, np.bool_),
        )
        self._room = Room(new_states(1, game.state)[0], np.zeros(game.most_actions, np.int32))

    def begin(self, seed: int) -> Seen:
        """Begin all matches; a match's seed is derived from `seed` and the match's number."""
        for number in range(self.count):
            self.truth.streams[number, LUCK] = derive(seed, number, Purpose.LUCK)
            self.truth.streams[number, OTHERS] = derive(seed, number, Purpose.PLANNER)
        self.truth.game[:] = 0
        begin_all(self.rules, self.truth, self._room, self.seen)
        return self.seen

    def play(self, numbers: npt.NDArray[Any]) -> Seen:
        """Play the action with the given number in each match; then let the opponents play."""
        wanted = np.ascontiguousarray(numbers, np.int64)
        if wanted.shape != (self.count,):
            raise ValueError(
                f"{self.count} matches need {self.count} actions, not an array of shape "
                f"{wanted.shape}."
            )
        play_all(self.rules, self.truth, self._room, self.seen, wanted)
        return self.seen


def policy_of(game: Game, text: str) -> str | None:
    """The policy that an opponent's text names; None if the text names another kind of agent."""
    if text == "random":
        return ""
    name, _, rest = text.partition(":")
    if name != "policy" or not game.policies:
        return None
    return rest.removeprefix("policy=") or next(iter(game.policies))


@kernel
def begin_all(rules, truth, room, seen):
    rules, truth, room, seen = _rules(rules), _truth(truth), _room(room), _seen(seen)
    for match in range(len(truth.mover)):
        _begin(rules, truth, room, match)
    _show(rules, truth, room, seen)


@kernel
def play_all(rules, truth, room, seen, numbers):
    """Play an action in each match. Each step loops over all matches, which saves calls."""
    rules, truth, room, seen = _rules(rules), _truth(truth), _room(room), _seen(seen)
    _act(rules, truth, room, seen, numbers)
    _reward(rules, truth, seen)
    _renew(rules, truth, room, seen)
    _show(rules, truth, room, seen)


# These functions return the same arrays without reference counting, which is slow in kernels.


@kernel
def _rules(rules):
    return Rules(
        borrow(rules.table),
        borrow(rules.setup),
        borrow(rules.vocabulary),
        borrow(rules.runs),
        borrow(rules.scatter),
        borrow(rules.grid),
        rules.seat,
        rules.policy,
        rules.lowest,
    )


@kernel
def _truth(truth):
    return Truth(
        borrow(truth.rows),
        borrow(truth.mover),
        borrow(truth.seat),
        borrow(truth.game),
        borrow(truth.scores),
        borrow(truth.streams),
    )


@kernel
def _seen(seen):
    return Seen(
        borrow(seen.views),
        borrow(seen.last),
        borrow(seen.masks),
        borrow(seen.gains),
        borrow(seen.viewer),
        borrow(seen.actor),
        borrow(seen.over),
        borrow(seen.illegal),
    )


@kernel
def _room(room):
    return Room(borrow(room.state), borrow(room.actions))


@kernel
def _state(rules, truth, match):
    """The address of a match's state."""
    return address_of(truth.rows) + match * rules.table[SIZE]


@kernel
def _stream(truth, match, which):
    """The address of a match's random stream: LUCK or OTHERS."""
    return address_of(truth.streams) + 16 * match + 8 * which


@kernel
def _begin(rules, truth, room, match):
    """Begin a new game; opponents play until the learner is to move.

    If a game ends before the learner's first decision, another game begins.
    """
    s = _state(rules, truth, match)
    players = rules.table[PLAYERS]
    mover = np.int64(-1)
    while mover < 0:
        for word in range(rules.table[SIZE] >> 3):
            write_int(s, word, 0)
        luck = next_word(_stream(truth, match, LUCK))
        start(rules.table, address_of(rules.setup), s, luck)
        truth.seat[match] = (
            (match + truth.game[match]) % players if rules.seat == TAKES_TURNS else rules.seat
        )
        truth.game[match] += 1
        mover = _others(rules, truth, room, match, to_move(rules.table, s))
    truth.mover[match] = mover
    for player in range(players):
        truth.scores[match, player] = score(rules.table, s, player)


@kernel
def _others(rules, truth, room, match, mover):
    """Let opponents play until the learner is to move or the game is over; return the mover."""
    s, stream = _state(rules, truth, match), _stream(truth, match, OTHERS)
    while mover >= 0 and truth.seat[match] != EVERY_SEAT and mover != truth.seat[match]:
        if rules.policy == RANDOM:
            out = address_of(room.actions)
            count = legal(rules.table, s, out)
            action = np.int64(read_action(out, below(stream, count)))
        else:
            world = address_of(room.state)
            copy_state(rules.table, world, s)
            hide(rules.table, world, mover)
            imagine(rules.table, world, mover, next_word(stream))
            action = np.int64(choose(rules.table, world, stream, rules.policy))
        mover = step(rules.table, s, mover, action)
    return mover


@kernel
def _act(rules, truth, room, seen, numbers):
    """Play the learner's actions, and let opponents play. An illegal action ends a match."""
    for match in range(len(numbers)):
        player, number = truth.mover[match], numbers[match]
        seen.actor[match] = player
        wanted = 0 <= number < len(rules.vocabulary)
        seen.illegal[match] = not (wanted and seen.masks[match, number] != 0)
        mover = np.int64(-1)
        if not seen.illegal[match]:
            action = np.int64(rules.vocabulary[number])
            mover = step(rules.table, _state(rules, truth, match), player, action)
            if truth.seat[match] != EVERY_SEAT:
                mover = _others(rules, truth, room, match, mover)
        truth.mover[match] = mover
        seen.over[match] = mover < 0


@kernel
def _reward(rules, truth, seen):
    """Write how much each player's score changed."""
    for match in range(len(truth.mover)):
        s = _state(rules, truth, match)
        for each in range(rules.table[PLAYERS]):
            now = score(rules.table, s, each)
            if seen.illegal[match]:
                lost = each == seen.actor[match]
                now = rules.lowest if lost else truth.scores[match, each]
            seen.gains[match, each] = now - truth.scores[match, each]
            truth.scores[match, each] = now


@kernel
def _renew(rules, truth, room, seen):
    """Where a game is over, write the last view, and begin another game."""
    for match in range(len(truth.mover)):
        if seen.over[match]:
            _look(rules, truth, room, match, seen.actor[match], seen.last)
            _begin(rules, truth, room, match)


@kernel
def _look(rules, truth, room, match, viewer, out):
    """Write what a player sees to the match's row of `out`."""
    view = address_of(room.state)
    copy_state(rules.table, view, _state(rules, truth, match))
    hide(rules.table, view, viewer)
    base = match * out.shape[1]
    encode(view, rules.runs, rules.scatter, rules.grid, out.reshape(-1), base)


@kernel
def _show(rules, truth, room, seen):
    """Write the views of the players to move, and their legal actions."""
    out = address_of(room.actions)
    for match in range(len(truth.mover)):
        seen.viewer[match] = truth.mover[match]
        _look(rules, truth, room, match, truth.mover[match], seen.views)
        count = legal(rules.table, _state(rules, truth, match), out)
        for number in range(len(rules.vocabulary)):
            seen.masks[match, number] = 0
        for place in range(count):
            seen.masks[match, _number_of(rules.vocabulary, read_action(out, place))] = 1


@kernel
def _number_of(vocabulary, action):
    """The index of an action in the sorted vocabulary."""
    low, high = 0, len(vocabulary) - 1
    while low < high:
        middle = (low + high) // 2
        if vocabulary[middle] < action:
            low = middle + 1
        else:
            high = middle
    return low
