"""Battleship compared with a naive twin that places ships as sets of cells."""

import random
from collections import defaultdict
from itertools import pairwise

import pytest

from plyglass.core.check.walk import Probe
from plyglass.core.tape import deals
from plyglass.games.battleship import Battleship
from tests.games.enumeration import imagined

SMALL = Battleship(4, 3)
SEAS = pytest.mark.parametrize("game", [Battleship(3, 2), SMALL, Battleship(5, 3)], ids=repr)


def ships_of(size, length):
    """Every place of a ship on an empty sea, as a set of cells."""
    across = [
        frozenset((row, column + at) for at in range(length))
        for row in range(size)
        for column in range(size - length + 1)
    ]
    return across + [frozenset((column, row) for row, column in ship) for ship in across]


def touch(one, other):
    return any(abs(a - c) <= 1 and abs(b - d) <= 1 for a, b in one for c, d in other)


def fleets(size, longest, fleet=frozenset()):
    """Every (probability, cells) of the fleets that are laid ship by ship, the longest first."""
    if longest < 2:
        yield 1.0, fleet
        return
    free = [ship for ship in ships_of(size, longest) if not touch(ship, fleet)]
    for ship in free:
        for share, whole in fleets(size, longest - 1, fleet | ship):
            yield share / len(free), whole


def cells_of(world):
    return frozenset(
        (row, column)
        for row, bits in enumerate(world.record["fleet"])
        for column in range(10)
        if int(bits) >> column & 1
    )


def ships_in(cells):
    """The lengths of the ships that cells make up.

    Each ship must be straight; cells that touch belong to one ship.
    """
    lengths, rest = [], set(cells)
    while rest:
        ship, fringe = set(), {min(rest)}
        while fringe:
            ship |= fringe
            fringe = {cell for cell in rest - ship if touch({cell}, ship)}
        rest -= ship
        line = sorted(ship)
        assert {(c - a, d - b) for (a, b), (c, d) in pairwise(line)} in ({(0, 1)}, {(1, 0)})
        lengths.append(len(ship))
    return sorted(lengths)


def random_game(game, seed):
    """The worlds of a game of random shots, the last included."""
    choose, world = random.Random(seed).choice, game.start(seed)
    while not world.over:
        yield world.copy()
        world.apply(choose(world.legal()))
    yield world


def posterior(view):
    """The probability of every fleet that would have given the same hits and misses."""
    found = defaultdict(float)
    shots = {
        (row, column)
        for row, bits in enumerate(view.record["shots"])
        for column in range(10)
        if int(bits) >> column & 1
    }
    for share, fleet in fleets(view.game.size, view.game.parameters["longest"]):
        if fleet & shots == cells_of(view):
            found[fleet] += share
    return {fleet: share / sum(found.values()) for fleet, share in found.items()}


@SEAS
def test_fleets_are_laid_as_those_of_the_twin(game):
    exact, ours = defaultdict(float), defaultdict(float)
    for share, fleet in fleets(game.size, game.parameters["longest"]):
        exact[fleet] += share
    for share, world in deals(game):
        ours[cells_of(world)] += share
    assert ours == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_on_a_small_sea_imagine_is_the_exact_posterior(seed):
    for world in list(random_game(SMALL, seed))[:-1]:
        view = world.hide(0)
        assert {cells_of(each): share for each, share in imagined(view).items()} == pytest.approx(
            posterior(view), abs=1e-12
        )


@pytest.mark.parametrize(
    "game", [Battleship(), Battleship(9), Battleship(7, 5), Battleship(6, 4)], ids=repr
)
def test_fleets_that_are_laid_or_imagined_are_whole(game):
    fleet = list(range(2, game.parameters["longest"] + 1))
    for seed in range(10):
        for world in list(random_game(game, seed))[:-1:7]:
            assert ships_in(cells_of(world)) == fleet
            assert ships_in(cells_of(game.imagine(world.hide(0), seed))) == fleet


def test_imagined_fleets_are_hit_as_often_as_true_ones():
    """Shots that no view calls for hit imagined fleets as often as true ones, on average."""
    game, shots, hits, imagined_hits = Battleship(), 0, 0, 0
    for seed in range(300):
        choose, world = random.Random(seed).choice, game.start(seed)
        for _ in range(10 + seed % 50):
            world.apply(choose(world.legal()))
        known = cells_of(world.hide(0))
        beside = {(row + 1, column) for row, column in known} | {
            (row, column + 1) for row, column in known
        }
        targets = {divmod(action, 10) for action in world.legal()} & beside
        shots += len(targets)
        hits += len(targets & cells_of(world))
        imagined_hits += len(targets & cells_of(game.imagine(world.hide(0), seed)))
    assert shots > 900
    assert imagined_hits / shots == pytest.approx(hits / shots, abs=4 * (0.5 / shots) ** 0.5)


def test_random_fire_takes_as_many_shots_as_it_must():
    game, shots = Battleship(), []
    for seed in range(120):
        world = game.start(seed)
        for action in random.Random(seed).sample(range(100), 100):
            if not world.over:
                world.apply(action)
        shots.append(100 - world.score(0))
    # Four standard errors around 96.190.
    assert sum(shots) / len(shots) == pytest.approx(20 * 101 / 21, abs=1.5)


def test_a_shot_costs_one_and_the_last_hit_brings_a_hundred():
    *_, before, world = random_game(Battleship(), 1)
    assert before.score(0) == -int(before.record["fired"])
    assert world.score(0) == 100 - int(world.record["fired"])


def test_a_view_tells_hits_and_misses_and_nothing_of_other_cells():
    world = Battleship().start(3)
    assert cells_of(world.hide(0)) == frozenset()
    ship, water = (
        min(cells_of(world)),
        min({divmod(cell, 10) for cell in range(100)} - cells_of(world)),
    )
    for row, column in (ship, water):
        world.apply(10 * row + column)
    assert cells_of(world.hide(0)) == {ship}
    assert len(world.legal()) == 98


@pytest.mark.parametrize(
    ("size", "longest", "says"),
    [(3, 3, "from 4 to 10"), (11, 6, "from 9 to 10"), (10, 7, "2 to 6 cells")],
)
def test_seas_where_ships_may_not_fit_are_refused_in_a_sentence(size, longest, says):
    with pytest.raises(ValueError, match=says):
        Battleship(size, longest)


def test_a_view_that_no_fleet_fits_writes_nothing():
    """Such a view comes from outside only: two hits that touch at a corner."""
    game = Battleship(4, 3)
    row = game.start(1).row()
    record = row.view(game.state)
    record["fleet"][0][:2] = record["shots"][0][:2] = (1, 2)
    record["fleet"][0][2:], record["shots"][0][2:] = 0, 0
    probe = Probe(game, 5)
    world = probe.imagined(row, 0).view(game.state)
    assert probe.damage() is None
    assert (world["fleet"] == record["fleet"]).all()
