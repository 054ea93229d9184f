"""TUBSTAP as a scene: the view's content, at its place, distinguishable without colours."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from plyglass import agent_from, play
from plyglass.core.compile import JIT
from plyglass.core.scene import Disc, Imagined, Label, Path, Polygon, Ring, Scene, Tile
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.cells import SIDE
from plyglass.games.tubstap.picture_units import Token, unit
from plyglass.games.tubstap.units import KINDS, SIDES, TERRAIN
from plyglass.games.tubstap.view import seen_cells
from plyglass.report.drawing.frames import Lens, frames_of_match
from tests.games.tubstap_maps import act, game_on

FIELD = ["........"] * 8
LAND = ["x.~~", '"^==', "#.=~"]
WORLDS = 40 if JIT else 6


def positions(game, seed, every=5):
    """Some positions of a random game."""
    pick, world = random.Random(seed), game.start(seed)
    for step in range(60 if JIT else 6):
        if step % every == 0:
            yield world
        if world.over:
            return
        world.apply(pick.choice(world.legal()))


def centre(shapes):
    """The middle of all corners of shapes."""
    return np.mean([point for shape in shapes for point in shape.points], axis=0)


def cell_of(shape):
    """The column and row of the cell that a shape is in."""
    return tuple(
        int(number)
        for number in (centre([shape]) if hasattr(shape, "points") else (shape.x, shape.y))
    )


def is_heat(shape):
    """Whether a shape is a part of a heat map; other tiles only take clicks."""
    return isinstance(shape, Tile) and shape.value is not None


def imagined(view, count=WORLDS):
    rows = np.stack([view.game.imagine(view, seed).row() for seed in range(count)])
    return Imagined.of(rows, np.full(count, 1 / count), view.game.state)


def drawn_health(scene, words):
    """(column, row, health) of everything drawn whose tip matches these words."""
    return sorted(
        (*cell_of(shape), int(shape.text))
        for shape in scene.shapes
        if isinstance(shape, Label) and re.search(words, shape.tip) and shape.text != "?"
    )


def units_of(world, side, slots=None):
    record = world.record
    return sorted(
        (int(cell) % SIDE, int(cell) // SIDE, int(record["health"][side, slot]))
        for slot, cell in enumerate(record["cell"][side])
        if cell >= 0 and (slots is None or slots[slot])
    )


# -- what is there


@pytest.mark.parametrize("name", ["crossroads", "riverbend", "delta"])
def test_units_in_sight_stand_at_their_places_with_their_health(name):
    game = Tubstap(name)
    for world in positions(game, 1):
        for viewer in range(2):
            scene = game.scene(world.hide(viewer))
            assert Scene.from_json(scene.to_json()) == scene
            for side, color in enumerate(SIDES):
                seen = None if side == viewer or world.over else world.record["spotted"][side]
                assert drawn_health(scene, f"^{color} .*health \\d+(, has acted)?$") == units_of(
                    world, side, seen
                )


@pytest.mark.parametrize("name", ["riverbend", "siege"])
def test_a_scene_knows_only_what_its_view_knows(name):
    game = Tubstap(name)
    for world in positions(game, 2):
        for viewer in range(2):
            view = world.hide(viewer)
            assert game.scene(game.imagine(view, 7).hide(viewer)) == game.scene(view)


def test_fog_covers_what_is_not_seen_and_the_truth_has_none():
    game = Tubstap("riverbend")
    for world in positions(game, 3):
        view = world.hide(0)
        covered = set()
        for shape in game.scene(view).shapes:
            if isinstance(shape, Polygon) and shape.role == "fog" and "out of sight" in shape.tip:
                (left, top), (right, bottom) = shape.points[0], shape.points[2]
                assert bottom == top + 1
                covered |= {SIDE * top + x for x in range(left, right)}
        board = {SIDE * y + x for y in range(8) for x in range(8)}
        assert covered == board - seen_cells(view.record, game.constants_record[0], 0)
        truth = game.scene(view, Imagined.truth(world.row(), game.state))
        assert not [shape for shape in truth.shapes if shape.role in ("fog", "sight", "heat")]
        for side, color in enumerate(SIDES):
            assert drawn_health(truth, f"^{color} ") == units_of(world, side)


def test_a_line_runs_around_what_is_seen(tmp_path):
    game = game_on(tmp_path, FIELD, "I10@a1", "I10@h8")
    edges = [
        shape.points for shape in game.scene(game.start(0).hide(0)).shapes if shape.role == "sight"
    ]
    assert sorted(edges) == [
        ((0, 2), (1, 2)),
        ((1, 1), (1, 2)),
        ((1, 1), (2, 1)),
        ((2, 0), (2, 1)),
    ], "a1, a2 and b1 are seen"


def test_an_enemy_out_of_sight_has_a_ghost_where_it_was_seen_last(tmp_path):
    game = game_on(tmp_path, FIELD, "P10@a1", "P7@c1 I3@h8")
    world = game.start(0)
    act(world, "a1 stay", "c1 to e2", "h8 stay")
    scene = game.scene(world.hide(0))
    assert drawn_health(scene, "^blue panzer, health 7: seen here a turn ago") == [(2, 0, 7)]
    assert drawn_health(scene, "^blue infantry, health 3: seen here 2 turns ago") == [(7, 7, 3)]
    assert [
        cell_of(shape) for shape in scene.shapes if isinstance(shape, Label) and shape.text == "?"
    ] == [(7, 7), (2, 0)]


# -- what is believed


def test_the_heat_map_shows_how_many_enemies_are_expected_and_of_which_kinds():
    game, compared = Tubstap("crossroads"), 0
    for world in positions(game, 4):
        if world.over:
            break
        view = world.hide(1)
        worlds = imagined(view)
        scene = game.scene(view, worlds)
        tiles = {cell_of(tile): tile for tile in scene.shapes if is_heat(tile)}
        certain = {cell_of(ring) for ring in scene.shapes if isinstance(ring, Ring)}
        unseen = sum(view.record["cell"][0] < -1)
        assert sum(tile.value for tile in tiles.values()) + len(certain) == pytest.approx(unseen)
        for (x, y), tile in tiles.items():
            there = worlds.worlds["cell"][:, 0] == SIDE * y + x
            assert tile.value == pytest.approx(there.sum() / WORLDS)
            for kind, share in re.findall(r"(\w+) ([\d.]+)[,)]", tile.tip):
                of_kind = [
                    KINDS[number].name == kind for number in game.constants_record[0]["kind"][0]
                ]
                assert float(share) == pytest.approx(there[:, of_kind].sum() / WORLDS, abs=0.006)
            compared += 1
    assert compared > (20 if JIT else 0)


def test_an_enemy_that_can_be_nowhere_else_is_drawn_in_a_ring():
    game = Tubstap("riverbend")
    view = game.start(0).hide(0)
    scene = game.scene(view, imagined(view))
    homes = sorted((unit.x, unit.y) for unit in game.map.units if unit.side == 1)
    assert sorted(cell_of(shape) for shape in scene.shapes if isinstance(shape, Ring)) == homes
    assert not [shape for shape in scene.shapes if is_heat(shape) or "seen here" in shape.tip]


# -- how it looks


def test_every_terrain_has_a_look_of_its_own_without_colours(tmp_path):
    game = game_on(tmp_path, LAND, "I10@a3", "I10@b3", fog=False)
    shapes = game.scene(game.start(0).hide(0)).shapes
    names = {terrain.name for terrain in TERRAIN} - {"plain", "sea"}
    looks = {
        name: frozenset(_look(shape) for shape in shapes if shape.tip.startswith(name))
        for name in names
    }
    assert len(set(looks.values())) == len(names)
    waves = [shape for shape in shapes if isinstance(shape, Path) and shape.role == "sea"]
    assert {
        (int(wave.points[0][0]), int(wave.points[-1][0]), int(wave.points[0][1])) for wave in waves
    } == {(2, 4, 0), (3, 4, 2)}


def _look(shape):
    """A shape without its place and colour."""
    if hasattr(shape, "points"):
        corner = np.floor(np.min(shape.points, axis=0))
        return type(shape), tuple(
            tuple(np.round(np.subtract(point, corner), 3)) for point in shape.points
        )
    return (
        type(shape),
        round(shape.x % 1, 3),
        round(shape.y % 1, 3),
        getattr(shape, "radius", None),
        getattr(shape, "text", None),
    )


def test_roads_lead_to_the_roads_beside_them(tmp_path):
    game = game_on(tmp_path, LAND, "I10@a3", "I10@b3", fog=False)
    shapes = [
        shape
        for shape in game.scene(game.start(0).hide(0)).shapes
        if isinstance(shape, Path) and shape.role == "road"
    ]
    reached = {
        cell_of(shape): {point for point in shape.points if point[0] % 1 == 0 or point[1] % 1 == 0}
        for shape in shapes
    }
    assert reached == {
        (2, 1): {(3, 1.5), (2.5, 2)},
        (3, 1): {(3, 1.5), (4, 1.5)},
        (2, 2): {(2.5, 2), (2.5, 3)},
    }


def test_kinds_and_sides_have_looks_of_their_own_without_colours():
    looks = {
        tuple(
            replace(shape, role="ink", tip="")
            for shape in unit(Token(kind, side, 10, (0, 0)), False)
        )
        for kind in range(len(KINDS))
        for side in range(2)
    }
    assert len(looks) == 2 * len(KINDS)
    for side in range(2):
        (body, *_), (faint, pale, *_) = (
            list(unit(Token(0, side, 10, (0, 0)), acted)) for acted in (False, True)
        )
        assert isinstance(body, Disc if side else Polygon)
        assert faint.opacity == body.opacity == 1 > pale.opacity, "a unit that has acted is paler"


@pytest.mark.parametrize("name", ["sandbox", "isthmus", "delta"])
def test_everything_is_on_the_board(name):
    game = Tubstap(name)
    for world in positions(game, 5, 20):
        for shape in game.scene(world.hide(0)).shapes:
            points = shape.points if hasattr(shape, "points") else ((shape.x, shape.y),)
            margin = 0.25 if shape.role == "muted" else 0
            assert all(
                -margin <= x <= game.map.width and 0 <= y <= game.map.height + margin
                for x, y in points
            ), shape


def test_actions_are_drawn_from_cell_to_cell(tmp_path):
    game = game_on(tmp_path, FIELD, "P10@d4 U10@d6", "I10@d7 I10@f6")
    world, names = game.start(0), {}
    for action in world.legal():
        shapes = game.action_shapes(action)
        ways = [shape for shape in shapes if isinstance(shape, Path)]
        stops = [cell_of(Disc(*point, role="ink")) for path in ways for point in path.points]
        names[game.action_name(action)] = (
            stops,
            [cell_of(shape) for shape in shapes if isinstance(shape, Polygon)],
        )
    assert names["d4 to e5"] == ([(3, 3), (4, 4)], [])
    assert names["d4 stay"] == names["end turn"] == ([], [])
    assert names["d4 to e6 attack f6"] == ([(3, 3), (4, 5), (4, 5), (5, 5)], [(5, 5)])
    assert names["d6 attack f6"] == ([(3, 5), (5, 5)], [(5, 5)])


@pytest.mark.parametrize("belief", ["fresh", "particles(worlds=20)", "tracks(worlds=20)"])
def test_looking_at_what_both_sides_believe_changes_no_decision(belief):
    game, agent = Tubstap("riverbend", turns=5 if JIT else 3), agent_from(f"policy:belief={belief}")
    alone = play(game, [agent, agent], seed=4)
    watched, frames = frames_of_match(game, [agent, agent], Lens(None, worlds=10), seed=4)
    assert watched.actions == alone.actions
    assert all(
        any(is_heat(shape) for frame in frames for shape in frame.scenes[side].shapes)
        for side in range(2)
    )
