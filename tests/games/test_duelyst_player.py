"""The default player of Duelyst wins where it can, and avoids defeat where it can."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.search.turn_results.workspace import TurnEnumeration
from tests.games.duelyst_positions import position
from tests.planners.searches import best, decide

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")

WINS = {
    "a move, an attack and a spell": position(
        "hailstone_golem@f3", "general@i3-18", hand="phoenix_fire"
    ),
    "past one that provokes": position(
        "hailstone_golem@g3 saberspine_tiger@f4",
        "general@i3-19 primus_shieldmaster@h4-4",
        hand="phoenix_fire",
    ),
    "by the general himself": position("general@g3", "general@i3-20", hand="phoenix_fire", mana=2),
}
RUSH = {
    "by a minion that rushes": position(
        "general@e3", "general@i3-22", hand="saberspine_tiger bloodtear_alchemist"
    )
}
THREATS = {
    "a golem that is killed": position("general@a3-21 stormmetal_golem@e3", "hailstone_golem@d3-1"),
    "a golem that the general runs away from": position("general@b3-22", "hailstone_golem@e3"),
    "a golem beside better prey": position(
        "general@a3-21 stormmetal_golem@e3", "hailstone_golem@d3 phalanxar@f3"
    ),
}


def after_turn(world):
    """The position after the player's turn."""
    world, seat = world.copy(), pg.agent_from(pg.games.Duelyst.opponent).take_seat(world.game, 0, 1)
    seat.observe(None, world.hide(0))
    while world.to_move == 0:
        action = seat.decide().action
        world.apply(action)
        if world.to_move == 0:
            seat.observe(action, world.hide(0))
    return world


@pytest.mark.parametrize("name", [*WINS, *RUSH])
def test_a_turn_that_wins_is_found_by_its_aim(name):
    world = {**WINS, **RUSH}[name].copy()
    decision = decide(
        world.game,
        pg.WholeTurns(depth=1, evaluator="learned", turn=TurnEnumeration(beam=1, aim="kill")),
        10**9,
        position=world,
    )
    assert best(decision) == 1.0
    for _, action in decision.line:
        world.apply(action)
    assert world.scores == [1, -1]


@pytest.mark.parametrize("name", WINS)
def test_it_wins_where_it_can(name):
    assert after_turn(WINS[name]).scores == [1, -1]


@pytest.mark.parametrize("name", THREATS)
def test_it_leaves_no_attack_that_kills(name):
    enemy = pg.WholeTurns(
        depth=1, evaluator="learned", turn=TurnEnumeration(beam=64, ranked="completed")
    )
    idle = THREATS[name].copy()
    idle.apply(
        next(action for action in idle.legal() if idle.game.action_name(action) == "end turn")
    )
    assert (
        best(decide(idle.game, enemy, 10**9, position=idle, belief=pg.Truth())) == 1.0
    )  # the enemy would win
    world = after_turn(THREATS[name])
    assert best(decide(world.game, enemy, 10**9, position=world, belief=pg.Truth())) < 1.0
