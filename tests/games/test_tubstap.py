"""TUBSTAP: the published numbers, exact facts of the rules, and bounds."""

import json
from pathlib import Path

import numpy as np
import pytest

from plyglass.core import pack
from plyglass.core.compile import JIT
from plyglass.games.tubstap import Tubstap
from plyglass.games.tubstap.cells import SIDE
from plyglass.games.tubstap.state import EAST, MOST_UNITS, MOVE, NOWHERE, SHOOT, STRIKE
from plyglass.games.tubstap.units import KINDS, TERRAIN
from tests.games.tubstap_maps import act, changed, game_on, health, may

VECTORS = json.loads(Path(__file__).with_name("tubstap_vectors.json").read_text())
MARKS = "FAPURI"
# The terrain of the attacker and of the defender, side by side.
PAIRS = [(1, 1), (1, 3), (1, 4), (1, 5), (1, 6), (5, 4), (3, 1), (6, 4)]
ONE_EACH = " ".join(f"{mark}10@{column}{{0}}" for column, mark in zip("cdefgh", MARKS, strict=True))
FIELD = ["........"] * 8


@pytest.fixture(scope="module")
def shooting_range(tmp_path_factory):
    """A shooting range: each row has a pair of terrains in the first two cells."""
    rows = ["".join(TERRAIN[each].mark for each in pair) + "......" for pair in PAIRS]
    return game_on(
        tmp_path_factory.mktemp("range"),
        rows,
        ONE_EACH.format(1),
        ONE_EACH.format(8),
        fog=False,
        harmless=True,
    )


def fought(game, attacker, a_health, a_terrain, defender, d_health, d_terrain):
    """The damage of an attack and of the counter-attack, even where the units could not get to."""
    row, slots = PAIRS.index((a_terrain, d_terrain)), (MARKS.index(attacker), MARKS.index(defender))
    cells, health_ = np.full((2, MOST_UNITS), NOWHERE), np.zeros((2, MOST_UNITS), int)
    here = SIDE * row + (3 if attacker == "U" else 0)
    cells[0, slots[0]], cells[1, slots[1]] = here, SIDE * row + 1
    health_[0, slots[0]], health_[1, slots[1]] = a_health, d_health
    world = changed(game.start(0), cell=cells, health=health_)
    world.apply(
        pack(SHOOT, here, SIDE * row + 1)
        if attacker == "U"
        else pack(STRIKE, here, EAST << 8 | here)
    )
    return d_health - int(world.record["health"][1, slots[1]]), a_health - int(
        world.record["health"][0, slots[0]]
    )


def test_all_damage_vectors(shooting_range):
    assert len(VECTORS["damage"]) == 324
    wrong = [
        each
        for each in VECTORS["damage"]
        if fought(shooting_range, *each[:2], 1, *each[2:5])[0] != each[5]
    ]
    assert not wrong


@pytest.mark.parametrize("vector", VECTORS["exchange"], ids=str)
def test_all_exchanges(shooting_range, vector):
    assert fought(shooting_range, *vector[:6]) == tuple(vector[6:])


def test_the_damage_table_follows_the_formula(shooting_range):
    """Every kind against every other, on every terrain of the range, at some healths."""
    for attacker in KINDS:
        for defender, power in zip(KINDS, attacker.power, strict=True):
            for terrain in (1, 3, 5, 6):
                for a, d in ((10, 10), (9, 4), (1, 10), (3, 1)):
                    stars = 0 if defender.mark in "FA" else TERRAIN[terrain].stars
                    expected = min(d, (power * a + 70) // (100 + stars * d))
                    assert (
                        fought(shooting_range, attacker.mark, a, 1, defender.mark, d, terrain)[0]
                        == expected
                    )


def test_anti_air_against_infantry_is_a_parameter(tmp_path):
    taken = {}
    for power in (105, 115):
        world = game_on(tmp_path, ['."'], "R10@a1", "I10@b1", antiair=power).start(0)
        act(world, "a1 attack b1")
        taken[power] = 10 - sum(health(world, 1))
    assert taken == {105: 8, 115: 9}


# -- moves


def goals(world, source):
    return {
        name.split()[-1]
        for name in may(world)
        if name.startswith(f"{source} to") and "attack" not in name
    }


def test_terrain_costs_by_what_moves(tmp_path):
    row = ['."^~=#"..."..']
    ends = {}
    for mark in "FPI":
        world = game_on(
            tmp_path, [row[0], "x" * 13, "............."], f"{mark}10@a1", "I10@m3", fog=False
        ).start(0)
        ends[mark] = goals(world, "a1")
    assert ends["F"] == {f"{column}1" for column in "bcdefghij"}  # 9 cells, whatever they are
    assert ends["P"] == {"b1"}  # a mountain stops it
    assert ends["I"] == {"b1", "c1"}  # forest 1, mountain 2, sea never


def test_woods_slow_vehicles_down_and_the_cheapest_way_counts(tmp_path):
    world = game_on(tmp_path, ['""""""', "......"], "P10@a1", "I10@f2", fog=False).start(0)
    # e1 costs 7: five steps below the woods, then two.
    assert goals(world, "a1") == {"b1", "c1", "d1", "a2", "b2", "c2", "d2", "e2"}


def test_units_pass_their_own_but_not_the_enemy(tmp_path):
    world = game_on(tmp_path, ["....."], "P10@a1 R10@b1", "I10@d1", fog=False).start(0)
    assert goals(world, "a1") == {"c1"}
    plane = game_on(tmp_path, ["....."], "F10@a1", "I10@b1", fog=False).start(0)
    assert goals(plane, "a1") == set()


def test_a_cannon_shoots_two_or_three_far_without_moving(tmp_path):
    world = game_on(
        tmp_path, FIELD, "U10@d4", "I10@d5 I10@d6 I10@e6 I10@d8 F10@f4", fog=False
    ).start(0)
    assert {name for name in may(world) if "attack" in name} == {"d4 attack d6", "d4 attack e6"}
    assert "d4 to d2" in may(world)


def test_a_harmless_attack_is_legal_only_if_allowed(tmp_path):
    for harmless in (False, True):
        world = game_on(tmp_path, [".."], "F10@a1", "P10@b1", fog=False, harmless=harmless).start(0)
        assert ("a1 attack b1" in may(world)) == harmless


def test_a_plane_attacks_from_wherever_it_can_get_to(tmp_path):
    world = game_on(tmp_path, ["...", ".x.", "..."], "A10@a1", "I10@c3", fog=False).start(0)
    attacks = {name for name in may(world) if "attack" in name}
    assert attacks == {"a1 to c2 attack c3", "a1 to b3 attack c3"}


# -- turns and the end


def test_a_unit_acts_once_and_the_turn_ends_by_itself(tmp_path):
    world = game_on(tmp_path, FIELD, "P10@a1 R10@b1", "I10@h8").start(0)
    act(world, "a1 to a2")
    assert not any(name.startswith("a2") for name in may(world))
    act(world, "b1 stay")
    assert world.to_move == 1
    act(world, "end turn")
    assert world.to_move == 0
    assert "a2 to a3" in may(world)


def test_a_unit_marked_as_acted_waits_for_the_second_turn_of_its_side(tmp_path):
    world = game_on(tmp_path, FIELD, "P10@a1*", "I10@h8*").start(0)
    assert may(world) == {"end turn"}
    act(world, "end turn")
    assert may(world) == {"end turn"}
    act(world, "end turn")
    assert "a1 to a2" in may(world)


def test_the_last_army_wins_in_the_middle_of_a_turn(tmp_path):
    world = game_on(tmp_path, ["....."], "P10@a1 P10@b1", "I1@c1").start(0)
    act(world, "b1 attack c1")
    assert world.scores == [1.0, -1.0]


def test_an_attacker_can_lose_by_the_counter_attack(tmp_path):
    world = game_on(tmp_path, ['"..'], "I1@b1", "P10@a1").start(0)
    act(world, "b1 attack a1")
    assert world.scores == [-1.0, 1.0]


@pytest.mark.parametrize(
    ("red", "threshold", "result"),
    [(6, 0, 1.0), (6, 1, 0.0), (7, 1, 1.0), (3, 1, -1.0), (5, 0, 0.0)],
)
def test_after_the_last_turn_health_beyond_the_threshold_wins(tmp_path, red, threshold, result):
    world = game_on(tmp_path, FIELD, f"P{red}@a1", "P5@h8", turns=3, threshold=threshold).start(0)
    act(world, "end turn", "end turn")
    assert not world.over
    act(world, "end turn")
    assert world.score(0) == -world.score(1) == result


def test_the_number_of_units_can_decide_instead(tmp_path):
    world = game_on(tmp_path, FIELD, "P10@a1", "I1@h8 I1@h7", turns=1, judged="units").start(0)
    act(world, "end turn")
    assert world.scores == [-1.0, 1.0]


# -- the map of Pipan 2021


def test_the_first_decision_is_as_wide_as_in_the_paper():
    for fog in (False, True):
        world = Tubstap(fog=fog).start(0)
        assert 180 <= len(world.legal()) - 1 <= 200
        act(world, "end turn")
        assert 180 <= len(world.legal()) - 1 <= 200


@pytest.mark.parametrize(
    "setting",
    [{}, {"fog": False}, {"map": "delta"}, {"map": "siege", "sight": "euclid", "ambush": "stays"}],
    ids=str,
)
def test_games_stay_within_what_is_declared(setting):
    game, pick = Tubstap(**setting), np.random.default_rng(2)
    for seed in range(4 if JIT else 1):
        world, steps = game.start(seed), 0
        while not world.over:
            legal = world.legal()
            assert len(legal) == len(set(legal)) <= game.most_actions
            world.apply(legal[pick.integers(len(legal))])
            steps += 1
        assert steps <= game.most_steps


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"map": "moon"}, "no map 'moon'; choose from airfield, "),
        ({"map": "nowhere.tbsmap"}, "no file nowhere.tbsmap"),
        ({"sight": "far"}, "sight is one of manhattan"),
        ({"ambush": "dies"}, "ambush is one of stops, stays"),
        ({"judged": "luck"}, "judged is one of health, units"),
        ({"antiair": 0}, "antiair is a power of 1 to 1000"),
        ({"turns": 20_000}, "turns are 1 to 10000"),
    ],
)
def test_odd_parameters_are_refused_in_a_sentence(wrong, says):
    with pytest.raises(ValueError, match=says):
        Tubstap(**wrong)


def test_actions_have_names_that_a_person_can_type():
    names = [
        Tubstap().action_name(a)
        for a in (
            0,
            pack(MOVE, 31, 47),
            pack(MOVE, 31, 31),
            pack(STRIKE, 31, EAST << 8 | 47),
            pack(SHOOT, 31, 47),
        )
    ]
    assert names == ["end turn", "b3 to c4", "b3 stay", "b3 to c4 attack d4", "b3 attack c4"]
