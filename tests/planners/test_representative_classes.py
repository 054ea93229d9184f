"""Classes by clustering: the choice, its independence of hidden facts, and any inner search."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit.glass_wall import examine
from plyglass.core.compile import JIT
from plyglass.core.world import World
from plyglass.planners.representative_moves import classes as automatic
from plyglass.planners.representative_moves.classes import Classes, few_actions
from plyglass.planners.representative_moves.medoids import choose_extremes, move_to_medoids
from tests.planners.naive_classes import chosen_actions, representatives
from tests.planners.searches import decide

FEATURED = ["duel", "duel:open_hands=true", "skirmish", "skirmish:fog=true"]
BARE = ["navy", "connect-four", "pig"]  # an evaluator and no features; a score and nothing else
POSITIONS = 60 if JIT else 6
INNER = [
    pg.UCT(trees=2),
    pg.Expectiminimax(depth=2),
    pg.PIMC(2, pg.Expectiminimax(depth=2)),
    pg.SOISMCTS(),
    pg.EPIMC(worlds=2, horizon=1),
]


def positions(game, count, seed=3):
    """Positions of random games that are not over."""
    choice, found = np.random.default_rng(seed), []
    while len(found) < count:
        world = game.start(int(choice.integers(1 << 30)))
        while not world.over and len(found) < count:
            found.append(world.copy())
            world.apply(int(choice.choice(world.legal())))
    return found


def few_of(few, world):
    return World(few, world.row()).legal()


def after(world, action):
    played = world.copy()
    played.apply(action)
    return played


def wins(world, action):
    played = after(world, action)
    return played.over and played.score(world.to_move) > 0


def clusters(inner, count):
    return pg.RepresentativeMoves(inner, classes="clusters", count=count)


@pytest.mark.parametrize("name", [*FEATURED, *BARE])
@pytest.mark.parametrize(("count", "worlds", "rounds"), [(3, 4, 4), (5, 2, 1), (8, 1, 0)])
def test_the_kernel_chooses_what_a_naive_search_for_classes_chooses(name, count, worlds, rounds):
    game = pg.game_from(name)
    few = few_actions(game, Classes(count, worlds, rounds))
    for world in positions(game, POSITIONS):
        assert few_of(few, world) == chosen_actions(world, count, worlds, rounds)


@pytest.mark.skipif(not JIT, reason="there is nothing compiled to compare with")
@pytest.mark.parametrize("name", [*FEATURED, *BARE])
def test_compiled_and_interpreted_choices_agree(name):
    game, terms = pg.game_from(name), Classes(4, 3, 3)
    few, twin = few_actions(game, terms), few_actions(game.interpreted(), terms)
    for world in positions(game, POSITIONS):
        assert few_of(few, world) == few_of(twin, world)


@pytest.mark.parametrize("name", FEATURED)
@pytest.mark.parametrize("count", [2, 5, 1000])
def test_as_many_actions_as_asked_for_are_left_in_their_order_and_one_of_them_ends_the_turn(
    name, count
):
    game = pg.game_from(name)
    few = few_actions(game, Classes(count, 2, 2))
    for world in positions(game, POSITIONS):
        left, legal = few_of(few, world), world.legal()
        assert left == [action for action in legal if action in left]
        assert len(left) == min(count, len(legal))
        assert any(after(world, action).to_move != world.to_move for action in left)


def test_a_winning_blow_is_never_lost():
    game = pg.game_from("duel:open_hands=true")
    few, met = few_actions(game, Classes(2, 2, 4)), 0
    for world in positions(game, 20 * POSITIONS):
        if len(world.legal()) > 2 and any(wins(world, action) for action in world.legal()):
            met += 1
            assert any(wins(world, action) for action in few_of(few, world))
    assert met > 0


@pytest.mark.parametrize("name", ["duel", "skirmish:fog=true"])
def test_worlds_that_look_alike_to_the_mover_have_the_same_few_actions(name):
    game = pg.game_from(name)
    few = few_actions(game, Classes(3, 2, 2))
    for world in positions(game, POSITIONS):
        view = world.hide(world.to_move)
        others = [game.imagine(view, seed) for seed in range(3)]
        assert {tuple(few_of(few, other)) for other in others} == {tuple(few_of(few, world))}
        assert view.within(few).legal() == few_of(few, world)


@pytest.mark.parametrize("name", ["duel", "skirmish:fog=true"])
def test_the_hidden_truth_changes_no_decision(name):
    cell = examine(
        name,
        pg.Agent(clusters(pg.UCT(trees=2), 3), budget=pg.Budget(iterations=40)),
        100 if JIT else 5,
    )
    assert cell.differences == 0
    assert not JIT or cell.swapped > 5


@pytest.mark.parametrize("name", ["skirmish:size=3,units=2,health=2,turns=4", "duel"])
@pytest.mark.parametrize("inner", INNER, ids=lambda inner: inner.name)
def test_any_search_can_be_inside(name, inner):
    game = pg.game_from(name)
    world = max(positions(game, 30), key=lambda each: len(each.legal()))
    decision = decide(game, clusters(inner, 3), 60 if JIT else 8, position=world)
    assert list(decision.actions) == chosen_actions(world, 3, 4, 4)
    assert decision.action in decision.actions


def test_trees_that_grow_in_threads_do_not_disturb_each_other():
    game = pg.game_from("skirmish")
    decisions = [
        decide(game, clusters(pg.UCT(trees=trees), 4), trees * (2000 if JIT else 5))
        for trees in (4, 4, 1)
    ]
    assert decisions[0].visits == decisions[1].visits
    assert decisions[0].actions == decisions[2].actions


def test_fewer_leaves_are_judged_at_the_same_depth():
    game, depth, plenty = pg.game_from("skirmish"), 5 if JIT else 2, 10_000_000
    inner = pg.Expectiminimax(depth=depth, memory=0, deepening=False)
    leaves = [
        decide(game, planner, plenty).evaluated
        for planner in (clusters(inner, 3), clusters(inner, 6), inner)
    ]
    fewer = 1.5 if JIT else 1.2
    assert leaves[0] * fewer < leaves[1] < leaves[2] / fewer


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"count": 1}, "leaves no choice"),
        ({"worlds": 0}, "1 or more worlds"),
        ({"rounds": -1}, "0 or more rounds"),
        ({"classes": "mine"}, "game, clusters"),
    ],
)
def test_what_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        pg.RepresentativeMoves(**wrong)


def test_a_game_with_too_many_actions_to_compare_is_refused(monkeypatch):
    monkeypatch.setattr(automatic, "MOST_STACK", 1000)
    with pytest.raises(ValueError, match="skirmish has up to 30 actions with 24 features"):
        few_actions(pg.game_from("skirmish"), Classes(3, 1, 1))


def places(line, fixed, count, rounds):
    """The representatives of points on a line, by the kernels and by the naive twin."""
    points, chosen = np.array(line, float), np.zeros(count, np.int64)
    chosen[: len(fixed)] = fixed
    choose_extremes(points, len(line), 1, chosen, len(fixed), np.zeros(len(line)))
    move_to_medoids(points, len(line), 1, chosen, len(fixed), np.zeros(len(line), np.int64), rounds)
    assert chosen.tolist() == representatives(
        [[each] for each in points.tolist()], fixed, count, rounds
    )
    return [line[each] for each in chosen]


def test_extremes_come_first_and_medoids_after_some_rounds():
    line = [0, 1, 2, 10, 11, 12, 30]
    assert places(line, [0], 4, 0) == [0, 30, 12, 2]
    assert places(line, [0], 4, 1) == [0, 30, 11, 2]
    assert places(line, [0, 3], 3, 5) == [0, 10, 30]


def test_points_that_are_alike_are_chosen_in_their_order():
    assert places([5, 5, 5, 5], [2], 3, 3) == [5, 5, 5]
    points, chosen = np.zeros(4), np.array([2, 0, 0])
    choose_extremes(points, 4, 1, chosen, 1, np.zeros(4))
    assert chosen.tolist() == [2, 0, 1]
