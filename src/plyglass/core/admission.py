"""The gate for positions from outside: views in requests, start positions of records, saved games.

Compiled rules trust their state. A forged state could make a rule write outside of its memory. The
gate lets a position in only if

1. its fields, shapes and types are exactly those that the game defines,
2. every value is within `Game.ranges`,
3. the rules run without an error, with checked bounds and canaries around their memory. The rules
   list and play the legal actions, make every player's view, imagine worlds from each view, and
   continue at random.

In a process with `NUMBA_BOUNDSCHECK=1` the rules run as checked machine code. A process that serves
strangers must run checked machine code, because a search reaches positions that the gate has not
examined. In other processes the rules run as Python, which also checks bounds. Rules from a shared
library cannot be checked, so a game with such rules admits no position from outside.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import numpy as np

from plyglass.core.check.contract import raised_at
from plyglass.core.check.walk import Probe
from plyglass.core.compile import CHECKED
from plyglass.core.failures import Failures, noticed
from plyglass.core.game import Game
from plyglass.core.ranges import fields_of, outside
from plyglass.core.seeds import derive
from plyglass.core.state import HEADER, HEADER_BYTES, Bytes, new_states
from plyglass.core.table import SharedLibrary
from plyglass.core.time_limit import NeverEnded, limited
from plyglass.core.world import View, World, received

Code = Literal["fields", "range", "header", "shows-hidden", "impossible", "unchecked-game"]

CONTINUED = 64  # number of random games from the position, with checked machine code
WATCHED = 4, 25  # random games in which every position is examined; most actions in such a game
SECONDS = 60.0  # time limit for interpreted rules
SEED = 29  # for imagined worlds and random games


class PositionRefused(ValueError):
    """Raised for a position from outside that is not a position of the game.

    Attributes:
        problem: what is wrong, as a part of a sentence.
        code: what is wrong, as a word for programs. "fields" is for names, shapes and types,
            "range" for values, "header" for what only the core may write, "shows-hidden" for a view
            that reveals what its viewer cannot see, "impossible" for a position from which the
            rules cannot continue, and "unchecked-game" for a game whose rules cannot be checked.
        field: the wrong field; empty if no single field is wrong.
    """

    def __init__(self, code: Code, sentence: str, field: str = "", problem: str = "") -> None:
        super().__init__(sentence)
        self.code, self.field, self.problem = code, field, problem or sentence


def admitted(
    game: Game,
    seat: int,
    fields: Mapping[str, Any],
    trusted: bool = False,
    stays_checked: bool = False,
) -> View:
    """The view of `seat` with these fields, given as numbers and lists; an invalid view is refused.

    The fields are those of `game.state` without the header. Hiding the view again must change no
    byte of the view. Rules in a shared library cannot be checked, so their views are admitted only
    from a `trusted` source. For such views, the comparisons catch mistakes, but not attacks.

    `stays_checked` says that only checked machine code will run on the view, and that the caller
    looks for failures. In this case, the function plays no random games from the view, and so saves
    most of its time.
    """
    if not trusted:
        _refuse_unchecked(game)
    _refuse_seat(game, seat)
    row = _row_of(game, fields)
    _refuse_ranges(game, row)
    plays_on = not (stays_checked and CHECKED) or isinstance(game.rules, SharedLibrary)
    with checked_rules(game) as examination:
        examination.view(row, seat, plays_on)
    return received(game, seat, row.tobytes())


def admitted_view(game: Game, seat: int, data: bytes) -> View:
    """The view of `seat` with these bytes; an invalid view is refused."""
    _refuse_unchecked(game)
    _refuse_seat(game, seat)
    row = _row_from(game, data)
    if row[:HEADER_BYTES].any():
        raise PositionRefused(
            "header", f"The header of a view of {game.name} must be empty.", HEADER[0][0]
        )
    _refuse_ranges(game, row)
    with checked_rules(game) as examination:
        examination.view(row, seat)
    return received(game, seat, data)


def admitted_world(game: Game, data: bytes) -> World:
    """The world with these bytes, such as a start position; an invalid world is refused."""
    _refuse_unchecked(game)
    row = _row_from(game, data)
    header = row.view(game.state)[0]
    if header["tape"] != 0:
        raise PositionRefused(
            "header", f"A position of {game.name} must not dictate chance by a tape.", "tape"
        )
    for name in ("ply", "drawn"):
        if header[name] < 0:
            raise PositionRefused(
                "header", f"{name} of a position counts up from 0, so it cannot be negative.", name
            )
    _refuse_ranges(game, row)
    with checked_rules(game) as examination:
        examination.world(row)
    return World(game, row)


def examined(game: Game, world: World) -> None:
    """Run the rules as checked Python, and refuse a world from which they cannot continue."""
    with checked_rules(game.interpreted() if game.compiled else game) as examination:
        examination.world(world.row())


# -- the form


def _refuse_unchecked(game: Game) -> None:
    if isinstance(game.rules, SharedLibrary):
        raise PositionRefused(
            "unchecked-game",
            f"The rules of {game.name} are in a shared library, which cannot be checked, so no "
            "position from outside is accepted.",
        )


def _refuse_seat(game: Game, seat: Any) -> None:
    if type(seat) is not int or not 0 <= seat < game.players:
        raise PositionRefused(
            "fields",
            f"{game.name} has seats 0 to {game.players - 1}, not {str(seat)[:50]!r}.",
            "seat",
        )


def _row_from(game: Game, data: bytes) -> Bytes:
    """A copy of the state with these bytes; refuse a wrong length, and data between fields."""
    if len(data) != game.state.itemsize:
        raise PositionRefused(
            "fields",
            f"A position of {game.name} has {game.state.itemsize} bytes, not {len(data)}; it was "
            "made with another version of the game.",
        )
    row = np.frombuffer(data, np.uint8).copy()
    if row[_gaps(game)].any():
        raise PositionRefused("fields", f"A position of {game.name} has data between its fields.")
    return row


@functools.lru_cache(maxsize=64)
def _gaps(game: Game) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """The bytes of a state that belong to no field."""
    free = np.ones(game.state.itemsize, np.bool_)
    for dtype, offset, *_ in (game.state.fields or {}).values():
        free[offset : offset + dtype.itemsize] = False
    return free


def _row_of(game: Game, fields: Mapping[str, Any]) -> Bytes:
    """The state with these fields, and an empty header."""
    names = fields_of(game)
    if not isinstance(fields, Mapping):
        raise PositionRefused(
            "fields", f"A view of {game.name} is a table of its fields: {', '.join(names)}."
        )
    for name in names:
        if name not in fields:
            raise PositionRefused("fields", f"A view of {game.name} lacks {name!r}.", name)
    for name in fields:
        if name not in names:
            raise PositionRefused(
                "fields",
                f"A view of {game.name} has no field {str(name)[:50]!r}; its fields are "
                f"{', '.join(names)}.",
                str(name)[:50],
            )
    row: Bytes = new_states(1, game.state)[0]
    record = row.view(game.state)
    for name in names:
        dtype = game.state[name]
        flat: list[Any] = []
        _flatten(name, fields[name], dtype.shape, dtype.base, flat)
        record[name][0] = np.array(flat, dtype.base).reshape(dtype.shape)
    return row


def _flatten(
    name: str, value: Any, shape: tuple[int, ...], dtype: np.dtype[Any], flat: list[Any]
) -> None:
    """Append the numbers of a field; refuse a wrong shape, and values that are not numbers."""
    if shape:
        if not isinstance(value, list | tuple) or len(value) != shape[0]:
            size = len(value) if isinstance(value, list | tuple) else "no list"
            raise PositionRefused(
                "fields", f"{name} needs a list of {shape[0]} elements, not {size}.", name
            )
        for each in value:
            _flatten(name, each, shape[1:], dtype, flat)
        return
    kinds = (int, float) if dtype.kind == "f" else (int,)
    if type(value) not in kinds:
        wanted = "a number" if dtype.kind == "f" else "a whole number"
        raise PositionRefused("fields", f"{name} needs {wanted}, not {str(value)[:50]!r}.", name)
    if dtype.kind == "f":
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(dtype.type(value)):
            raise PositionRefused("range", f"{name} needs a finite number.", name)
    else:
        low, high = _whole(dtype)
        if not low <= value <= high:
            raise PositionRefused(
                "range", f"{name} must be {low} to {high}, not {str(value)[:50]}.", name
            )
    flat.append(value)


@functools.cache
def _whole(dtype: np.dtype[Any]) -> tuple[int, int]:
    """The smallest and the largest value of an integer type."""
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _refuse_ranges(game: Game, row: Bytes) -> None:
    for name, value, (low, high) in outside(game, row):
        raise PositionRefused(
            "range", f"{name} of {game.name} must be {low} to {high}, not {value}.", name
        )


# -- the rules


@contextmanager
def checked_rules(game: Game, seconds: float | None = None) -> Iterator[Examination]:
    """Yield an examination that runs checked rules; if a rule fails, refuse the position.

    If the rules run as Python, the whole examination may take at most `seconds`.
    """
    as_is = CHECKED or not game.compiled or isinstance(game.rules, SharedLibrary)
    checked = game if as_is else _interpreted(game)
    with noticed() as failures:
        examination = Examination(checked, failures)
        try:
            if checked.compiled:
                yield examination
            else:
                with limited(seconds or SECONDS), np.errstate(all="ignore"):
                    yield examination
        except PositionRefused:
            raise
        except NeverEnded as error:
            place = raised_at(checked, error)
            problem = f"the rule {examination.rule} does not end{f' ({place})' if place else ''}"
        except Exception as error:  # a rule may raise anything
            place = raised_at(checked, error)
            problem = (
                f"the rule {examination.rule} raises {type(error).__name__}: {error}"
                f"{f' ({place})' if place else ''}"
            )
        else:
            return
    raise _impossible(game, problem)


@functools.lru_cache(maxsize=16)
def _interpreted(game: Game) -> Game:
    return game.interpreted()


class Examination:
    """An examination that runs the rules of a game on a state that may be invalid.

    Attributes:
        rule: the name of the rule in progress.
    """

    def __init__(self, game: Game, failures: Failures) -> None:
        self._game, self._failures = game, failures
        self._probe = Probe(game, SEED)
        self.rule = "to_move"

    def view(self, row: Bytes, viewer: int, plays_on: bool = True) -> None:
        """Refuse a state that is not a view of `viewer`."""
        game, probe = self._game, self._probe
        probe.row[:] = row
        hidden = self.ran(probe.hidden(viewer))
        if (hidden != row).any():
            name = _first_difference(game, hidden, row)
            raise PositionRefused(
                "shows-hidden",
                f"{name} of {game.name} holds what player {viewer + 1} cannot see.",
                name,
            )
        if self._mover() == viewer:
            self._legal()
        self.rule = "imagine"
        imagined = self.ran(probe.imagined(row, viewer))
        probe.row[:] = imagined
        self.rule = "hide"
        hidden = self.ran(probe.hidden(viewer))
        if (hidden != row).any():
            name = _first_difference(game, hidden, row)
            self.refuse(f"the view of a world imagined from it has another {name}", name)
        if plays_on:
            self.world(imagined)
        else:
            probe.row[:] = imagined
            self._position()

    def world(self, row: Bytes) -> None:
        """Refuse a state that is not a world."""
        game, probe = self._game, self._probe
        probe.row[:] = row
        mover = self._mover()
        self._position()
        for action in self._legal() if mover >= 0 else ():
            self.rule = "apply"
            probe.row[:] = self.ran(probe.stepped(mover, action))
            if game.compiled:
                self._position()
            elif self._mover() >= 0:  # other rules take too long as Python
                self._legal()
            probe.row[:] = row
            if game.foresees:
                self.rule = "after"
                self.ran(probe.after(mover, action))
        games = CONTINUED if game.compiled else WATCHED[0]
        for number in range(games if mover >= 0 else 0):
            probe.row[:] = row
            game.verbs.change_luck(probe.address, np.uint64(derive(SEED, number)))
            if number < WATCHED[0]:
                self._play_on(number)
            else:
                self.rule = "legal or apply"
                self.ran(probe.play_on(mover, number, game.most_steps))

    def _position(self) -> None:
        """Run the rules for the mover, the scores, the views, the features and the actions."""
        game, probe = self._game, self._probe
        mover = self._mover()
        self.rule = "score"
        for player, score in enumerate(self.ran(probe.scores())):
            low, high = game.scores
            if not low <= score <= high:
                self.refuse(f"player {player + 1} would have a score of {score:g}")
        self._views()
        if game.describes:
            self.rule = "features"
            for player in range(game.players):
                self.ran(probe.features(player))
        if mover >= 0:
            self._legal()
            for rule in ("represent", "prefer"):
                self.rule = rule
                self._count(len(self.ran(probe.advised(rule))))

    def _views(self) -> None:
        """Hide the position for every viewer, and imagine a world from each view."""
        for viewer in range(self._game.players if self._game.hides else 0):
            self.rule = "hide"
            view = self.ran(self._probe.hidden(viewer))
            self.rule = "imagine"
            self.ran(self._probe.imagined(view, viewer))

    def _play_on(self, number: int) -> None:
        """Play at random from the position, and examine every position reached."""
        probe, choice = self._probe, np.random.default_rng(derive(SEED, number))
        for _ in range(WATCHED[1]):
            mover = self._mover()
            if mover < 0:
                return
            actions = self._legal()
            self.rule = "apply"
            probe.history.clear()
            probe.step(mover, actions[int(choice.integers(len(actions)))])
            self.ran(None)
            self._views()

    def _mover(self) -> int:
        self.rule = "to_move"
        mover: int = self.ran(self._probe.to_move())
        if not -1 <= mover < self._game.players:
            self.refuse(f"it would be the turn of player {mover + 1}")
        return mover

    def _legal(self) -> list[int]:
        self.rule = "legal"
        self._count(self.ran(self._probe.legal_count()))
        actions: list[int] = self.ran(self._probe.legal())
        if min(actions) < 0 or len(set(actions)) < len(actions):
            self.refuse("its legal actions are negative or not distinct")
        return actions

    def _count(self, count: int) -> None:
        if not 1 <= count <= self._game.most_actions:
            self.refuse(f"it has {count} legal actions, not 1 to {self._game.most_actions}")

    def ran(self, result: Any) -> Any:
        """Return the result of a rule; refuse the position if the rule failed or damaged memory."""
        if self._failures.count:
            self.refuse(f"the rule {self.rule} raises {self._failures.first}")
        if (damage := self._probe.damage()) is not None:
            self.refuse(damage.problem)
        return result

    def refuse(self, problem: str, field: str = "") -> None:
        raise _impossible(self._game, problem, field)


def _impossible(game: Game, problem: str, field: str = "") -> PositionRefused:
    sentence = f"This is no position of {game.name}: {problem}."
    return PositionRefused("impossible", sentence, field, problem)


def _first_difference(game: Game, one: Bytes, other: Bytes) -> str:
    """The first field in which two states differ, or "the header"."""
    first, second = one.view(game.state)[0], other.view(game.state)[0]
    unlike = [name for name in game.state.names or () if np.any(first[name] != second[name])]
    own = [name for name in unlike if name not in dict(HEADER)]
    return own[0] if own else "the header"
