"""Maps for tests, drawn with a mark for each cell, and positions on them."""

import itertools

import numpy as np

from plyglass.core import World
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.tbsmap import Map, Unit, written
from plyglass.games.tubstap.units import KINDS, TERRAIN

MARKS = [kind.mark for kind in KINDS]
LANDS = "x" + "".join(terrain.mark for terrain in TERRAIN[1:])
_numbers = itertools.count()


def place(name):
    """Column and row of `c5`."""
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def army(text, side):
    """The units of a text: `P10@b3` is a tank with 10 health; a star marks one that has acted."""
    for each in text.split():
        what, _, where = each.rstrip("*").partition("@")
        yield Unit(
            MARKS.index(what[0]), *place(where), side, int(what[1:]), int(each.endswith("*"))
        )


def drawn(rows, red, blue, turns=50, threshold=0):
    """A map by its rows and both armies.

    The marks of terrain are: x no entry, . plain, ~ sea, " forest, ^ mountain, = road, # fortress.
    """
    terrain = tuple(tuple(LANDS.index(mark) for mark in row) for row in rows)
    return Map(terrain, (*army(red, 0), *army(blue, 1)), turns, threshold)


def game_on(folder, rows, red, blue, turns=50, threshold=0, **options):
    path = folder / f"drawn{next(_numbers)}.tbsmap"
    path.write_text(written(drawn(rows, red, blue, turns, threshold)), encoding="utf-8")
    return Tubstap(map=str(path), **options)


def act(world, *names):
    """Play actions by their names."""
    for name in names:
        actions = {world.game.action_name(action): action for action in world.legal()}
        assert name in actions, f"{name} is none of {', '.join(actions)}"
        world.apply(actions[name])


def may(world):
    """The names of all legal actions."""
    return {world.game.action_name(action) for action in world.legal()}


def health(world, side):
    return [int(value) for value in world.record["health"][side] if value > 0]


def changed(world, **fields):
    """The same position with some fields of the record overwritten."""
    row = world.row()
    record = row.view(world.game.state)[0]
    for name, value in fields.items():
        record[name] = np.asarray(value)
    return World(world.game, row)
