"""Particles: near the exact posterior, never empty, the same for the same seed."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed, probabilities, total_variation
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.core.state import new_states
from plyglass.core.world import World
from tests.beliefs.secret_bits import SecretBits

HIDDEN = [
    "battleship",
    "bear",
    "dark-hex",
    "duel",
    "duelyst:turns=6",
    "kuhn-poker",
    "leduc-poker",
    "navy",
    "phantom-tic-tac-toe",
    "rocksample",
    "skirmish:fog=true",
    "tiger",
    "tubstap:map=sandbox",
]


def worlds_of(live, count):
    given = new_states(count, live.game.state)
    live.sample(given)
    return [World(live.game, row) for row in given]


@pytest.mark.skipif(not JIT, reason="follows thousands of worlds")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "histories"),
    [("kuhn-poker", 60), ("leduc-poker", 40), ("tiger:steps=30", 20), ("phantom-tic-tac-toe", 20)],
)
def test_particles_are_as_near_to_the_posterior_as_exact_samples(name, histories, weighted):
    game, choice, excess = pg.game_from(name), np.random.default_rng(1), []
    for number in range(histories):
        for _, (particles, exact) in believed(
            game, [pg.Particles(2000, weighted=weighted), pg.Exact()], derive(6, number)
        ):
            truth = probabilities(exact, 2000)
            drawn = (
                choice.multinomial(2000, np.array([*truth.values()]) / sum(truth.values())) / 2000
            )
            samples = dict(zip(truth, drawn, strict=True))
            excess.append(
                total_variation(probabilities(particles, 2000), truth)
                - total_variation(samples, truth)
            )
    assert np.mean(excess) < 0.005  # 0.02 is asked for


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", HIDDEN)
def test_particles_never_run_out_and_always_look_like_the_view(name, weighted):
    game = pg.game_from(name)
    for number in range(10 if JIT else 1):
        for step, (world, (live,)) in enumerate(
            believed(game, [pg.Particles(15, weighted=weighted)], derive(7, number))
        ):
            view = world.hide(world.to_move)
            assert all(each.hide(view.viewer) == view for each in worlds_of(live, 3))
            assert 1 <= live.health().effective <= live.health().worlds + 1e-9 <= 15 + 1e-9
            if not JIT and step == 5:
                break


def test_every_game_that_hides_something_is_tried():
    assert {name for name in pg.games.names() if pg.game_from(name).hides} <= {
        name.partition(":")[0] for name in HIDDEN
    }


def test_the_same_seed_and_views_give_the_same_worlds():
    game = pg.games.PhantomTicTacToe()
    twins = [pg.Particles(50), pg.Particles(50)]
    for _, (one, other) in believed(game, twins, 3):
        given, again = new_states(5, game.state), new_states(5, game.state)
        one.sample(given)
        other.sample(again)
        assert (given == again).all()


def test_it_does_not_matter_when_worlds_are_asked_for():
    game = pg.games.PhantomTicTacToe()
    early, late = pg.Particles(50).begin(game, 0, 1), pg.Particles(50).begin(game, 0, 1)
    world = game.start(1)
    for own_action in (None, 4):
        if own_action is not None:
            world.apply(own_action)
        for each in (early, late):
            each.observe(own_action, world.hide(0))
        early.health()
    assert worlds_of(early, 20) == worlds_of(late, 20)


def test_each_sample_has_luck_of_its_own():
    live = pg.Particles(10).begin(pg.games.Tiger(), 0, 1)
    live.observe(None, pg.games.Tiger().start(1).hide(0))
    assert len({int(each.record["luck"]) for each in worlds_of(live, 8)}) == 8


@pytest.mark.parametrize("perturbs", [False, True])
def test_worlds_that_run_out_are_found_again(perturbs):
    """Sixty worlds of a secret of twelve bits: a few answers rule all of them out."""
    game = SecretBits(perturbs)
    world, live = game.start(9), pg.Particles(60, tries=2).begin(game, 0, 2)
    live.observe(None, world.hide(0))
    for bit in range(8):
        world.apply(bit)
        live.observe(bit, world.hide(0))
        assert all(each.hide(0) == world.hide(0) for each in worlds_of(live, 10))
    assert live.health().refilled > 0
    if perturbs:
        assert live.health().worlds >= 4, "small moves find worlds that a poor imagination misses"


def test_a_belief_that_saw_nothing_has_no_worlds():
    with pytest.raises(RuntimeError, match="before its seat has seen anything"):
        pg.Particles().begin(pg.games.KuhnPoker(), 0, 0).health()


def test_wrong_parameters_are_answered_with_what_there_is():
    with pytest.raises(ValueError, match="worlds=0 and tries=16 are not possible"):
        pg.Particles(worlds=0)
    with pytest.raises(
        ValueError,
        match="duel has no policy 'clever' for the others; give one of random, attack-first",
    ):
        pg.Particles(others="clever").begin(pg.games.Duel(), 0, 0)
