"""Positions of Navy Defense for tests: made by hand, or at random."""

import random

from plyglass.core import World
from plyglass.games.navy import Navy
from tests.games.naive_navy import NOWHERE


def sea(navy, cargo, boats, **parameters):
    """A world with these vessels and no others; cargo ships are (row, column, clockwise)."""
    game = Navy(**{"cargo": len(cargo), "most": max(1, len(boats)), **parameters})
    return game.start(1, setup=game.scenario(navy, tuple(cargo), tuple(boats)))


def changed(world, **fields):
    """The same world with other values in some fields."""
    row = world.row()
    for name, value in fields.items():
        row.view(world.game.state)[0][name] = value
    return World(world.game, row)


def number(cell):
    """A cell as the record has it."""
    return 16 * cell[0] + cell[1]


def act(world, *names):
    """Play actions by their names."""
    for name in names:
        world.apply({world.game.action_name(action): action for action in world.legal()}[name])


def any_world(game, seed):
    """A world with vessels anywhere and of any health.

    The Navy ship is lost in one of four. At least one cargo ship is left.
    """
    luck, size, world = random.Random(seed), game.parameters["size"], game.start(seed)
    health = [
        luck.choice((0, 1, 2, 2)) if 0 < ship < game.parameters["cargo"] else 2
        for ship in range(len(world.record["cargo"]))
    ]
    cargo = [
        cell if alive else NOWHERE
        for cell, alive in zip(world.record["cargo"].tolist(), health, strict=True)
    ]
    boats = [
        number((luck.randrange(size), luck.randrange(size))) if cell != NOWHERE else NOWHERE
        for cell in world.record["submarine"]
    ]
    return changed(
        world,
        navy_health=luck.choice((0, 1, 2, 2)),
        cargo_health=[
            alive if cell != NOWHERE else 0
            for alive, cell in zip(health, world.record["cargo"], strict=True)
        ],
        cargo=cargo,
        submarine=boats,
        submarine_health=[luck.choice((1, 2)) if cell != NOWHERE else 0 for cell in boats],
    )


def random_run(game, seed):
    """(world, action, world after it) for every step of a run of random actions."""
    choose, world = random.Random(seed).choice, game.start(seed)
    while not world.over:
        before, action = world.copy(), choose(world.legal())
        world.apply(action)
        yield before, action, world.copy()
