"""TUBSTAP in fog: sight, ambushes, memories without unit numbers, and imagined worlds."""

import random

import numpy as np
import pytest

from plyglass.core.compile import JIT
from plyglass.core.state import HEADER_BYTES
from plyglass.core.tape import imaginations
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.cells import SIDE
from plyglass.games.tubstap.state import UNSEEN
from plyglass.games.tubstap.units import KINDS, TERRAIN
from tests.games.tubstap_maps import act, changed, game_on, health, may

FIELD = ["........"] * 8
SETTINGS = [
    {},
    {"map": "riverbend"},
    {"map": "delta", "turns": 12},
    {"map": "siege", "ambush": "stays", "sight": "euclid", "turns": 12},
]


def cell(name):
    return SIDE * (int(name[1:]) - 1) + ord(name[0]) - ord("a")


def enemies_seen(world, viewer):
    return {int(each) for each in world.hide(viewer).record["cell"][1 - viewer] if each >= 0}


def random_positions(game, seed):
    pick, world = random.Random(seed), game.start(seed)
    while not world.over:
        yield world
        attacks = [action for action in world.legal() if "attack" in game.action_name(action)]
        world.apply(pick.choice(attacks if attacks and pick.random() < 0.5 else world.legal()))
    yield world


# -- sight


@pytest.mark.parametrize(
    ("metric", "seen"),
    [
        ("manhattan", {"d6", "e5"}),
        ("euclid", {"d6", "e5"}),
        ("chebyshev", {"d6", "e5", "f6", "e6"}),
    ],
)
def test_a_tank_sees_two_cells_far_by_the_metric(tmp_path, metric, seen):
    world = game_on(
        tmp_path, FIELD, "P10@d4", "I10@d6 I10@e5 I10@f6 I10@e6 I10@g4", sight=metric
    ).start(0)
    assert enemies_seen(world, 0) == {cell(name) for name in seen}
    # Infantry sees one cell far.
    assert enemies_seen(world, 1) == ({cell("d4")} if metric == "chebyshev" else set())


def test_a_scout_shows_a_target_to_the_guns_within_a_turn(tmp_path):
    world = game_on(tmp_path, FIELD, "U10@d4 I10@a7", "I10@d7").start(0)
    assert "d4 attack d7" not in may(world)
    act(world, "a7 to c7")
    assert "d4 attack d7" in may(world)


def test_a_victim_learns_its_loss_and_not_the_shooter(tmp_path):
    world = game_on(tmp_path, FIELD, "U10@d4 F10@e8", "I10@d7 I10@h8").start(0)
    act(world, "d4 attack d7")
    view = world.hide(1)
    assert sum(health(world, 1)) < 20
    assert sorted(view.record["health"][1][:2].tolist()) == sorted(health(world, 1))
    assert cell("d4") not in enemies_seen(world, 1)


def test_the_fog_lifts_at_the_end(tmp_path):
    world = game_on(tmp_path, FIELD, "P10@a1", "P10@h8", turns=1).start(0)
    assert enemies_seen(world, 0) == set()
    act(world, "end turn")
    assert enemies_seen(world, 0) == {cell("h8")}


# -- ambushes


@pytest.mark.parametrize(("rule", "end"), [("stops", "d1"), ("stays", "a1")])
def test_an_ambushed_unit_stops_before_the_enemy_and_attacks_nobody(tmp_path, rule, end):
    world = game_on(
        tmp_path, ["........", "xxxxxxx."], "P10@a1 F10@h2", "I10@e1 P10@h1", ambush=rule
    ).start(0)
    # As if the fighter saw nothing yet.
    world = changed(world, spotted=np.zeros_like(world.record["spotted"]))
    act(world, "a1 to g1")
    assert int(world.record["cell"][0, 1]) == cell(end)
    assert health(world, 1) == [10, 10]
    assert not any(name.startswith(end) for name in may(world))  # it is spent


def test_the_way_is_a_cheapest_one_and_comes_from_the_north_first(tmp_path):
    """Of many ways from a1 to c3, the last steps come from the north, from c2 and c1."""
    field = ["....", "....", "....", "...."]
    world = game_on(tmp_path, field, "P10@a1", "I10@c1 I10@d4").start(0)
    hidden = changed(world, spotted=np.zeros_like(world.record["spotted"]))
    act(hidden, "a1 to c3")
    assert int(hidden.record["cell"][0, 0]) == cell("b1")  # an enemy stands on c1
    open_way = game_on(tmp_path, field, "P10@a1", "I10@b2 I10@d4").start(0)
    act(open_way, "a1 to c3")
    assert int(open_way.record["cell"][0, 0]) == cell("c3")


def test_choices_do_not_tell_who_is_in_the_fog(tmp_path):
    one = game_on(tmp_path, FIELD, "P10@a1 I10@b1", "P10@h8 I10@h7").start(0)
    other = game_on(tmp_path, FIELD, "P10@a1 I10@b1", "P10@a5 I10@c3").start(0)
    assert one.legal() == other.legal()


# -- memories


def swapped(world, side, one, other):
    """The same world with two units of a kind in each other's slots."""
    fields = {}
    for name in ("cell", "health", "acted", "spotted", "last_cell", "last_turn"):
        fields[name] = world.record[name].copy()
        fields[name][side, [one, other]] = fields[name][side, [other, one]]
    return changed(world, **fields)


def memories(view):
    record, enemy = view.record, 1 - view.viewer
    return sorted(
        (int(record["last_cell"][enemy, i]), int(record["last_turn"][enemy, i]))
        for i, at in enumerate(record["cell"][enemy])
        if at == UNSEEN
    )


def test_the_order_of_enemies_tells_nothing(tmp_path):
    """Worlds with like units in swapped slots look the same, before and after sight is lost."""
    game = game_on(tmp_path, FIELD, "P10@a1 F10@d4", "I10@d6 I10@e5 I10@h8 I10@h7")
    world = game.start(0)
    other = swapped(swapped(world, 1, 0, 2), 1, 1, 3)
    for name in (
        "d4 to d1",
        "a1 to a2",
        "h8 to h6",
        "d6 to d5",
        "e5 stay",
        "h7 stay",
        "d1 to e3",
        "a2 stay",
    ):
        assert world.hide(0) == other.hide(0)
        act(world, name)
        act(other, name)
    assert world.hide(0) == other.hide(0)
    assert world.hide(0).row().tobytes() == other.hide(0).row().tobytes()


def test_which_of_two_like_units_comes_back_is_not_told(tmp_path):
    """Two like tanks go out of sight and one comes back: the view is the same whichever it is."""
    game = game_on(tmp_path, FIELD, "I10@a8 A10@d4", "P10@b6 P10@f6")
    views = []
    for first, second in (("b6 to c5", "f6 to h8"), ("f6 to e5", "b6 to a6")):
        world = game.start(0)
        act(world, "d4 to d1", "a8 stay")  # now nobody sees the tanks
        act(world, first, second)
        act(world, "d1 to d2")
        views.append((world.hide(0), memories(world.hide(0))))
    # The nearer memory is taken to be that of the unit in sight.
    assert [memory for _, memory in views] == [[(cell("f6"), 0)], [(cell("b6"), 0)]]
    swapped_world = swapped(world, 1, 0, 1)
    assert swapped_world.hide(0) == world.hide(0)


def test_an_enemy_seen_in_ones_own_turn_has_not_moved(tmp_path):
    world = game_on(tmp_path, FIELD, "F10@d4 I10@a1", "P10@d6 P10@h8").start(0)
    act(world, "end turn", "d6 to d5", "h8 stay")
    act(world, "d4 to a4")  # the fighter looked at it when the turn began
    view = world.hide(0)
    assert (cell("d5"), 2) in memories(view) or cell("d5") in enemies_seen(world, 0)
    for seed in range(20):
        imagined = world.game.imagine(view, seed)
        assert cell("d5") in imagined.record["cell"][1].tolist()


def test_what_unseen_units_do_changes_nothing_in_the_view(tmp_path):
    world = game_on(tmp_path, FIELD, "P10@a1", "P10@h8 I10@g7").start(0)
    act(world, "a1 stay")
    before = world.hide(0)
    act(world, "h8 to f6")
    assert world.hide(0) == before


# -- worlds behind a view


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_views_are_honest_and_imagined_worlds_possible(setting):
    game = Tubstap(**setting)
    for world in random_positions(game, 4):
        for viewer in range(2) if JIT or world.record["turn"] < 2 else ():
            view = world.hide(viewer)
            imagined = game.imagine(view, world.fingerprint)
            assert imagined.hide(viewer) == view
            assert view.to_move == imagined.to_move == world.to_move
            if world.to_move == viewer:
                assert view.legal() == imagined.legal() == world.legal()
            assert_possible(game, imagined)
            assert army_of(game, imagined, 1 - viewer) == army_of(game, world, 1 - viewer)


def assert_possible(game, world):
    """No two units share a cell, and each is where its kind can be."""
    record, kinds = world.record, game.constants_record[0]["kind"]
    places = [
        (int(at), KINDS[kinds[side, slot]])
        for side in range(2)
        for slot, at in enumerate(record["cell"][side])
        if at >= 0
    ]
    assert len({at for at, _ in places}) == len(places)
    assert all(TERRAIN[game.map.rows[at // SIDE][at % SIDE]].cost[kind.way] for at, kind in places)


def army_of(game, world, side):
    """Kinds and health of an army: what its enemy always knows."""
    return sorted(
        zip(
            game.constants_record[0]["kind"][side].tolist(),
            world.record["health"][side].tolist(),
            strict=True,
        )
    )


def test_every_cell_out_of_sight_is_imagined(tmp_path):
    game = game_on(tmp_path, ["....", '.~^"', "...."], "I10@a1", "I10@d3")
    world = game.start(0)
    act(world, "a1 stay")
    worlds = [each for _, each in imaginations(world.hide(0))]
    cells = {int(each.record["cell"][1, 0]) for each in worlds}
    # Not the sea.
    assert cells == {cell(name) for name in ("c1", "d1", "c2", "d2", "a3", "b3", "c3", "d3")}


def test_without_fog_nothing_is_hidden():
    game = Tubstap(fog=False)
    for world in random_positions(game, 1):
        assert world.hide(0).row()[HEADER_BYTES:].tobytes() == world.row()[HEADER_BYTES:].tobytes()
        if not JIT and world.record["turn"] > 2:
            return


def test_text_shows_terrain_units_fog_and_memories(tmp_path):
    world = game_on(tmp_path, ['..."', "~^=#", "...."], "I10@a1", "P7@d3").start(0)
    assert world.hide(0).text.splitlines() == [
        "    a     b     c     d",
        ' 1 .I10  .     .▒▒▒  "▒▒▒',
        " 2 ~     ^▒▒▒  =▒▒▒  #▒▒▒",
        " 3 .▒▒▒  .▒▒▒  .▒▒▒  .?p7",
        "turn 1 of 50: red; health: red 10, blue 7",
        "seen in this turn: p7 at d3",
        "F fighter, A attacker, P panzer, U cannon, R antiair, I infantry",
        "capitals are red, small letters blue; * has acted, ? was seen there last",
        '. plain, ~ sea, " forest, ^ mountain, = road, # fortress',
    ]
    act(world, "a1 stay")
    assert world.hide(1).text.splitlines()[1] == ' 1 .?I10 .▒▒▒  .▒▒▒  "'
    assert "seen a turn ago: I10 at a1" in world.hide(1).text
