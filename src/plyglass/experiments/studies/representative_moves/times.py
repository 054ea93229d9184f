"""Protocols of `representative-moves/times` and `literal-times`: CPU milliseconds of searches.

`times` measures our reading of the rules, from the start hand and in play. `literal-times` measures
the literal reading, from the start hand.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np

from plyglass.beliefs import Fresh
from plyglass.core.world import World
from plyglass.experiments.results import RowResult
from plyglass.experiments.studies.representative_moves.literal import LiteralCards
from plyglass.games.trading_cards import TradingCards
from plyglass.games.trading_cards.cards import SOLDIERS
from plyglass.planners import Expectiminimax, Planner, RepresentativeMoves, WholeTurns
from plyglass.search.interface import Budget
from plyglass.search.turn_results.workspace import TurnEnumeration

HAND = [
    SOLDIERS.index(values) for values in ((6, 6, 6), (1, 1, 2), (4, 1, 1), (3, 2, 2), (1, 3, 3))
]
REPEATS, GAMES = 20, 40
ENOUGH = Budget(iterations=10**12)


def run(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Return the times of every search from the start position, and of decisions in self-play."""
    del runner, workers, folder
    game = TradingCards()
    repeats, games = max(3, round(REPEATS * scale)), max(2, round(GAMES * scale))
    start = game.start(1, game.dealt(HAND, HAND))
    results = [_from_start(name, planner, start, repeats) for name, planner in _searches()]
    return [
        *results,
        *_in_play(
            game, WholeTurns(depth=2, evaluator="turn", turn=TurnEnumeration(room=1 << 17)), games
        ),
    ]


def literal(scale: float, runner: str, workers: int, folder: Path) -> Sequence[RowResult]:
    """Return the times of searches by the literal reading; the longest search runs once."""
    del runner, workers, folder
    game = LiteralCards()
    start = game.start(1, game.dealt(HAND, HAND))
    repeats = max(3, round(REPEATS * scale))
    _think(_every_leaf(1), start)  # compiles
    once = 1000 * _think(_every_leaf(3), start)
    return [
        _from_start("without, depth 2, every leaf", _every_leaf(2), start, repeats),
        RowResult("without, depth 3, every leaf", once, None, None, 1),
    ]


def _every_leaf(depth: int) -> Planner:
    return Expectiminimax(depth=depth, unit="plies", evaluator="balance", deepening=False, memory=0)


def _searches() -> list[tuple[str, Planner]]:
    """Return the searches by name. Some visit every leaf, others merge turns with equal results."""
    found: list[tuple[str, Planner]] = []
    for depth in (3, 4, 5):
        every = _every_leaf(depth)
        turns = WholeTurns(depth=depth, evaluator="balance")
        found.append(
            (f"with representatives, depth {depth}, every leaf", RepresentativeMoves(inner=every))
        )
        found.append(
            (f"with representatives, depth {depth}, whole turns", RepresentativeMoves(inner=turns))
        )
    found.append(("without, depth 3, every leaf", _every_leaf(3)))
    found += [
        (f"without, depth {depth}, whole turns", WholeTurns(depth=depth, evaluator="balance"))
        for depth in (3, 4)
    ]
    return [
        *found,
        ("without, depth 3, last turn in closed form", WholeTurns(depth=2, evaluator="turn")),
    ]


def _from_start(name: str, planner: Planner, start: World, repeats: int) -> RowResult:
    _think(planner, start)  # compiles
    times = [1000 * _think(planner, start) for _ in range(repeats)]
    mean, error = float(np.mean(times)), float(np.std(times, ddof=1)) / sqrt(repeats)
    return RowResult(name, mean, mean - 2 * error, mean + 2 * error, repeats)


def _think(planner: Planner, world: World) -> float:
    search = planner.begin(
        world.game, world.to_move, Fresh().begin(world.game, world.to_move, 1), 1
    )
    search.observe(None, world.hide(world.to_move))
    began = time.process_time()
    search.run(ENOUGH)
    return time.process_time() - began


def _in_play(game: TradingCards, planner: Planner, games: int) -> list[RowResult]:
    """Return the median and the longest decision in self-play.

    Decisions that only follow a plan of an earlier decision are left out.
    """
    times = sorted(
        1000 * each for number in range(games) for each in _decisions(game, planner, number)
    )
    middle, spread = len(times) / 2, sqrt(len(times)) / 2
    low, high = times[int(middle - 2 * spread)], times[int(middle + 2 * spread)]
    median = RowResult(
        "without, depth 3, median decision in play", times[len(times) // 2], low, high, len(times)
    )
    return [
        median,
        RowResult(
            "without, depth 3, longest decision in play",
            times[-1],
            times[-1],
            times[-1],
            len(times),
        ),
    ]


def _decisions(game: TradingCards, planner: Planner, seed: int) -> list[float]:
    world, times = game.start(seed), []
    seats = [planner.begin(game, seat, Fresh().begin(game, seat, seed), seed) for seat in range(2)]
    last: list[int | None] = [None, None]
    while not world.over:
        seat = world.to_move
        seats[seat].observe(last[seat], world.hide(seat))
        began = time.process_time()
        seats[seat].run(ENOUGH)
        seconds, decision = time.process_time() - began, seats[seat].decision()
        if decision.iterations:
            times.append(seconds)
        last[seat] = decision.action
        world.apply(decision.action)
    return times
