"""Scenes: JSON keeps all of them, and they show nothing that the viewer cannot see."""

import json

import numpy as np
import pytest

import plyglass as pg
from plyglass.core import scene as shapes
from plyglass.core.scene import Imagined, Scene
from tests.core.every_shape import EVERY_SHAPE

DRAWN = ("skirmish:fog=true", "rocksample", "battleship:size=6,longest=3", "navy")


def beginning(name, seed=1, steps=4):
    """A world after some random steps, still going on."""
    game = pg.game_from(name)
    world, choice = game.start(seed), np.random.default_rng(seed)
    for _ in range(steps):
        world.apply(int(choice.choice(world.legal())))
    assert not world.over
    return game, world


def imagined_by(game, view, count):
    rows = np.stack([game.imagine(view, seed).row() for seed in range(count)])
    return Imagined.of(rows, np.full(count, 1.0 / count), game.state)


def tiles(scene):
    return {
        (tile.x, tile.y): tile.value
        for tile in scene.shapes
        if isinstance(tile, shapes.Tile) and tile.value is not None
    }


def test_every_shape_survives_json():
    assert {type(shape) for shape in EVERY_SHAPE} == set(shapes.SHAPES.values())
    parts = (shapes.Region("board", 0, 0, 2, 1), shapes.Region("hand", 0, 1, 2, 1))
    scene = Scene(2, 2, EVERY_SHAPE, "a title", ("one line", "another"), "water", parts)
    assert Scene.from_json(scene.to_json()) == scene


def test_json_has_keys_and_things_only_where_there_are_some():
    written = json.loads(Scene(2, 2, EVERY_SHAPE).to_json())["shapes"]
    for shape, values in zip(EVERY_SHAPE, written, strict=True):
        for name in ("tip", "key", "thing"):
            assert values.get(name, "") == getattr(shape, name)
            assert (name in values) == bool(getattr(shape, name))


def test_spots_are_invisible_tiles_with_keys():
    found = shapes.spots(2, 2, lambda x, y: "" if x and y else f"{'ab'[x]}{2 - y}", 1.0, 3.0)
    assert [(tile.x, tile.y, tile.key) for tile in found] == [
        (1.0, 3.0, "a2"),
        (2.0, 3.0, "b2"),
        (1.0, 4.0, "a1"),
    ]
    assert {tile.opacity for tile in found} == {0.0}


@pytest.mark.parametrize(
    ("text", "lines", "broken"),
    [
        ("Gloomchaser", 2, ("Gloomchaser",)),
        ("Saberspine Tiger", 1, ("Saberspine Tiger",)),
        ("Saberspine Tiger", 2, ("Saberspine", "Tiger")),
        ("a b", 2, ("a b",)),
        ("", 2, ("",)),
    ],
)
def test_a_text_fits_whole_into_its_width(text, lines, broken):
    found, size = shapes.fitted(text, 1.0, 0.25, lines)
    assert found == broken
    assert 0.0 < size <= 0.25
    assert all(shapes.text_width(line, size) <= 1.0001 for line in found)


@pytest.mark.parametrize("name", DRAWN)
def test_scenes_of_games_survive_json(name):
    game, world = beginning(name)
    view = world.hide(world.to_move)
    for imagined in (None, imagined_by(game, view, 20)):
        scene = game.scene(view, imagined)
        assert scene.shapes
        assert Scene.from_json(scene.to_json()) == scene


@pytest.mark.parametrize("name", DRAWN)
def test_hidden_things_are_not_in_the_scene_of_a_view(name):
    game, world = beginning(name)
    view = world.hide(world.to_move)
    others = [game.imagine(view, seed) for seed in range(20)]
    assert any(other != world for other in others), "nothing is hidden, so nothing is tested"
    for other in others:
        assert game.scene(other.hide(view.viewer)) == game.scene(view)


@pytest.mark.parametrize("name", DRAWN)
def test_what_is_imagined_changes_the_scene(name):
    game, world = beginning(name)
    view = world.hide(world.to_move)
    assert (
        len({game.scene(view, imagined_by(game, view, count)).to_json() for count in (1, 3, 20)})
        == 3
    )


def test_an_exact_heat_map_of_ships_sums_to_the_cells_that_are_left():
    game = pg.game_from("battleship:size=4,longest=3")
    world, belief = game.start(1), pg.Exact().begin(game, 0, 1)
    belief.observe(None, world.hide(0))
    for action in (0, 5, 15):
        world.apply(action)
        belief.observe(action, world.hide(0))
    worlds, weights = belief.support(10)
    assert len(weights) > 10
    heat = tiles(game.scene(world.hide(0), Imagined.of(worlds, weights, game.state)))
    assert sum(heat.values()) == pytest.approx(int(world.record["left"]))
    for (x, y), value in heat.items():
        assert value == pytest.approx(
            weights @ (worlds.view(game.state)["fleet"][:, 0, y] >> x & 1)
        )


def test_a_heat_map_of_fog_sums_to_the_enemies_out_of_sight():
    game, world = beginning("skirmish:fog=true,size=5")
    view = world.hide(world.to_move)
    hidden = int((view.record["cell"][1 - view.viewer] == -2).sum())
    assert hidden > 0
    assert sum(tiles(game.scene(view, imagined_by(game, view, 50))).values()) == pytest.approx(
        hidden
    )


def test_the_truth_is_drawn_where_it_is():
    game, world = beginning("battleship:size=6,longest=3")
    heat = tiles(game.scene(world.hide(0), Imagined.of(world.row()[None], np.ones(1), game.state)))
    fleet = {(x, y) for y in range(6) for x in range(6) if world.record["fleet"][y] >> x & 1}
    shots = {(x, y) for y in range(6) for x in range(6) if world.record["shots"][y] >> x & 1}
    assert set(heat) == fleet - shots
    assert set(heat.values()) == {1.0}


def test_a_sure_thing_has_a_role_of_its_own():
    counts = np.array([[[1, 1, 0]], [[1, 0, 0]]])
    imagined = Imagined(np.zeros(2), np.array([0.25, 0.75]))
    sure, unsure = shapes.heat_map(imagined, counts, "ships", "ally")
    assert (sure.role, sure.value, sure.x) == ("ally", 1.0, 0)
    assert (unsure.role, unsure.value, unsure.x) == ("heat", 0.25, 1)


def test_the_bow_of_a_vessel_points_ahead():
    points = shapes.vessel(2.0, 3.0, (0, -1), length=0.8)
    assert min(y for _, y in points) == pytest.approx(2.6)
    assert [x for x, y in points if y == min(y for _, y in points)] == [2.0]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: shapes.Disc(0, 0, role="pink"), "no colour role 'pink'; it has board"),
        (lambda: Scene(1, 1, ground="lava"), "no colour role 'lava'"),
        (lambda: shapes.Tile(0, 0, role="heat", opacity=1.5), "from 0 to 1, not 1.5"),
        (
            lambda: Scene.from_json('{"width": 1, "height": 1, "shapes": [{"kind": "Blob"}]}'),
            "no shape 'Blob'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()


@pytest.mark.parametrize(
    ("name", "action", "thing"),
    [("skirmish", "soldier moves to a2", "south soldier"), ("navy", "east", "Navy ship")],
)
def test_a_thing_that_moves_keeps_its_name(name, action, thing):
    game = pg.game_from(name).interpreted()
    world = next(
        world
        for world in map(game.start, range(20))
        if action in map(game.action_name, world.legal())
    )
    before = [shape for shape in game.scene(world.hide(0)).shapes if shape.thing == thing]
    world.apply(next(each for each in world.legal() if game.action_name(each) == action))
    after = [shape for shape in game.scene(world.hide(0)).shapes if shape.thing == thing]
    assert [type(shape) for shape in before] == [type(shape) for shape in after]
    assert {shape.key for shape in before} != {shape.key for shape in after}
    assert not set(before) & set(after)


def test_a_game_without_a_scene_says_so():
    world = pg.games.TicTacToe().start(1)
    with pytest.raises(NotImplementedError, match="tic-tac-toe cannot be drawn"):
        pg.Game.scene(world.game, world.hide(0))
