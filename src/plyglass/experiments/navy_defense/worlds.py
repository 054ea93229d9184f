"""Worlds of Navy Defense for questions that random ones seldom ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from plyglass.core.game import Game
from plyglass.core.world import World
from plyglass.games.navy.rules import HEALTH
from plyglass.games.navy.sea import NOWHERE, STAY

SUNK = 2  # submarines that the Navy ship has sunk before the run begins
QUIET = 3  # steps at least, before the first attack on a Navy ship that stays
# tries that must all go that way: submarines as near to one ship as to the other may choose the
# same one
LUCKS = 8
Cell = tuple[int, int]


def empty_sea(game: Game, seed: int) -> World:
    """A random world without submarines.

    A captain cannot tell it from one whose submarines are still out of sight, so what he does here
    is what he does until he notices one: for a whole run, and whoever is attacked early or late
    elsewhere.
    """
    setup: Mapping[str, Any] = cast(Any, game).scenario(submarines=())
    return game.start(seed, setup)


def surprise(game: Game, seed: int) -> World:
    """Two submarines that strike both cargo ships in the same step, after a quiet while, if the
    Navy ship stays in the middle.

    The sea looks the same from both ends: whatever one submarine can do to one ship, the other can
    do to the other at that time. Two submarines have been sunk already. Where there may be two,
    none is left as far as the captain knows; where there may be four, up to two.
    """
    if game.parameters["cargo"] != 2 or game.parameters["most"] < 2:
        raise ValueError(
            f"A surprise takes 2 cargo ships and room for 2 submarines; the game is {game!r}."
        )
    chance = np.random.default_rng(seed)
    while True:
        world = game.start(seed, _mirrored(game, chance))
        if all(_strikes_both(world, luck) for luck in range(LUCKS)):
            row = world.row()
            row.view(game.state)["sunk"] = SUNK
            return World(game, row)


def _mirrored(game: Any, chance: np.random.Generator) -> Mapping[str, Any]:
    """A random setup that is the same when the sea is turned by half."""
    size = game.parameters["size"]
    middle = size // 2
    clockwise = bool(chance.integers(2))
    ship, submarine = _outside_sonar(size, chance), _outside_sonar(size, chance)
    ships = tuple((row, column, clockwise) for row, column in (ship, _opposite(size, ship)))
    setup: Mapping[str, Any] = game.scenario(
        (middle, middle), ships, (submarine, _opposite(size, submarine))
    )
    return setup


def _outside_sonar(size: int, chance: np.random.Generator) -> Cell:
    """Any cell that is not seen from the middle."""
    while True:
        row, column = (int(each) for each in chance.integers(size, size=2))
        if max(abs(row - size // 2), abs(column - size // 2)) > 1:
            return row, column


def _opposite(size: int, cell: Cell) -> Cell:
    return size - 1 - cell[0], size - 1 - cell[1]


def _strikes_both(world: World, luck: int) -> bool:
    """Whether the first attack on a Navy ship that stays comes after a quiet while, and hits
    both cargo ships.
    """
    played, steps = world.copy(), 0
    played.change_luck(luck)
    while played.record["attacked"][0] == NOWHERE and not played.over:
        played.apply(STAY)
        steps += 1
    return steps > QUIET and bool((played.record["cargo_health"][:2] == HEALTH - 1).all())
