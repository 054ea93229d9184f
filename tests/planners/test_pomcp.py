"""POMCP: known exact values, particles that agree with what was seen, and preferred actions."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.match.match import Move, show
from plyglass.core.compile import JIT
from plyglass.core.world import World
from plyglass.planners.pomcp import Prior
from tests.planners.searches import begin, decide
from tests.planners.tiger_values import FARTHEST, losses, solved

compiled = pytest.mark.skipif(not JIT, reason="too long for interpreted code")


@compiled
def test_tiger_is_worth_what_it_is_exactly():
    # Horizon 3 at a discount of 0.95: 2.3098 from listening first (value iteration).
    game = pg.games.Tiger(steps=3)
    decision = decide(game, pg.POMCP(particles=2000, precision=1e-9), 400_000)
    assert game.action_name(decision.action) == "listen"
    assert max(decision.values) == pytest.approx(2.3098, abs=0.25)
    assert max(decision.values) < 2.3098 + 0.1


@compiled
def test_on_tiger_it_loses_little_against_optimal_play_forever():
    # Measured with 16,384 simulations and exploration=0.1: 0.57 +- 0.10 over 6 games. Random play
    # loses hundreds.
    assert solved()[0][FARTHEST] == pytest.approx(19.3714, abs=1e-4)
    agent = pg.Agent(
        pg.POMCP(particles=2048, exploration=0.1, prior=Prior("preferred")),
        budget=pg.Budget(iterations=2048),
    )
    assert (
        np.mean(
            [losses(pg.play(pg.games.Tiger(steps=100), [agent], seed=seed)) for seed in range(3)]
        )
        < 5.0
    )


HIDDEN = [
    "rocksample:steps=20",
    "tiger:steps=8",
    "phantom-tic-tac-toe",
    "leduc-poker",
    "skirmish:fog=true,turns=4",
]


@pytest.mark.parametrize("name", HIDDEN)
def test_every_particle_shows_what_the_seat_sees(name):
    game, planner = pg.game_from(name), pg.POMCP(particles=100)
    seats = [
        pg.Agent(planner, budget=pg.Budget(iterations=60)).take_seat(game, seat, 7)
        for seat in range(game.players)
    ]
    world, shown = game.start(5), [None] * game.players
    show(world, seats, shown)
    while not world.over:
        mover = world.to_move
        view = world.hide(mover)
        decision = seats[mover].decide()  # finds the particles within its time
        for row in seats[mover].search._particles[:50]:
            particle = World(game, row.copy())
            assert particle.to_move == mover
            assert particle.hide(mover) == view
        assert decision.health.worlds >= 1
        world.apply(decision.action)
        show(world, seats, shown, Move(mover, decision))


def test_slices_change_nothing():
    game = pg.games.RockSample(steps=20)
    parts = begin(game, pg.POMCP(particles=50, prior=Prior("preferred")))
    for count in (1, 40, 9):
        parts.run(pg.Budget(iterations=count))
    assert parts.decision() == decide(game, pg.POMCP(particles=50, prior=Prior("preferred")), 50)


def test_preferred_actions_begin_with_a_prior():
    game = pg.games.RockSample()
    decision = decide(game, pg.POMCP(prior=Prior("preferred", visits=10)), 1)
    out = np.zeros(game.most_actions, np.int32)
    world = game.start(1)
    preferred = out[: game.verbs.prefer(game.table, world.address, out.ctypes.data)].tolist()
    assert {
        action
        for action, visits in zip(decision.actions, decision.visits, strict=True)
        if visits >= 10
    } == set(preferred)


def test_particles_are_capped():
    search = begin(pg.games.RockSample(), pg.POMCP(most_particles=32))
    search.run(pg.Budget(iterations=200))
    assert len(search._reservoir.keys) == 32
    assert search._plan[0].offered > 32
