"""Sanity tests: no planner passes in a won position, and every planner beats random play."""

from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.tournament.settings import Settings
from plyglass.core.compile import JIT
from plyglass.core.world import World
from plyglass.games.skirmish.rules import ATTACK, DEAD
from plyglass.planners import PLANNERS
from tests.planners.searches import decide

MEASUREMENTS = Path(__file__).parents[2] / "measurements"
AGAINST_RANDOM = Settings.load(MEASUREMENTS / "sanity-random.toml")
THINKING = [name for name in PLANNERS if name not in ("random", "policy")]
compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")
SOLDIER, ARCHER, KNIGHT = range(3)

# Cells of own units on the board of 4 x 4, cells of enemy units, and enemy health. A soldier's blow
# takes 1 or 2.
ONE_BLOW = {SOLDIER: 5}, {SOLDIER: 6}, 1
STEP_AND_BLOW = {SOLDIER: 0}, {ARCHER: 2}, 1
THREE_TO_ONE = {SOLDIER: 5, ARCHER: 10, KNIGHT: 9}, {KNIGHT: 6}, 3
WON = [
    (ONE_BLOW, False),
    (ONE_BLOW, True),
    (STEP_AND_BLOW, False),
    (THREE_TO_ONE, False),
    (THREE_TO_ONE, True),
]
WON_NAMES = [
    "one blow",
    "one blow in fog",
    "a step and a blow",
    "three to one",
    "three to one in fog",
]


def position(game, mine, theirs, health):
    """The first army to move against what is left of the second."""
    row = game.start(1).row()
    record = row.view(game.state)[0]
    for side, army, left in ((0, mine, 3), (1, theirs, health)):
        for unit in (SOLDIER, ARCHER, KNIGHT):
            record["cell"][side, unit] = army.get(unit, DEAD)
            record["health"][side, unit] = left if unit in army else 0
    return World(game, row)


def turn(game, planner, world, iterations):
    """The actions of one turn, each with whether an attack was possible."""
    while world.to_move == 0:
        action = decide(game, planner, iterations, position=world).action
        yield game.action_name(action), any(pg.kind_of(each) == ATTACK for each in world.legal())
        world.apply(action)


def wins_at_once(name, won):
    """Whether a planner has to win within the turn.

    Greedy looks at one action, so it cannot prepare a blow. To three-ply-mcts a win in its next
    turn is as good as a win in this one.
    """
    return name != "three-ply-mcts" and (
        won == ONE_BLOW or (won == STEP_AND_BLOW and name != "greedy")
    )


@compiled
@pytest.mark.parametrize(("won", "fog"), WON, ids=WON_NAMES)
@pytest.mark.parametrize("name", THINKING)
def test_no_planner_passes_in_a_won_position(name, won, fog):
    game = pg.games.Skirmish(fog=fog)
    world = position(game, *won)
    actions = list(turn(game, PLANNERS[name](), world, 1000))
    assert ("end turn", True) not in actions
    if wins_at_once(name, won):
        assert world.scores == [1.0, -1.0], actions


def test_pimc_with_the_truth_as_its_one_world_visits_what_uct_visits():
    game, iterations = pg.games.KuhnPoker(), 2000 if JIT else 60
    found = decide(game, pg.PIMC(worlds=1), iterations, belief=pg.Truth())
    assert found.visits == decide(game, pg.UCT(), iterations, belief=pg.Truth()).visits


def test_every_planner_is_measured_against_random_play():
    assert list(AGAINST_RANDOM.agents) == ["random", *THINKING]
    assert all(text.partition(":")[0] == name for name, text in AGAINST_RANDOM.agents.items())


@compiled
@pytest.mark.parametrize("name", THINKING)
def test_every_planner_beats_random_play(name):
    game, agent = pg.game_from(AGAINST_RANDOM.games[0]), pg.agent_from(AGAINST_RANDOM.agents[name])
    points = 0.0
    for seed in range(20):
        for seat in range(2):
            players = [pg.Agent(pg.Random())] * 2
            players[seat] = agent
            points += 0.5 + 0.5 * pg.play(game, players, seed=seed).scores[seat]
    assert points >= 0.95 * 40


@pytest.mark.parametrize(
    "path", sorted((MEASUREMENTS / "not-inferior").glob("*.toml")), ids=lambda path: path.stem
)
def test_more_simulations_are_compared_with_fewer(path):
    settings = Settings.load(path)
    more, fewer = settings.agents.values()
    assert more.replace("iterations=1000", "iterations=100") == fewer
    assert (settings.stop.rule, settings.stop.elo0, settings.stop.elo1) == ("sprt", -20.0, 0.0)
