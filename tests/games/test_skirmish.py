"""Skirmish: exact facts, solved values, honest views, and the naive twin."""

import random
from collections import Counter

import numpy as np
import pytest

from plyglass.core import World, kind_of, pack, unpack
from plyglass.core.state import HEADER_BYTES
from plyglass.core.tape import imaginations, outcomes
from plyglass.games.skirmish import Skirmish
from plyglass.games.skirmish.rules import ARCHER, ATTACK, DEAD, END, KNIGHT, MOVE, SOLDIER, UNSEEN
from tests.games.naive_skirmish import NaiveSkirmish, as_naive
from tests.games.solver import solved, summed

END_TURN = pack(END, 0, 0)
SETTINGS = [
    {},
    {"fog": True},
    {"size": 5, "fog": True, "sight": 2},
    {"size": 3, "units": 2, "health": 2, "turns": 8, "fog": True},
]


def placed(game: Skirmish, south: dict, north: dict, **fields: int) -> World:
    """A position with units where the test wants them: {kind: cell}; the others are dead."""
    row = game.start(0).row()
    record = row.view(game.state)[0]
    for side, army in enumerate((south, north)):
        for unit in range(3):
            record["cell"][side, unit] = army.get(unit, DEAD)
            record["health"][side, unit] = game.parameters["health"] if unit in army else 0
    for name, value in fields.items():
        record[name] = value
    return World(game, row)


def targets(world: World, kind: int, unit: int) -> set[int]:
    """Where the actions of this kind and unit can go."""
    return {unpack(action)[2] for action in world.legal() if unpack(action)[:2] == (kind, unit)}


def random_positions(game: Skirmish, seed: int):
    """Every position of a random game, including the last one."""
    pick, world = random.Random(seed), game.start(seed)
    while not world.over:
        yield world
        world.apply(pick.choice(world.legal()))
    yield world


# -- what the rules say


def test_the_armies_start_on_opposite_rows_turned_by_half_a_circle():
    record = Skirmish().start(0).record
    assert record["cell"].tolist() == [[0, 1, 2], [15, 14, 13]]
    assert (record["health"] == 3).all()


def test_a_soldier_moves_one_step_and_a_knight_two():
    world = placed(Skirmish(), {SOLDIER: 5, KNIGHT: 10}, {ARCHER: 15})
    assert targets(world, MOVE, SOLDIER) == {1, 4, 6, 9}
    # Not 5 (its soldier), not 15 (the archer).
    assert targets(world, MOVE, KNIGHT) == {2, 4 + 3, 6, 8, 9, 11, 13, 14}


def test_a_knight_needs_a_free_cell_on_its_way():
    world = placed(Skirmish(), {SOLDIER: 1, KNIGHT: 0}, {ARCHER: 4})
    assert targets(world, MOVE, KNIGHT) == set()


def test_an_archer_reaches_two_steps_and_the_others_one():
    armies = {SOLDIER: 5, ARCHER: 4, KNIGHT: 7}
    world = placed(Skirmish(), armies, {SOLDIER: 6, ARCHER: 12, KNIGHT: 15})
    assert targets(world, ATTACK, SOLDIER) == {SOLDIER}
    assert targets(world, ATTACK, ARCHER) == {SOLDIER, ARCHER}
    assert targets(world, ATTACK, KNIGHT) == {SOLDIER}


@pytest.mark.parametrize(
    ("unit", "damages"),
    [
        (SOLDIER, {1: 2 / 3, 2: 1 / 3}),
        (ARCHER, {0: 1 / 3, 1: 2 / 3}),
        (KNIGHT, {0: 1 / 3, 1: 1 / 3, 2: 1 / 3}),
    ],
)
def test_each_unit_has_its_own_chances_of_damage(unit, damages):
    world = placed(Skirmish(), {unit: 5}, {SOLDIER: 6})
    found = {
        3 - int(after.record["health"][1, SOLDIER]): chance
        for chance, after in outcomes(world, pack(ATTACK, unit, SOLDIER))
    }
    assert found == pytest.approx(damages)


def test_a_unit_moves_once_and_attacks_once_a_turn_in_any_order():
    world = placed(Skirmish(), {SOLDIER: 5}, {SOLDIER: 6})
    world.apply(pack(ATTACK, SOLDIER, SOLDIER))
    assert targets(world, ATTACK, SOLDIER) == set()
    world.apply(pack(MOVE, SOLDIER, 1))
    assert world.legal() == [END_TURN]
    world.apply(END_TURN)
    assert world.to_move == 1
    assert not world.record["moved"].any()
    assert not world.record["attacked"].any()


def test_the_last_army_standing_wins_at_once():
    world = placed(Skirmish(health=1), {SOLDIER: 5}, {SOLDIER: 6})
    world.apply(pack(ATTACK, SOLDIER, SOLDIER))
    assert world.over
    assert world.scores == [1.0, -1.0]


def test_after_the_last_turn_health_decides():
    game = Skirmish(turns=1)
    world = placed(game, {SOLDIER: 0, ARCHER: 1}, {SOLDIER: 15})
    world.apply(END_TURN)
    assert world.over
    assert world.scores == pytest.approx([3 / 9, -3 / 9])


@pytest.mark.parametrize(
    "wrong", [{"size": 6}, {"units": 0}, {"health": 0}, {"sight": 0}, {"turns": 0}]
)
def test_odd_sizes_are_refused_in_a_sentence(wrong):
    with pytest.raises(ValueError, match=r"\.$"):
        Skirmish(**wrong)


def test_actions_have_names():
    names = {
        Skirmish().action_name(action)
        for action in (END_TURN, pack(MOVE, KNIGHT, 6), pack(ATTACK, ARCHER, SOLDIER))
    }
    assert names == {"end turn", "knight moves to c2", "archer attacks soldier"}


# -- fog


def test_a_knight_that_rides_into_an_unseen_enemy_stops_next_to_it_and_sees_it():
    world = placed(Skirmish(fog=True), {KNIGHT: 0}, {SOLDIER: 2})
    assert world.hide(0).record["cell"][1, SOLDIER] == UNSEEN
    assert 2 in targets(world, MOVE, KNIGHT)
    world.apply(pack(MOVE, KNIGHT, 2))
    assert world.record["cell"][0, KNIGHT] == 1
    assert world.record["moved"][0, KNIGHT] == 1
    assert world.hide(0).record["cell"][1, SOLDIER] == 2


def test_an_enemy_out_of_sight_cannot_be_shot_until_a_comrade_sees_it():
    game = Skirmish(fog=True)
    assert targets(placed(game, {ARCHER: 0}, {SOLDIER: 2}), ATTACK, ARCHER) == set()
    assert targets(placed(game, {ARCHER: 0, SOLDIER: 6}, {SOLDIER: 2}), ATTACK, ARCHER) == {SOLDIER}


def test_what_an_unseen_unit_does_changes_nothing_in_the_view():
    world = placed(Skirmish(fog=True), {SOLDIER: 0}, {ARCHER: 15, KNIGHT: 11}, turn=1)
    before = world.hide(0)
    world.apply(pack(MOVE, KNIGHT, 10))
    world.apply(pack(MOVE, ARCHER, 11))
    assert world.hide(0) == before
    assert before.text.endswith("out of sight: archer (3), knight (3)")


@pytest.mark.parametrize("setting", SETTINGS)
def test_views_are_honest(setting):
    game = Skirmish(**setting)
    for seed in range(8):
        for world in random_positions(game, seed):
            for viewer in range(2):
                view = world.hide(viewer)
                imagined = game.imagine(view, seed)
                assert imagined.hide(viewer) == view
                assert view.to_move == imagined.to_move == world.to_move
                if world.to_move in (viewer, -1):
                    assert view.legal() == imagined.legal() == world.legal()
                    assert view.score(viewer) == world.score(viewer)
                if not setting:
                    assert (
                        world.row()[HEADER_BYTES:].tobytes() == view.row()[HEADER_BYTES:].tobytes()
                    )


def test_every_true_position_can_be_imagined():
    game = Skirmish(size=3, units=1, health=2, turns=8, fog=True)
    for seed in range(10):
        for world in random_positions(game, seed):
            for viewer in range(2):
                imagined = list(imaginations(world.hide(viewer)))
                assert sum(chance for chance, _ in imagined) == pytest.approx(1)
                assert world in [each for _, each in imagined]


# -- bounds, evaluators, policies, representatives


@pytest.mark.parametrize("setting", SETTINGS)
def test_games_stay_within_what_is_declared(setting):
    game = Skirmish(**setting)
    for seed in range(10):
        positions = [(len(world.legal()), world.scores) for world in random_positions(game, seed)]
        assert len(positions) - 1 <= game.most_steps
        assert max(count for count, _ in positions) <= game.most_actions
        south, north = positions[-1][1]
        assert south == -north
        assert -1 <= south <= 1


def test_the_bounds_can_be_met():
    game = Skirmish(size=5)
    world = placed(game, {SOLDIER: 12, ARCHER: 22, KNIGHT: 0}, {})
    assert len(targets(world, MOVE, SOLDIER)) == 4
    assert Skirmish(units=1).most_steps == 24 * 3


def test_material_weighs_health():
    game = Skirmish()
    world = placed(game, {SOLDIER: 0, ARCHER: 1}, {SOLDIER: 15})
    value = game.verbs.evaluate(game.table, world.row().ctypes.data, 0, game.evaluator("material"))
    assert value == pytest.approx((6 - 3) / (6 + 3))


def chosen(game: Skirmish, world: World, seed: int) -> int:
    stream, row = np.array([seed], np.uint64), world.row()
    return int(
        game.verbs.choose(
            game.table, row.ctypes.data, stream.ctypes.data, game.policy("attack-first")
        )
    )


@pytest.mark.parametrize("setting", SETTINGS)
def test_attack_first_plays_legal_actions_and_attacks_when_it_can(setting):
    game = Skirmish(**setting)
    for world in random_positions(game, 5):
        if not world.over:
            action, legal = chosen(game, world, 9), world.legal()
            assert action in legal
            assert (kind_of(action) == ATTACK) == any(kind_of(each) == ATTACK for each in legal)


def test_attack_first_likes_all_its_choices_alike():
    game = Skirmish()
    world = game.start(0)
    picks = [chosen(game, world, seed) for seed in range(3000)]
    expected = len(picks) / len(world.legal())
    assert all(abs(picks.count(action) - expected) < 5 * expected**0.5 for action in world.legal())


@pytest.mark.parametrize("setting", SETTINGS)
def test_representatives_are_few_and_of_every_kind(setting):
    game = Skirmish(**setting)
    for world in random_positions(game, 6):
        if not world.over:
            out, row = np.zeros(game.most_actions, np.int32), world.row()
            few = out[: game.verbs.represent(game.table, row.ctypes.data, out.ctypes.data)].tolist()
            assert set(few) <= set(world.legal())
            assert len(few) == len(set(few)) <= 3 * game.parameters["units"] + 1
            assert {unpack(action)[:2] for action in few} == {
                unpack(action)[:2] for action in world.legal()
            }


# -- solved, twice


SMALL = [
    ({"size": 3, "units": 1, "health": 2, "turns": 6}, 5 / 9, 1915),
    ({"size": 3, "units": 2, "health": 1, "turns": 4}, 4 / 9, 10836),
    ({"size": 3, "units": 2, "health": 2, "turns": 3}, 4 / 9, 21371),
    ({"size": 3, "units": 3, "health": 1, "turns": 2}, 50 / 81, 10482),
    ({"size": 4, "units": 1, "health": 2, "turns": 8}, 0.0, 5459),
]


@pytest.mark.parametrize(("setting", "value", "positions"), SMALL)
def test_small_games_have_the_same_value_by_two_ways(setting, value, positions):
    assert NaiveSkirmish(**setting).solve() == (pytest.approx(value, abs=1e-12), positions)
    assert solved([(1.0, Skirmish(**setting).start(0))]) == (
        pytest.approx(value, abs=1e-12),
        positions,
    )


@pytest.mark.parametrize("seed", range(5))
def test_every_action_of_a_whole_game_leads_where_the_naive_rules_say(seed):
    game = Skirmish()
    naive = NaiveSkirmish(
        **{name: game.parameters[name] for name in ("size", "units", "health", "turns")}
    )
    for world in random_positions(game, seed):
        if not world.over:
            ours = [
                summed((chance, as_naive(after)) for chance, after in outcomes(world, action))
                for action in world.legal()
            ]
            theirs = [
                summed((1 / len(afters), after) for after in afters)
                for afters in naive.choices(*as_naive(world))
            ]
            assert Counter(ours) == Counter(theirs)
        else:
            assert naive.result(*as_naive(world)) == pytest.approx(world.score(0))
