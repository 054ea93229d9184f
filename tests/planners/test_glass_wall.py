"""The glass wall: with the hidden truth swapped behind equal views, every root statistic stays the same to the last bit."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive

POINTS = 1000 if JIT else 20
HIDDEN = ["duel", "kuhn-poker", "leduc-poker", "phantom-tic-tac-toe", "rocksample", "skirmish:fog=true", "tiger"]


def decision_points(game):
    """(truth, another world that looks the same to the mover) along random games."""
    choice, seed = np.random.default_rng(8), 0
    while True:
        seed += 1
        world = game.start(derive(8, seed))
        while world.to_move >= 0:
            swapped = game.imagine(world.hide(world.to_move), derive(9, seed))
            yield world.copy(), swapped
            world.apply(int(choice.choice(world.legal())))


def thoughts(game, world, seed):
    """All that a seat thinks when it is shown its view of this world."""
    seat = pg.Agent(pg.UCT(trees=2), budget=pg.Budget(iterations=40)).take_seat(game, world.to_move, seed)
    seat.observe(None, world.hide(world.to_move))
    decision = seat.decide()
    return (
        decision.action,
        decision.actions,
        np.array([-9.0 if value is None else value for value in decision.values]).tobytes(),
        decision.visits,
    )


@pytest.mark.parametrize("name", HIDDEN)
def test_root_statistics_do_not_know_the_truth(name):
    game, different, secrets = pg.game_from(name), 0, 0
    for number, (truth, swapped) in zip(range(POINTS), decision_points(game), strict=False):
        secrets += truth != swapped
        different += thoughts(game, truth, number) != thoughts(game, swapped, number)
    assert different == 0
    assert secrets > POINTS / 20, "the truth was hardly ever another: the test shows nothing"


def test_every_game_that_hides_something_is_behind_the_wall():
    assert {name for name in pg.games.names() if pg.game_from(name).hides} == {name.partition(":")[0] for name in HIDDEN}
