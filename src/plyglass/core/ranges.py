"""Ranges: the lowest and the highest value that each field of a state can have.

A game declares ranges in `Game.limits`. For a field without a declared range, random games show how
large its values become. The range of such a field is several times as wide as the values seen. A
range that is too wide does no harm, because checked rules still examine the position.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from plyglass.core.seeds import Purpose, derive
from plyglass.core.state import HEADER, Bytes

if TYPE_CHECKING:
    from plyglass.core.game import Game

Range = tuple[Any, Any]
"""The lowest and the highest value. For an array field, each may be an array of bounds."""

POSITIONS = 10_000  # sampled for ranges that a game does not declare
INTERPRETED_POSITIONS = 300
LOOKS = 8  # at every eighth position, also make the view of every player
BATCH = 1000  # states that are compared together
ROOM, LEAST_ROOM = 4, 127  # a bound is at least LEAST_ROOM, and ROOM times the largest value seen


def ranges_of(game: Game) -> dict[str, Range]:
    """The range of every field after the header, as declared or as derived from random games."""
    declared = dict(game.limits())
    names = fields_of(game)
    unknown = [name for name in declared if name not in names]
    if unknown:
        raise ValueError(
            f"{game.name} declares limits for {unknown[0]!r}, which is no field of its state; its "
            f"fields are {', '.join(names)}."
        )
    open_fields = [name for name in names if name not in declared]
    seen = _seen(game, open_fields) if open_fields else {}
    return {
        name: declared[name] if name in declared else _widened(game.state[name].base, *seen[name])
        for name in names
    }


def fields_of(game: Game) -> list[str]:
    """The names of a game's own fields."""
    return [name for name in game.state.names or () if name not in dict(HEADER)]


def outside(game: Game, row: Bytes) -> Iterator[tuple[str, Any, Range]]:
    """Each field of a state that is out of its range: (field, value, range)."""
    record = row.view(game.state)[0]
    for name, (low, high) in game.ranges.items():
        values = np.asarray(record[name])
        wrong = ~((values >= low) & (values <= high))  # NaN is wrong, too
        if wrong.any():
            at = np.unravel_index(int(np.flatnonzero(wrong)[0]), values.shape)
            limits = tuple(np.broadcast_to(each, values.shape)[at].item() for each in (low, high))
            yield name, values[at].item(), limits


def sampled(game: Game, positions: int) -> Iterator[Bytes]:
    """Yield states of random games, and the views and imagined worlds of some of them."""
    found, number = 0, 0
    while found < positions:
        choice = np.random.default_rng(derive(number, Purpose.TEST))
        world = game.start(derive(number, Purpose.LUCK))
        number += 1
        for _ in range(game.most_steps + 1):  # including the final position
            found += 1
            yield world.row()
            if found % LOOKS == 0 and game.hides:
                for viewer in range(game.players):
                    view = world.hide(viewer)
                    yield view.row()
                    yield game.imagine(view, derive(number, found)).row()
            legal = world.legal()
            if not legal or found >= positions:
                break
            world.apply(legal[int(choice.integers(len(legal)))])


def _seen(game: Game, names: list[str]) -> Mapping[str, tuple[float, float]]:
    """The lowest and the highest value of each field in sampled positions."""
    found = dict.fromkeys(names, (math.inf, -math.inf))
    rows = sampled(game, POSITIONS if game.compiled else INTERPRETED_POSITIONS)
    while batch := list(itertools.islice(rows, BATCH)):
        records = np.stack(batch).view(game.state)
        for name in names:
            low, high = found[name]
            values = records[name]
            found[name] = min(low, values.min().item()), max(high, values.max().item())
    return found


def _widened(dtype: np.dtype[Any], low: float, high: float) -> Range:
    """A range with room beyond the values that were seen."""
    if dtype.kind == "f":
        return (0.0 if low >= 0 else -math.inf), math.inf
    if dtype.kind == "b":
        return 0, 1
    whole = np.iinfo(dtype)
    least = 0 if low >= 0 else max(int(whole.min), -_room(-int(low)) - 1)
    # a field that was always 0 gives no hint of its largest value
    most = int(whole.max) if high <= 0 else min(int(whole.max), _room(int(high)))
    return least, most


def _room(value: int) -> int:
    """The bound for a field whose largest sampled value is `value`: a power of two minus 1."""
    return int(max(LEAST_ROOM, (1 << (ROOM * value).bit_length()) - 1))
