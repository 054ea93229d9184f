"""A search that has seen a position, for tests of any planner."""

import plyglass as pg
from plyglass.core.seeds import derive


def begin(game, planner, *, belief=None, seed=3, position=None, seat=None):
    """A search that has seen a position; a belief that cheats is shown the truth."""
    world = position or game.start(1)
    seat = world.to_move if seat is None else seat
    live = (belief or pg.Fresh()).begin(game, seat, derive(seed, 1))
    live.reveal(world.copy())
    search = planner.begin(game, seat, live, seed)
    search.observe(None, world.hide(seat))
    return search


def decide(game, planner, iterations, **how):
    """What a planner decides there."""
    search = begin(game, planner, **how)
    search.run(pg.Budget(iterations=iterations))
    return search.decision()
