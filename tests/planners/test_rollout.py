"""Rollout: one playout after every action, by each policy, to the end of as many plies as asked."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners import Greedy, Rollout
from tests.planners.searches import decide
from tests.planners.turns import exact_turn, keeps_time, positions, same_whole_or_in_parts, won

POLICIES = ["random", "greedy", "multi-random", "attack-first"]


def test_the_best_of_many_random_turns_is_the_best_turn_without_chance():
    # On this board nobody can reach the enemy in the first turn without moving first. Connect Four
    # has no chance at all.
    game = pg.games.ConnectFour()
    world = game.start(1)
    for action in (3, 0, 3, 0, 3, 1):
        world.apply(action)
    decision = decide(game, Rollout(), 1, position=world)
    assert decision.action == 3
    assert max(decision.values) == 1.0


def test_more_tries_come_closer_to_the_best_plan():
    game = pg.game_from("skirmish:size=3,units=2")
    gaps = dict.fromkeys((1, 5, 50), 0.0)
    for world in positions(game, 10 if JIT else 2):
        best = max(exact_turn(world).values())
        for tries in gaps:
            planner = Rollout(policy="multi-random", tries=tries)
            gaps[tries] += best - max(
                decide(game, planner, 200 if JIT else 20, position=world).values
            )
    assert gaps[1] > gaps[5] > gaps[50]


def test_keeping_the_best_round_is_never_below_the_mean():
    for policy in POLICIES:
        mean = decide(pg.games.Skirmish(), Rollout(policy=policy), 20)
        best = decide(pg.games.Skirmish(), Rollout(policy=policy, keep="best"), 20)
        assert all(high >= low - 1e-12 for high, low in zip(best.values, mean.values, strict=True))


def test_further_plies_see_the_reply():
    # At the end of the own turn all is well; at the end of the opponent's, Connect Four is lost
    # unless column 3 is blocked.
    game = pg.games.ConnectFour()
    world = game.start(1)
    for action in (3, 0, 3, 0, 3):
        world.apply(action)
    assert max(decide(game, Rollout(plies=1), 50, position=world).values) == 0.0
    decision = decide(game, Rollout(policy="greedy", plies=2), 5, position=world)
    assert decision.action == 3
    assert [
        value
        for action, value in zip(decision.actions, decision.values, strict=True)
        if action != 3
    ] == [-1.0] * 6


def test_less_than_a_ply_is_refused():
    with pytest.raises(ValueError, match="at least one ply, not 0; the planner greedy"):
        decide(pg.games.Duel(), Rollout(plies=0), 1)
    with pytest.raises(ValueError, match="has no policy 'brave'"):
        decide(pg.games.Duel(), Rollout(policy="brave"), 1)


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_seed_gives_the_same_decision_and_slices_change_nothing(policy):
    for name in ("skirmish:fog=true", "duel"):
        game, planner = pg.game_from(name), Rollout(policy=policy, plies=2)
        assert decide(game, planner, 10) == decide(game, planner, 10)
        assert same_whole_or_in_parts(game, planner, (1, 5, 14))


def test_a_time_budget_is_kept():
    assert keeps_time(pg.games.Skirmish(), Rollout())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("policy", ["random", "greedy", "multi-random"])
@pytest.mark.parametrize("name", ["duel", "skirmish"])
def test_it_beats_random_play(name, policy):
    agent = pg.Agent(Rollout(policy=policy), budget=pg.Budget(iterations=20))
    assert won(pg.game_from(name), agent, pg.Agent(pg.Random()), 40) >= 0.95


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_greedy_rollouts_beat_hillclimbing_as_in_mckenney_2023a():
    agent = pg.Agent(Rollout(policy="greedy"), budget=pg.Budget(iterations=20))
    assert won(pg.games.Skirmish(), agent, pg.Agent(Greedy()), 60) > 0.5
