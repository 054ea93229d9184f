"""Benchmarks: speed, a comparison with other programs, and a signature of all decisions."""

from __future__ import annotations

import time
from collections.abc import Iterator

from plyglass import games
from plyglass.arena.match.agent import Agent
from plyglass.arena.specs import game_from
from plyglass.core.game import Game
from plyglass.planners import UCT
from plyglass.search.interface import Budget, Decision


def decide(game: Game, iterations: int, seed: int = 1) -> tuple[Decision, float]:
    """Return UCT's decision at the start of a game, and the CPU seconds that it took."""
    seat = Agent(UCT(), budget=Budget(iterations=iterations)).take_seat(
        game, game.start(seed).to_move, seed
    )
    seat.observe(None, game.start(seed).hide(game.start(seed).to_move))
    began = time.process_time()
    decision = seat.decide()
    return decision, time.process_time() - began


def speeds(iterations: int = 20_000) -> Iterator[tuple[str, float]]:
    """Yield the UCT iterations per CPU second at the start of every game."""
    for name in games.names():
        game = game_from(name)
        decide(game, 10)  # compile, or load from disk
        yield name, iterations / decide(game, iterations)[1]
