"""Navy Defense in positions made by hand: costs, sonar, routes, submarines, and baselines."""

from itertools import pairwise

import numpy as np
import pytest

from plyglass.core.tape import outcomes
from plyglass.games.navy import Navy
from tests.games.naive_navy import NaiveNavy, position_of
from tests.games.navy_positions import act, changed, sea

MIDDLE = (3, 3, True)  # a cargo ship that stands still, in the middle of an odd sea
FAR_AWAY = (6, 6, True)
POLICIES = list(Navy.policies)


def ring(cell, size=7):
    """The distance from the border."""
    return min(*cell, size - 1 - cell[0], size - 1 - cell[1])


def follow(world, policy):
    """Play an action of a policy; returns its name."""
    game, stream = world.game, np.array([3], np.uint64)
    action = int(
        game.verbs.choose(game.table, world.address, stream.ctypes.data, game.policy(policy))
    )
    assert action in world.legal()
    world.apply(action)
    return game.action_name(action)


def navy_after(world, policy, steps):
    """The cells of the Navy ship, the first included, while a policy commands it."""
    cells = [position_of(world).navy]
    for _ in range(steps):
        follow(world, policy)
        cells.append(position_of(world).navy)
    return cells


# -- what things cost


def test_a_cargo_ship_costs_20_when_hit_and_80_more_when_lost():
    world = sea((0, 0), [MIDDLE], [(3, 4)])
    act(world, "stay")
    assert world.score(0) == -20
    assert not world.over
    act(world, "stay")
    assert world.score(0) == -100


def test_a_navy_ship_costs_10_when_hit_and_40_more_when_lost():
    """Submarines in the corner have no way out, and the Navy ship is in their reach."""
    one, two = sea((0, 1), [FAR_AWAY], [(0, 0)]), sea((0, 1), [FAR_AWAY], [(0, 0), (0, 0)])
    for world in (one, two):
        act(world, "stay")
    assert (one.score(0), position_of(one).health) == (-10, 1)
    assert (two.score(0), position_of(two).health) == (-50, 0)


def test_a_move_costs_1_and_staying_nothing():
    world = sea((3, 3), [FAR_AWAY], [])
    act(world, "north", "stay", "west")
    assert world.score(0) == -2


def test_a_strike_at_the_navy_ship_hits_the_cargo_beside_it_on_the_cell():
    world = sea((0, 1), [(0, 0, True)], [(0, 0)])  # the cargo ship sails to the Navy ship's cell
    act(world, "stay")
    assert world.score(0) == -30


# -- sonar


def test_sonar_sinks_a_submarine_that_it_meets_twice():
    world = sea((1, 1), [FAR_AWAY], [(0, 0)])
    act(world, "stay")
    assert position_of(world).submarines == (((0, 0), 1, None),)
    act(world, "stay")
    assert (position_of(world).submarines, position_of(world).sunk) == ((), 1)


@pytest.mark.parametrize(("action", "damage"), [("stay", 0), ("west", 0), ("east", 1)])
def test_sonar_strikes_from_the_cell_that_the_navy_ship_moved_to(action, damage):
    world = sea((3, 3), [FAR_AWAY], [(2, 5)])
    act(world, action)
    assert [health for _, health, _ in position_of(world).submarines] == [2 - damage]


def test_a_submarine_leaves_the_sonar_instead_of_striking():
    # The cargo ship sails to (2, 3), out of reach of every cell outside of the sonar.
    world = sea((3, 3), [(2, 4, False)], [(3, 4)])
    act(world, "stay")
    ((cell, health, _),) = position_of(world).submarines
    assert (cell, health, world.score(0)) == ((3, 5), 1, 0)


def test_a_submarine_that_sits_diagonally_in_a_corner_strikes_cargo_or_nothing():
    lonely, tempted = sea((1, 1), [FAR_AWAY], [(0, 0)]), sea((1, 1), [(0, 2, False)], [(0, 0)])
    for world in (lonely, tempted):
        act(world, "stay")
        assert position_of(world).submarines[0][0] == (0, 0)
    assert (lonely.score(0), position_of(lonely).attacked) == (0, ())
    assert (tempted.score(0), position_of(tempted).attacked) == (-20, ((0, 1),))


# -- routes


@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize(
    ("start", "around"), [((0, 0), 24), ((0, 6), 24), ((5, 1), 16), ((4, 3), 8), ((3, 3), 1)]
)
def test_a_route_goes_around_at_a_constant_distance_from_the_border(start, around, clockwise):
    world, cells = sea((3, 3), [(*start, clockwise)], []), []
    for _ in range(around):
        act(world, "stay")
        cells.append(position_of(world).ships[0][0])
    assert cells[-1] == start
    assert len(set(cells)) == around
    assert {ring(cell) for cell in cells} == {ring(start)}


@pytest.mark.parametrize(
    ("corner", "clockwise", "other_way"),
    [
        ((0, 0), (0, 1), (1, 0)),
        ((0, 6), (1, 6), (0, 5)),
        ((6, 6), (6, 5), (5, 6)),
        ((6, 0), (5, 0), (6, 1)),
    ],
)
def test_ships_turn_at_corners(corner, clockwise, other_way):
    world = sea((3, 3), [(*corner, True), (*corner, False)], [])
    act(world, "stay")
    assert [cell for cell, _, _ in position_of(world).ships] == [clockwise, other_way]


# -- ends


def test_a_run_ends_after_its_steps_and_not_with_the_navy_ship():
    world = sea((0, 1), [FAR_AWAY, MIDDLE], [(0, 0), (0, 0), (2, 3)], steps=6)
    act(world, "stay")
    assert position_of(world).health == 0
    assert [world.game.action_name(action) for action in world.legal()] == ["stay"]
    costs = [-world.score(0)]
    while not world.over:
        act(world, "stay")
        costs.append(-world.score(0))
    assert len(costs) == 6
    # 50 for the Navy ship; the cargo ship in the middle is hit and lost.
    assert costs[:2] == [70, 150]


def test_a_run_ends_when_no_cargo_is_left():
    world = sea((0, 0), [MIDDLE], [(3, 4)])
    act(world, "stay", "stay")
    assert world.over
    assert world.legal() == []


def test_the_navy_ship_cannot_leave_the_sea():
    world = sea((0, 6), [FAR_AWAY], [])
    assert [world.game.action_name(action) for action in world.legal()] == ["stay", "south", "west"]


# -- submarines


def test_all_submarines_decide_before_any_acts():
    """Three strike a ship that the second one sinks: the third strikes an empty cell."""
    world = sea((0, 0), [MIDDLE], [(3, 4), (3, 2), (2, 3)])
    act(world, "stay")
    assert position_of(world).attacked == ((3, 3),) * 3
    assert world.score(0) == -100


def test_a_submarine_strikes_where_most_ships_are_and_then_the_weakest():
    many = sea((6, 6), [(2, 3, False), MIDDLE, MIDDLE], [(3, 2)])
    act(many, "stay")
    assert (position_of(many).attacked, many.score(0)) == (((3, 3),), -40)
    weak = changed(
        sea((6, 6), [(2, 3, False), MIDDLE], [(3, 2)]), cargo_health=[1, 2, 0, 0, 0, 0, 0, 0]
    )
    act(weak, "stay")
    assert (position_of(weak).attacked, weak.score(0)) == (((2, 2),), -80)


def test_a_submarine_lies_in_wait_where_a_ship_will_come_by():
    world = sea((6, 6), [(0, 4, False)], [(1, 2)])
    act(world, "stay")
    assert (position_of(world).submarines[0][0], world.score(0)) == ((1, 2), 0)
    act(world, "stay")
    assert position_of(world).attacked == ((0, 2),)


@pytest.mark.parametrize(
    ("model", "target", "cells"),
    [("free", 127, {(3, 4)}), ("sticky", 0, {(3, 4)}), ("sticky", 1, {(4, 5), (3, 6)})],
)
def test_a_free_submarine_hunts_the_ship_it_meets_first_and_a_sticky_one_its_own(
    model, target, cells
):
    world = changed(
        sea((0, 0), [MIDDLE, (6, 3, False)], [(3, 5)], submarines=model),
        target=[target, *[127] * 5],
    )
    assert {position_of(after).submarines[0][0] for _, after in outcomes(world, 0)} == cells


def test_a_sticky_submarine_hunts_another_ship_when_its_own_is_lost():
    world = changed(
        sea((0, 0), [MIDDLE, FAR_AWAY], [(3, 4)], submarines="sticky"), target=[0, *[127] * 5]
    )
    act(world, "stay", "stay")
    assert position_of(world).submarines[0][2] == 0
    act(world, "stay")
    assert position_of(world).submarines[0][2] == 1


# -- captains who do not plan


def test_a_static_captain_never_moves():
    assert set(navy_after(sea((2, 5), [FAR_AWAY], []), "static", 10)) == {(2, 5)}


@pytest.mark.parametrize("policy", POLICIES[1:])
def test_a_patrol_stays_on_its_ring_and_goes_around_it(policy):
    cells = navy_after(sea((1, 3), [FAR_AWAY], []), policy, 16)
    assert cells[1] == ((1, 4) if policy.endswith("-clockwise") else (1, 2))
    assert {ring(cell) for cell in cells} == {1}
    assert len(set(cells)) == 16
    assert cells[-1] == (1, 3)


@pytest.mark.parametrize("policy", POLICIES)
def test_in_the_middle_of_an_odd_sea_there_is_no_way_to_patrol(policy):
    assert set(navy_after(sea((3, 3), [FAR_AWAY], []), policy, 3)) == {(3, 3)}


@pytest.mark.parametrize("policy", POLICIES)
def test_a_captain_whose_ship_is_lost_looks_on(policy):
    world = changed(sea((1, 3), [FAR_AWAY], []), navy_health=0, alarm=0)
    assert follow(world, policy) == "stay"


@pytest.mark.parametrize("policy", POLICIES[3:])
@pytest.mark.parametrize("clockwise", [True, False])
def test_a_reactive_captain_goes_to_a_ship_that_calls_and_then_patrols_as_it_sails(
    policy, clockwise
):
    world = sea((5, 6), [(3, 3, clockwise)], [(3, 3)])
    act(world, "stay")
    assert position_of(world).alarm == 0
    cells = navy_after(changed(world, submarine=[255] * 6), policy, 12)
    arrived = next(
        step for step, cell in enumerate(cells) if max(abs(cell[0] - 3), abs(cell[1] - 3)) <= 1
    )
    assert [abs(y - 3) + abs(x - 3) for y, x in cells[: arrived + 1]] == list(
        range(5, 4 - arrived, -1)
    )
    twin = NaiveNavy(**world.game.parameters)
    assert all(there == twin.sailed(here, clockwise) for here, there in pairwise(cells[arrived:]))


def test_a_call_is_heard_three_cells_away_and_no_further():
    for column, alarm in ((6, 0), (0, 0)):
        world = sea((3, column), [MIDDLE], [(3, 3)])
        act(world, "stay")
        assert position_of(world).alarm == alarm
    world = sea((8, 8), [(4, 4, True)], [(4, 4)], size=9)
    act(world, "stay")
    assert position_of(world).alarm is None


@pytest.mark.parametrize("policy", POLICIES[3:])
def test_a_ship_that_is_lost_at_once_calls_nobody(policy):
    world = sea((1, 3), [MIDDLE, FAR_AWAY], [(3, 3), (3, 3)])
    act(world, "stay")
    assert position_of(world).alarm is None
    assert follow(world, policy) == ("east" if policy == "reactive-clockwise" else "west")
