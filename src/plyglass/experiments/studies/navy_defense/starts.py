"""Start positions of Navy Defense for situations that are rare in random positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from plyglass.core.game import Game
from plyglass.core.world import World
from plyglass.games.navy.rules import HEALTH
from plyglass.games.navy.state import NOWHERE, STAY

SUNK = 2  # submarines sunk before the match begins
QUIET = 3  # least number of steps before the first attack, if the Navy ship stays
# tries that must all agree, because a submarine at equal distance to both ships may choose either
LUCKS = 8
Cell = tuple[int, int]


def empty_sea(game: Game, seed: int) -> World:
    """Return a random position without submarines.

    A captain cannot tell this position from a position whose submarines are out of sight. So the
    position shows, for a whole match, how the captain behaves before noticing a submarine.
    """
    setup: Mapping[str, Any] = cast(Any, game).scenario(submarines=())
    return game.start(seed, setup)


def surprise(game: Game, seed: int) -> World:
    """Return a position in which two submarines strike both cargo ships in the same later step.

    The strike comes after a few quiet steps, if the Navy ship stays in the middle. The sea is
    symmetric. So whatever the first submarine can do to the first ship, the second submarine can do
    to the second ship in the same step. The position says that two other submarines have already
    been sunk. If the game allows at most two submarines, the captain must believe that none is
    left. If the game allows four submarines, the captain expects up to two.
    """
    if game.parameters["cargo"] != 2 or game.parameters["most"] < 2:
        raise ValueError(
            f"A surprise needs 2 cargo ships and `most` of at least 2; the game is {game!r}."
        )
    chance = np.random.default_rng(seed)
    while True:
        world = game.start(seed, _mirrored(game, chance))
        if all(_strikes_both(world, luck) for luck in range(LUCKS)):
            row = world.row()
            row.view(game.state)["sunk"] = SUNK
            return World(game, row)


def _mirrored(game: Any, chance: np.random.Generator) -> Mapping[str, Any]:
    """Return a random setup that is symmetric under a half turn of the sea."""
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
    """Return a random cell that the sonar of a ship in the middle does not reach."""
    while True:
        row, column = (int(each) for each in chance.integers(size, size=2))
        if max(abs(row - size // 2), abs(column - size // 2)) > 1:
            return row, column


def _opposite(size: int, cell: Cell) -> Cell:
    return size - 1 - cell[0], size - 1 - cell[1]


def _strikes_both(world: World, luck: int) -> bool:
    """Return whether the first attack comes after `QUIET` steps and hits both cargo ships."""
    played, steps = world.copy(), 0
    played.change_luck(luck)
    while played.record["attacked"][0] == NOWHERE and not played.over:
        played.apply(STAY)
        steps += 1
    return steps > QUIET and bool((played.record["cargo_health"][:2] == HEALTH - 1).all())
