"""Representative moves: the same search in a game with fewer actions."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.planners.representative_moves.planner import represented

SMALL = "skirmish:size=3,units=2,health=2,turns=4"
INNER = [
    pg.Expectiminimax(depth=2),
    pg.UCT(),
    pg.PIMC(2, pg.Expectiminimax(depth=2)),
    pg.Hindsight(worlds=2, horizon=1),
]


def few_of(game, world):
    out = np.zeros(game.most_actions, np.int32)
    count = game.verbs.represent(game.table, world.row().ctypes.data, out.ctypes.data)
    return out[:count].tolist()


def decide(planner, world, iterations, seed=2):
    game, seat = world.game, world.to_move
    live = planner.begin(game, seat, pg.Fresh().begin(game, seat, 7), seed)
    live.observe(None, world.hide(seat))
    live.run(pg.Budget(iterations=iterations))
    return live.decision()


@pytest.mark.parametrize("name", [SMALL, "skirmish:fog=true", "duel"])
@pytest.mark.parametrize("inner", INNER)
def test_only_representatives_are_searched(name, inner):
    game = pg.game_from(name)
    world = game.start(2)
    decision = decide(pg.RepresentativeMoves(inner), world, 200 if JIT else 10)
    assert list(decision.actions) == few_of(game, world)
    assert decision.action in decision.actions
    assert set(decision.actions) <= set(world.legal())


def test_the_game_of_representatives_has_no_other_actions_anywhere():
    game = pg.game_from(SMALL)
    few = represented(game)
    world, twin = game.start(3), few.start(3)
    step = 0
    while not world.over:
        assert twin.legal() == few_of(game, world)
        action = twin.legal()[derive(1, step) % len(twin.legal())]
        world.apply(action)
        twin.apply(action)
        step += 1
    assert world == twin
    assert game.start(3).legal() != few.start(3).legal()


def test_fewer_leaves_are_judged_at_the_same_depth():
    world = pg.game_from("skirmish").start(1)
    depth, fewer, plenty = (6, 3, 10_000_000) if JIT else (3, 2, 10_000)
    all_moves = decide(pg.Expectiminimax(depth=depth, memory=0, deepening=False), world, plenty)
    few_moves = decide(
        pg.RepresentativeMoves(pg.Expectiminimax(depth=depth, memory=0, deepening=False)),
        world,
        plenty,
    )
    assert few_moves.evaluated < all_moves.evaluated / fewer


def test_a_game_without_representatives_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="connect-four names no representative moves"):
        decide(pg.RepresentativeMoves(), pg.games.ConnectFour().start(1), 10)


@pytest.mark.parametrize("belief", ["fresh", "particles(worlds=50)"])
def test_beliefs_follow_the_full_game(belief):
    """The opponent may play any move, not only representatives."""
    agent = pg.agent_from(
        f"representative-moves:inner=pimc(worlds=2,inner=expectiminimax(depth=1)),belief={belief},iterations=50"
    )
    match = pg.play(
        pg.game_from("skirmish:size=3,units=2,turns=4,fog=true"),
        [agent, pg.Agent(pg.Random())],
        seed=4,
    )
    assert match.end.over
