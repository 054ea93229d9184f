"""OnePlyMCTS: it finds the best plan of a turn, and each option does what it says."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.planners import OnePlyMCTS
from plyglass.search.turn_tree.workspace import TurnTree
from tests.planners.searches import begin, decide
from tests.planners.turns import exact_turn, keeps_time, positions, same_whole_or_in_parts, won

SMALL = "skirmish:size=3,units=2"
SWITCHES = [
    {},
    {"tree": TurnTree(action_tree=True)},
    {"tree": TurnTree(transpositions=False)},
    {"tree": TurnTree(paired=False)},
    {"tree": TurnTree(resample=50)},
    {"rollout": "greedy"},
    {"rollout": "attack-first"},
    {"choice": "visits"},
    {"scale": "raw"},
]
REPLIES = [{"plies": 2}, {"plies": 2, "rollout": "greedy"}]


def regrets(planner, iterations, count):
    """How much worse the chosen actions are than the best ones, by the exact value of each."""
    game = pg.game_from(SMALL)
    for number, world in enumerate(positions(game, count)):
        exact = exact_turn(world)
        yield (
            max(exact.values())
            - exact[decide(game, planner, iterations, seed=number, position=world).action]
        )


@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_with_enough_iterations_it_finds_the_best_plan_of_a_turn(switches):
    found = list(regrets(OnePlyMCTS(**switches), 10_000 if JIT else 400, 20 if JIT else 2))
    assert sum(found) / len(found) <= (0.005 if JIT else 0.1)


def test_the_value_of_a_turn_converges_to_the_exact_one():
    game = pg.game_from(SMALL)
    for world in positions(game, 5 if JIT else 1):
        values = decide(
            game, OnePlyMCTS(exploration=2.0), 40_000 if JIT else 500, position=world
        ).values
        assert max(values) == pytest.approx(
            max(exact_turn(world).values()), abs=0.02 if JIT else 0.15
        )


def test_the_maximum_over_plans_is_above_their_mean():
    game = pg.game_from(SMALL)
    for world in positions(game, 5 if JIT else 1):
        best, mean = (
            decide(game, OnePlyMCTS(tree=TurnTree(backup=backup)), 200, position=world)
            for backup in ("max", "mean")
        )
        assert max(best.values) > max(mean.values)


def test_where_nothing_is_uncertain_every_plan_is_searched_once():
    # The first turn of Skirmish without a reachable enemy: only moves, and the end of the turn.
    game = pg.games.Skirmish(size=5, units=2)
    live = begin(game, OnePlyMCTS())
    live.run(pg.Budget(seconds=60.0))
    decision = live.decision()
    assert live.turn.exhausted
    assert decision.seconds < 30.0
    ending = decision.actions.index(0)
    assert game.action_name(0) == "end turn"
    assert decision.visits[ending] == 1


def test_an_uncertain_end_of_the_turn_is_tried_again():
    # In Duel the opponent draws a card when the turn ends.
    decision = decide(pg.games.Duel(), OnePlyMCTS(), 200)
    assert decision.visits[decision.actions.index(0)] > 1


def test_merging_move_orders_saves_nodes_and_changes_no_value():
    game = pg.games.Skirmish(size=5)
    nodes, values = {}, {}
    for merged in (True, False):
        live = begin(game, OnePlyMCTS(tree=TurnTree(transpositions=merged)))
        live.run(pg.Budget(iterations=100_000))
        assert live.turn.exhausted
        nodes[merged], values[merged] = live.turn.nodes, live.decision().values
    assert nodes[True] < 0.6 * nodes[False]
    assert values[True] == values[False]


def test_an_action_tree_tries_few_kinds_before_many_actions():
    # With as many iterations as kinds, every kind of action is tried: the search finds an attack
    # among many moves at once.
    game = pg.games.Skirmish()
    for world in positions(game, 10):
        kinds = {action >> 24 for action in world.legal()}
        decision = decide(
            game, OnePlyMCTS(tree=TurnTree(action_tree=True)), len(kinds), position=world
        )
        assert {
            action >> 24
            for action, visits in zip(decision.actions, decision.visits, strict=True)
            if visits
        } == kinds


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_pairing_reduces_the_variance_of_the_difference_of_actions():
    # Few iterations, many seeds: how much the difference of two actions' values varies.
    game = pg.game_from(SMALL)
    variance = {}
    for paired in (True, False):
        planner = OnePlyMCTS(tree=TurnTree(paired=paired), exploration=5.0)
        variance[paired] = 0.0
        for world in positions(game, 5):
            found = [
                decide(game, planner, 100, seed=seed, position=world).values for seed in range(50)
            ]
            variance[paired] += np.var([values[0] - values[1] for values in found])
    assert variance[True] < 0.95 * variance[False]


def test_a_single_action_is_chosen_at_once():
    decision = decide(pg.games.Pig(), OnePlyMCTS(), 1000)
    assert (decision.actions, decision.iterations) == ((0,), 0)


def test_the_tree_is_kept_within_the_turn():
    game = pg.games.Skirmish()
    world, live = game.start(1), begin(game, OnePlyMCTS())
    live.run(pg.Budget(iterations=2000 if JIT else 300))
    first = live.decision()
    world.apply(first.action)
    live.observe(first.action, world.hide(0))
    kept = live.decision()
    assert kept.iterations == 0
    assert sum(kept.visits) > 10
    assert kept.line == first.line[1:]
    live.run(pg.Budget(iterations=500 if JIT else 50))
    assert sum(live.decision().visits) > sum(kept.visits)


def test_a_tree_that_is_kept_needs_no_more_worlds_than_there_are():
    game = pg.games.Duel()
    agent = pg.Agent(OnePlyMCTS(), budget=pg.Budget(iterations=300 if JIT else 20))
    for seed in range(5 if JIT else 1):
        assert pg.play(game, [agent, agent], seed=seed).scores in ((1.0, -1.0), (-1.0, 1.0))


def test_the_opening_looks_on_through_the_next_turn():
    # Two turns of attacks are worth more than one, when the enemy only passes between them.
    game = pg.game_from(SMALL)
    world = game.start(1)
    near = max(decide(game, OnePlyMCTS(), 3000 if JIT else 300, position=world).values)
    far = max(decide(game, OnePlyMCTS(opening=1), 3000 if JIT else 300, position=world).values)
    assert far > near + 0.1


def test_rollouts_of_two_plies_see_the_reply():
    # At the end of the own turn all is well; at the end of the opponent's, Connect Four is lost
    # unless column 3 is blocked.
    game = pg.games.ConnectFour()
    world = game.start(1)
    for action in (3, 0, 3, 0, 3):
        world.apply(action)
    assert set(decide(game, OnePlyMCTS(), 50, position=world).values) == {0.0}
    decision = decide(game, OnePlyMCTS(plies=2, rollout="greedy"), 50, position=world)
    assert decision.action == 3
    assert [
        value
        for action, value in zip(decision.actions, decision.values, strict=True)
        if action != 3
    ] == [-1.0] * 6


def test_a_third_ply_is_the_own_next_turn():
    # Two in a column: after this turn three, and after the next one four, unless the reply is in
    # the way.
    game = pg.games.ConnectFour()
    world = game.start(1)
    for action in (3, 0, 3, 0):
        world.apply(action)
    near, far = (
        decide(game, OnePlyMCTS(plies=plies, rollout="greedy"), 200, position=world)
        for plies in (2, 3)
    )
    assert max(near.values) == 0.0
    assert far.action == 3
    assert max(far.values) > 0.5


def test_what_follows_the_turn_is_tried_again_and_again():
    # Without chance, an end of the turn is known at once, but not what a random reply does to it.
    game = pg.games.ConnectFour()
    assert sum(decide(game, OnePlyMCTS(), 200).visits) == 7
    assert sum(decide(game, OnePlyMCTS(plies=2), 200).visits) == 200


def test_a_full_tree_ends_the_search():
    live = begin(
        pg.games.Skirmish(), OnePlyMCTS(tree=TurnTree(most_nodes=1024, transpositions=False))
    )
    live.run(pg.Budget(seconds=60.0))
    assert live.turn.nodes <= 1024
    assert live.decision().seconds < 30.0


@pytest.mark.parametrize(
    "name", ["skirmish", "skirmish:fog=true", "duel", "pig", "kuhn-poker", "tiger", "connect-four"]
)
def test_the_same_seed_gives_the_same_decision_to_the_last_bit(name):
    game = pg.game_from(name)
    for switches in SWITCHES[:5]:
        assert decide(game, OnePlyMCTS(**switches), 60) == decide(game, OnePlyMCTS(**switches), 60)


@pytest.mark.parametrize("switches", [*SWITCHES[:6], *REPLIES], ids=str)
def test_slices_change_nothing(switches):
    for name in ("skirmish:fog=true", "duel"):
        assert same_whole_or_in_parts(pg.game_from(name), OnePlyMCTS(**switches), (1, 70, 129))


def test_a_time_budget_is_kept():
    assert keeps_time(pg.games.Skirmish(), OnePlyMCTS())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("name", ["duel", "skirmish", "skirmish:fog=true"])
def test_it_beats_random_play(name):
    agent = pg.Agent(OnePlyMCTS(), budget=pg.Budget(iterations=300))
    assert won(pg.game_from(name), agent, pg.Agent(pg.Random()), 50) >= 0.95


def test_a_won_game_is_won():
    game = pg.game_from(SMALL)
    for number, world in enumerate(positions(game, 60 if JIT else 3)):
        exact = exact_turn(world)
        if max(exact.values()) == 1.0:  # the last enemy falls for certain
            assert (
                exact[
                    decide(game, OnePlyMCTS(), 2000, seed=derive(1, number), position=world).action
                ]
                == 1.0
            )


def test_parameters_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="backup is one of max, mean, not 'median'"):
        OnePlyMCTS(tree=TurnTree(backup="median"))
    with pytest.raises(ValueError, match="resample is at least 1; it cannot be 0"):
        OnePlyMCTS(tree=TurnTree(resample=0))
    with pytest.raises(ValueError, match="plies is at least 1; it cannot be 0"):
        OnePlyMCTS(plies=0)
