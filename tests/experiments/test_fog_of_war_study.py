"""The measures of the study of the fog of war, and that its planners can play what it declares."""

import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.experiments.studies.fog_of_war.measures import fights
from plyglass.experiments.study import artifact_named
from plyglass.search.turn_results.workspace import TurnEnumeration
from tests.games.tubstap_maps import game_on

FIELD = ["........"] * 8


def test_attacks_and_losses_are_counted_for_each_side(tmp_path):
    game = game_on(tmp_path, FIELD, "A10@a1 A10@c1", "I1@a2 I1@c2 I1@h8", fog=False, turns=2)
    agents = [
        pg.Agent(
            pg.WholeTurns(depth=1, evaluator="health", turn=TurnEnumeration(beam=8)),
            budget=pg.Budget(iterations=10**6),
        ),
        pg.Agent(pg.Random()),
    ]
    red, blue = fights(pg.play(game, agents, seed=1))
    assert (red["attacks"], red["lost"], red["drawn"]) == (2, 0, 0)
    assert (blue["lost"], blue["drawn"]) == (2, 0)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize(
    "key",
    [
        "table-3-1k",
        "table-3-5k",
        "table-3-10k",
        "table-3-20k",
        "sanity",
        "budget",
        "constants",
        "maps",
    ],
)
def test_all_planners_can_play(key):
    settings = artifact_named(f"fog-of-war/{key}").tournament(0.01)
    game = pg.game_from(settings.games[0])
    world = game.start(1)
    for text in settings.agents.values():
        planner = pg.agent_from(text)
        seat = pg.Agent(planner.planner, planner.belief, pg.Budget(iterations=20)).take_seat(
            game, 0, 1
        )
        if planner.cheats:
            seat.reveal(world)
        seat.observe(None, world.hide(0))
        assert seat.decide().action in world.legal()


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
@pytest.mark.parametrize("name", ["PIMC", "PIMC in one tree", "MO-ISMCTS", "SO-ISMCTS", "BS-MCTS"])
def test_nobody_lets_a_win_go(tmp_path, name):
    """It is the last turn: an attack wins, all else is a draw, and the enemy is in sight."""
    game = game_on(tmp_path, FIELD, "A5@d4", "I5@d5", turns=1)
    agent = pg.agent_from(
        artifact_named("fog-of-war/sanity").tournament().agents[f"{name} against random play"]
    )
    seat, world = agent.take_seat(game, 0, 1), game.start(1)
    seat.observe(None, world.hide(0))
    world.apply(seat.decide().action)
    assert world.scores == [1, -1]
