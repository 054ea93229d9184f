"""Enumerating chance: every outcome of an action or a deal, with its probability.

This enumeration works for any game, without changes to its rules. A tape holds the results that
`draw` and `chance` return, one digit per draw. At first, all digits are 0. After each run, the last
digit that can still grow is raised by 1, and the digits after it return to 0, as in an odometer.
The enumeration ends when no digit can grow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from plyglass.core.luck import TAPE_HEAD, TAPE_STEP
from plyglass.core.state import filled, new_states
from plyglass.core.world import View, World

if TYPE_CHECKING:
    from plyglass.core.game import Game

MOST_DRAWS = 256


def outcomes(world: World, action: int) -> Iterator[tuple[float, World]]:
    """Every (probability, world) that `action` can lead to."""
    player = world.to_move

    def run(row: Any) -> None:
        world.game.verbs.step(world.game.table, row.ctypes.data, player, action)

    return _enumerate(world.game, world.row(), run)


def deals(game: Game, setup: Mapping[str, Any] | None = None) -> Iterator[tuple[float, World]]:
    """Every (probability, world) that the game can start with."""
    secret = filled(game.setup, setup or game.default_setup())

    def run(row: Any) -> None:
        game.verbs.start(game.table, secret.ctypes.data, row.ctypes.data, np.uint64(0))

    return _enumerate(game, new_states(1, game.state)[0], run)


def imaginations(view: View) -> Iterator[tuple[float, World]]:
    """Every (probability, world) that the game can imagine from a view."""
    game = view.game

    def run(row: Any) -> None:
        game.verbs.imagine(game.table, row.ctypes.data, view.viewer, np.uint64(0))

    return _enumerate(game, view.row(), run)


def _enumerate(
    game: Game, origin: Any, run: Callable[[Any], None]
) -> Iterator[tuple[float, World]]:
    tape = np.zeros(TAPE_HEAD + TAPE_STEP * MOST_DRAWS, np.int64)
    tape[1] = MOST_DRAWS
    while True:
        row = origin.copy()
        header = row.view(game.state)
        tape[0], header["tape"] = 0, tape.ctypes.data
        run(row)
        header["tape"] = 0
        draws = int(tape[0])
        if draws > MOST_DRAWS:
            raise RuntimeError(
                f"{game.name} drew chance {draws} times in one action, and at most {MOST_DRAWS} "
                "draws can be enumerated; sample outcomes instead."
            )
        yield _probability(tape, draws), World(game, row)
        if not _turn(tape, draws):
            return


def _probability(tape: Any, draws: int) -> float:
    """The probability of the outcome that the tape has produced."""
    return (
        float(
            np.prod(
                tape[TAPE_HEAD + 2 : TAPE_HEAD + TAPE_STEP * draws : TAPE_STEP].view(np.float64)
            )
        )
        if draws
        else 1.0
    )


def _turn(tape: Any, draws: int) -> bool:
    """Change the tape to the next outcome; return False after the last outcome."""
    for at in range(TAPE_HEAD + TAPE_STEP * (draws - 1), TAPE_HEAD - 1, -TAPE_STEP):
        if tape[at] + 1 < tape[at + 1]:
            tape[at] += 1
            return True
        tape[at] = 0
    return False
