"""Encodings of states as inputs of a net, derived from a state's record and sampled positions.

| field or number                                  | inputs                                    |
|--------------------------------------------------|-------------------------------------------|
| a field whose first dimension is the players     | the part of `player` first                |
| a field that names players, or marks of players  | which player, counted from `player`       |
| a set, or a 64-bit number with over MANY values  | the members that vary                     |
| at most FEW values                               | one-hot                                   |
| at most SOME values, such as cells               | one-hot, and also scaled                  |
| any other number                                 | scaled, with steps at quantiles           |
| a list of things, such as cards or cells         | also how many there are of each, by owner |
| a number that is the same in all samples         | none                                      |

`player` is the player for whom the net judges the state. A list of things is a field with several
places, whose numbers have more than FEW values. All places that belong to one owner share their
inputs and weights. So what a net learns about a thing in one place also holds in every other place.

The header is left out: chance is secret, and a search numbers the plies of its worlds anew. The
seat of `player` and the player to move are inputs of every net.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from plyglass.core.game import Game
from plyglass.core.nets import inputs as code
from plyglass.core.nets.file import Encoding, Kind, layout_of
from plyglass.core.state import HEADER, Bytes

FEW, SOME = 12, 64
WIDEST = 1024  # the largest range of values for one-hot inputs
LONGEST = 512  # the most different values in a list of things
MANY = 32  # a 64-bit number with more values than this is a set
QUANTILES = (1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6)
MEMBERS = (1 << 63) - 1  # a set has the members 0 to 62

Numbers = npt.NDArray[Any]


def encoding_of(
    game: Game, rows: Bytes, *, kind: Kind = "world", features: bool = True, apart: bool = False
) -> Encoding:
    """Derive an encoding from sampled worlds.

    Args:
        game: the game of the worlds.
        rows: sampled worlds in which somebody is to move.
        kind: "world", or "view" for what each player sees of these worlds.
        features: whether the game's features are inputs too. A view has no features.
        apart: whether each seat gets its own weights.
    """
    if not len(rows):
        raise ValueError("An encoding needs sampled positions; give at least one.")
    seen = [_seen(game, rows, player, kind) for player in range(game.players)]
    made = _Program(game.players)
    for name in game.state.names or ():
        if name not in dict(HEADER):
            _add_field(made, game, name, seen)
    count, scales = 0, list[float]()
    if features and kind == "world" and game.describes:
        count = game.most_features
        scales = _feature_scales(game, rows)
    return Encoding(
        layout_of(game.state),
        game.players,
        kind,
        np.array(made.rows, np.int64).reshape(-1, code.COLUMNS),
        np.array([*made.numbers, *scales], np.float64),
        np.array(made.lookups, np.int64),
        count,
        made.inputs + count,
        apart,
    )


class _Program:
    """The instructions so far, and the numbers that the instructions refer to."""

    def __init__(self, players: int) -> None:
        self.rows: list[tuple[int, ...]] = []
        self.numbers: list[float] = []
        self.lookups: list[int] = []
        self.inputs = 2 * players  # the player to move, and the seat of `player`

    def add(self, op: int, place: tuple[int, ...], width: int, *rest: int) -> None:
        """Add an instruction that turns the number at `place` into `width` inputs."""
        self.rows.append((op, *place, self.inputs, *rest))
        self.inputs += width

    def add_one_hot(self, place: tuple[int, ...], values: Numbers) -> None:
        low, count = int(values[0]), int(values[-1]) - int(values[0]) + 1
        at, found = len(self.lookups), {int(value): i for i, value in enumerate(values)}
        self.lookups += [found.get(low + i, -1) for i in range(count)]
        self.add(code.ONE_HOT, place, len(values), low, count, at)

    def add_list(self, places: Sequence[tuple[int, ...]], values: Numbers) -> None:
        """Add one-hot inputs that all places share, so they count the things at all places."""
        at, inputs = len(self.lookups), self.inputs
        for place in places:
            del self.lookups[at:]  # all places look up the same values
            self.inputs = inputs
            self.add_one_hot(place, values)

    def add_number(self, place: tuple[int, ...], sample: Numbers) -> None:
        given = np.nan_to_num(sample.astype(np.float64))
        inside = np.quantile(given, QUANTILES, method="lower")
        steps = [float(step) for step in np.unique(inside) if step < given.max()]
        at = len(self.numbers)
        self.numbers += [float(given.mean()), 1.0 / float(given.std()), *steps]
        self.add(code.NUMBER, place, 1 + len(steps), 0, len(steps), at)


def _seen(game: Game, rows: Bytes, player: int, kind: Kind) -> Any:
    """The sampled states as records; a net on views gets them as `player` sees them."""
    shown = np.ascontiguousarray(rows).copy()
    if kind == "view":
        for row in shown:
            game.verbs.hide(game.table, row.ctypes.data, player)
    return shown.view(game.state)[:, 0]


def _add_field(made: _Program, game: Game, name: str, seen: list[Any]) -> None:
    assert game.state.fields is not None
    dtype, offset = game.state.fields[name][:2]
    base, players = dtype.base, game.players
    by_player = players > 1 and len(dtype.shape) > 0 and dtype.shape[0] == players
    parts = players if by_player else 1
    per_part = int(np.prod(dtype.shape[1:] if by_player else dtype.shape, dtype=np.int64))
    whole = [each[name].reshape(len(each), parts * per_part) for each in seen]
    named = None
    if players > 1 and base.kind in "iu" and not by_player:
        named = _named_players(np.unique(np.concatenate(whole)), players, not dtype.shape)
    kind = {"f": code.REAL, "i": code.SIGNED}.get(base.kind, code.UNSIGNED)
    stride = per_part * base.itemsize if by_player else 0
    places = [
        [
            (offset + element * base.itemsize, base.itemsize, kind, stride, part)
            for element in range(per_part)
        ]
        for part in range(parts)
    ]
    for part in range(parts):
        for element, place in enumerate(places[part]):
            columns = [
                each[:, (player + part) % parts * per_part + element]
                for player, each in enumerate(whole)
            ]
            sample = np.concatenate(columns)
            for op in _operations(sample, base, name in game.sets, named):
                # a mark on a board tells only whose mark it is
                if not (op == code.ONE_HOT and named is not None and dtype.shape):
                    _add(made, op, place, sample, named, players)
    values = np.unique(np.concatenate(whole))
    if per_part > 1 and named is None and _are_things(values, base, name in game.sets):
        for part in range(parts):
            made.add_list(places[part], values.astype(np.int64))


def _are_things(values: Numbers, base: np.dtype[Any], is_set: bool) -> bool:
    """Whether a field with several places and these values is a list of things."""
    if is_set or base.kind not in "iu" or base.itemsize == 8:
        return False
    return FEW < len(values) <= LONGEST and int(values[-1]) - int(values[0]) < WIDEST


def _named_players(values: Numbers, players: int, alone: bool) -> int | None:
    """The value of a field that names the first player, or None if its values name no players.

    Values that name players go from -1 (nobody) to players - 1, or from 0 (nobody) to players. If
    the field is a single number (`alone`), such as the player to move, its values may also go from
    0 to players - 1. In an array, zeros and ones count as flags, not as players.
    """
    if values[-1] == players and values[0] == 0 and len(values) == players + 1:
        return 1
    if values[-1] == players - 1 and values[0] == (0 if alone else -1):
        return 0
    return 0 if alone and values[-1] == players - 1 and values[0] == -1 else None


def _operations(
    sample: Numbers, base: np.dtype[Any], is_set: bool, named: int | None
) -> Iterator[int]:
    """Yield the operations that turn one number of a state into inputs."""
    values = np.unique(sample)
    if len(values) < 2:
        return
    if base.kind not in "iub":
        yield code.NUMBER
        return
    if is_set or (base.itemsize == 8 and len(values) > MANY):
        yield code.BITS
        return
    if named is not None:
        yield code.RELATIVE
    narrow = int(values[-1]) - int(values[0]) < WIDEST
    if len(values) <= SOME and narrow:
        yield code.ONE_HOT
    if len(values) > FEW or not narrow:
        yield code.NUMBER


def _add(
    made: _Program,
    op: int,
    place: tuple[int, ...],
    sample: Numbers,
    named: int | None,
    players: int,
) -> None:
    if op == code.BITS:
        words = sample.astype(np.int64)
        varying = int(np.bitwise_or.reduce(words) & ~np.bitwise_and.reduce(words)) & MEMBERS
        if varying:
            made.add(op, place, varying.bit_count(), varying, 0, 0)
    elif op == code.RELATIVE:
        made.add(op, place, players + 1, named or 0, 0, 0)
    elif op == code.ONE_HOT:
        made.add_one_hot(place, np.unique(sample).astype(np.int64))
    else:
        made.add_number(place, sample)


def _feature_scales(game: Game, rows: Bytes) -> list[float]:
    """The mean and the inverse spread of the first feature, then of the second, and so on."""
    found = np.zeros((len(rows) * game.players, game.most_features))
    for number, row in enumerate(rows):
        for player in range(game.players):
            at = found[number * game.players + player].ctypes.data
            game.verbs.features(game.table, row.ctypes.data, player, at)
    spread = found.std(axis=0)
    spread[spread == 0] = np.inf  # a constant feature says nothing
    return [float(each) for each in np.stack([found.mean(axis=0), 1 / spread], 1).ravel()]
