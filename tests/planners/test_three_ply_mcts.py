"""ThreePlyMCTS: the values found beyond its own turn reach the actions of this turn."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.planners import ThreePlyMCTS
from tests.planners.searches import begin, decide
from tests.planners.turns import keeps_time, same_whole_or_in_parts, won
from tests.sizes import sized


def threatened():
    """Connect Four, where the opponent wins unless column 3 is blocked."""
    world = pg.games.ConnectFour().start(1)
    for action in (3, 0, 3, 0, 3):
        world.apply(action)
    return world


def test_it_sees_the_reply():
    # Without an evaluator all ends of the own turn are equal. The search goes on from each, and all
    # but the block lose.
    world = threatened()
    decision = decide(world.game, ThreePlyMCTS(best=7, simulations=50), 3000, position=world)
    values = dict(zip(decision.actions, decision.values, strict=True))
    assert decision.action == 3
    assert all(value < 0.0 for action, value in values.items() if action != 3)


def test_before_the_first_round_is_over_it_is_a_search_of_the_own_turn():
    world = threatened()
    assert max(decide(world.game, ThreePlyMCTS(simulations=100), 100, position=world).values) == 0.0


def test_rounds_go_on_as_long_as_the_budget_lasts():
    world = threatened()
    found = [
        decide(world.game, ThreePlyMCTS(best=1, simulations=20), iterations, position=world).values
        for iterations in (60, 180, 600)
    ]
    informed = [sum(value < 0.0 for value in values if value is not None) for values in found]
    assert informed[0] < informed[1] <= informed[2] == 6, (
        "every losing column is found out, one a round"
    )


def test_the_turn_that_wins_is_played():
    game = pg.games.ConnectFour()
    world = game.start(1)
    for action in (3, 0, 3, 0, 3, 1):
        world.apply(action)
    assert decide(game, ThreePlyMCTS(best=7, simulations=20), 1500, position=world).action == 3


def test_more_than_two_players_are_refused():
    game = pg.games.ConnectFour()
    game.players = 3
    with pytest.raises(
        ValueError, match="has 3 players; three-ply-mcts can plan against one opponent only"
    ):
        begin(game, ThreePlyMCTS())


@pytest.mark.parametrize("name", ["skirmish:fog=true", "duel", "tiger", "pig", "leduc-poker"])
def test_the_same_seed_gives_the_same_decision_and_slices_change_nothing(name):
    game, planner = pg.game_from(name), ThreePlyMCTS(simulations=10)
    assert decide(game, planner, 150) == decide(game, planner, 150)
    assert same_whole_or_in_parts(game, planner, (3, 47, 100))


def test_a_time_budget_is_kept():
    assert keeps_time(pg.games.Skirmish(), ThreePlyMCTS())


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("name", ["duel", "skirmish"])
def test_it_beats_random_play(name):
    agent = pg.Agent(ThreePlyMCTS(), budget=pg.Budget(iterations=700))
    assert won(pg.game_from(name), agent, pg.Agent(pg.Random()), sized(20, 40)) >= 0.95
