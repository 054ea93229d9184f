"""What the captain of Navy Defense sees, and what is imagined behind it."""

import random
from itertools import permutations

import pytest

from plyglass.core.compile import JIT
from plyglass.core.scene import Path, Polygon
from plyglass.core.tape import imaginations
from plyglass.games.navy import Navy
from tests.games.naive_navy import NONE, NOWHERE, NaiveNavy, position_of
from tests.games.navy_positions import act, any_world, changed, number, random_run, sea

RUNS = 12 if JIT else 1
SEAS = [
    Navy(5, strike=strike, submarines=submarines, fewest=fewest)
    for strike, submarines, fewest in (
        ("reach", "free", 1),
        ("reach", "sticky", 0),
        ("cell", "free", 1),
        ("cell", "mixed", 2),
    )
]


def seen_by(world):
    """The position as the captain may know it."""
    position = position_of(world)
    sonar = NaiveNavy(**world.game.parameters).sonar(position)
    seen = sorted((cell, health, None) for cell, health, _ in position.submarines if cell in sonar)
    return position._replace(submarines=tuple(seen), sticky=False)


def with_other_secrets(world, seed):
    """The same world with other submarines out of sight, and other plans of those in sight."""
    luck, position, size = random.Random(seed), position_of(world), world.game.parameters["size"]
    sonar = NaiveNavy(**world.game.parameters).sonar(position)
    seen = [(number(cell), health) for cell, health, _ in position.submarines if cell in sonar]
    unseen = [number((y, x)) for y in range(size) for x in range(size) if (y, x) not in sonar]
    most = world.game.parameters["most"]
    hidden = [
        (luck.choice(unseen), luck.choice((1, 2))) for _ in range(luck.randint(0, most - len(seen)))
    ]
    boats = luck.sample([*seen, *hidden], len(seen) + len(hidden))
    boats += [(NOWHERE, 0)] * (6 - len(boats))
    return changed(
        world,
        submarine=[cell for cell, _ in boats],
        submarine_health=[health for _, health in boats],
        target=[luck.choice((0, 1, 2, 3, NONE)) if cell != NOWHERE else NONE for cell, _ in boats],
        sticky=luck.randrange(2),
    )


def can_have_made(attacks, position, strikes_far):
    """Whether every attack can be attributed to a submarine of its own.

    It is beside the cell, or on it if that is all it can strike.
    """
    reached = [
        {
            at
            for at, cell in enumerate(attacks)
            if abs(cell[0] - y) + abs(cell[1] - x) <= (strikes_far or cell == position.navy)
        }
        for (y, x), _, _ in position.submarines
    ]
    return any(
        all(at in reach for at, reach in enumerate(order))
        for order in permutations(reached, len(attacks))
    )


@pytest.mark.parametrize("game", SEAS, ids=repr)
def test_a_view_holds_what_the_sonar_shows_and_no_more(game):
    for seed in range(20 * RUNS):
        world = any_world(game, seed)
        view = world.hide(0)
        assert position_of(view) == seen_by(world)
        assert with_other_secrets(world, seed).hide(0) == view


@pytest.mark.parametrize("game", SEAS, ids=repr)
def test_imagined_worlds_look_like_the_view_and_explain_the_last_attacks(game):
    strikes_far = game.parameters["strike"] == "reach"
    attacks = 0
    for seed in range(RUNS):
        for _, _, world in random_run(game, seed):
            view, attacked = world.hide(0), position_of(world).attacked
            imagined = game.imagine(view, seed)
            assert imagined.hide(0) == view
            assert can_have_made(attacked, position_of(world), strikes_far), (
                "the truth does not explain itself"
            )
            assert can_have_made(attacked, position_of(imagined), strikes_far), position_of(
                imagined
            )
            attacks += len(attacked)
    assert attacks > 0


def test_an_attack_on_the_navy_ship_is_that_of_the_submarine_beside_it():
    """The one in sight could have struck the cargo ship, but then nobody struck the Navy ship."""
    world = sea((3, 1), [(3, 0, True)], [(3, 0), (1, 0)], size=5)
    act(world, "stay")
    assert position_of(world).attacked == ((2, 0), (3, 1))
    worlds = [position_of(each) for _, each in imaginations(world.hide(0))]
    assert all(can_have_made(each.attacked, each, True) for each in worlds)
    assert (1, 0) in {cell for each in worlds for cell, _, _ in each.submarines}


def test_a_submarine_that_sank_the_navy_ship_may_have_been_beside_it():
    world = sea((0, 1), [(6, 6, True)], [(0, 0), (0, 0)], strike="cell")
    act(world, "stay")
    assert position_of(world).health == 0
    worlds = [position_of(each) for _, each in imaginations(world.hide(0))]
    assert {cell for each in worlds for cell, _, _ in each.submarines} == {
        (0, 0),
        (0, 1),
        (0, 2),
        (1, 1),
    }


@pytest.mark.parametrize("game", SEAS, ids=repr)
def test_as_many_submarines_are_imagined_as_there_may_be(game):
    fewest, most = game.parameters["fewest"], game.parameters["most"]
    for seed in range(RUNS):
        for _, _, world in random_run(game, seed):
            position = position_of(game.imagine(world.hide(0), seed))
            assert fewest <= len(position.submarines) + position.sunk <= most


def test_every_number_and_cell_is_imagined_and_healthy_targets_only():
    world = changed(
        sea((0, 0), [(3, 3, True), (6, 6, True)], [(4, 4)], most=2, submarines="sticky"),
        cargo=[NOWHERE, 102, *[NOWHERE] * 6],
    )
    world = changed(world, cargo_health=[0, 2, *[0] * 6])
    positions = [position_of(each) for _, each in imaginations(world.hide(0))]
    assert {len(position.submarines) for position in positions} == {1, 2}
    assert len({cell for position in positions for cell, _, _ in position.submarines}) == 7 * 7 - 4
    assert {target for position in positions for _, _, target in position.submarines} == {1}


def test_nobody_knows_which_model_holds_where_it_is_mixed():
    game = Navy(submarines="mixed")
    worlds = [game.start(seed) for seed in range(20)]
    assert {position_of(world).sticky for world in worlds} == {True, False}
    view = worlds[0].hide(0)
    assert not position_of(view).sticky
    assert {position_of(game.imagine(view, seed)).sticky for seed in range(20)} == {True, False}


def test_a_submarine_that_the_sonar_sank_is_counted_in_the_view():
    world = sea((1, 1), [(6, 6, True)], [(0, 0)])
    act(world, "stay", "stay")
    assert position_of(world.hide(0)).sunk == 1
    assert position_of(world.game.imagine(world.hide(0), 1)).submarines == ()


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"size": 3}, "size 4 to 15, not 3"),
        ({"cargo": 9}, "1 to 8 cargo ships, not 9"),
        ({"fewest": 3, "most": 2}, "3 to 2 were given"),
        ({"steps": 0}, "1 to 10000 steps"),
        ({"submarines": "clever"}, "one of free, sticky, mixed, not 'clever'"),
        ({"strike": "far"}, "strike is one of reach, cell"),
    ],
)
def test_odd_seas_are_refused_in_a_sentence(parameters, says):
    with pytest.raises(ValueError, match=says):
        Navy(**parameters)


@pytest.mark.parametrize("size", [5, 7])
def test_a_cargo_ship_in_the_middle_of_an_odd_sea_stays_there_and_has_a_hull(size):
    middle = size // 2
    world = sea((0, 0), [(middle, middle, True)], [(size - 1, 0)], size=size)
    shapes = world.game.scene(world.hide(0)).shapes
    (hull,) = (each for each in shapes if isinstance(each, Polygon) and each.role == "ally")
    width, height = (max(side) - min(side) for side in zip(*hull.points, strict=True))
    assert width == pytest.approx(0.42)
    assert height == pytest.approx(0.72)
    assert not [each for each in shapes if isinstance(each, Path)]  # neither a route nor a course
