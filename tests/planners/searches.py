"""A search that has seen a position, for tests of any planner."""

import random

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
    """The decision of a planner in that position."""
    search = begin(game, planner, **how)
    search.run(pg.Budget(iterations=iterations))
    return search.decision()


def positions(game, count, most_steps, seed=1):
    """Positions with a choice, some random actions into random games."""
    chance = random.Random(seed)
    for number in range(1000):
        world = game.start(number)
        for _ in range(chance.randrange(most_steps)):
            if not world.over:
                world.apply(chance.choice(world.legal()))
        if len(world.legal()) > 1 and count > 0:
            count -= 1
            yield world


def best(decision):
    """What the planner expects of the best action."""
    return max(value for value in decision.values if value is not None)
