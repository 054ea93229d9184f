"""Small parts of beliefs, each against its definition, on games that take no time."""

from collections import Counter, deque

import numpy as np
import pytest

import plyglass as pg
from plyglass.beliefs.cloud import Cloud
from plyglass.beliefs.particle_filter import tries_of
from plyglass.beliefs.prior import LEAST
from plyglass.beliefs.tracks import place_worlds
from plyglass.core.state import new_states
from plyglass.core.world import World
from tests.beliefs.secret_bits import SecretBits
from tests.core.planted_leaks import TrackedCard


def seen_start(game, belief, seed=1):
    """A belief of the first seat that has seen the start of a game, and the world."""
    world, live = game.start(seed), belief.begin(game, 0, 2)
    live.observe(None, world.hide(0))
    return live, world


def cloud_of(game, seeds, weights):
    """A cloud of starts."""
    rows = np.stack([game.start(seed).row() for seed in seeds])
    return Cloud(rows, np.array(weights), len(weights))


def test_half_of_the_tries_go_to_all_worlds_alike_and_half_by_weight():
    assert tries_of(np.array([0.5, 0.25, 0.25]), 24).tolist() == [4 + 6, 4 + 3, 4 + 3]
    assert tries_of(np.array([1.0, 0.0]), 3).tolist() == [3, 1]


def test_worlds_are_drawn_by_their_weights():
    game = SecretBits(perturbs=False)
    cloud = cloud_of(game, range(3), [0.5, 0.125, 0.375])
    secrets = [int(World(game, row).record["secret"]) for row in cloud.worlds]
    drawn = new_states(400, game.state)
    cloud.draw(game, drawn, np.array([5], np.uint64))
    found = Counter(int(World(game, row).record["secret"]) for row in drawn)
    assert len(set(secrets)) == 3
    for secret, weight in zip(secrets, cloud.weights, strict=True):
        assert found[secret] == pytest.approx(400 * weight, abs=40)  # four deviations


def test_a_view_that_no_world_leads_to_is_given_up():
    """Whoever listens sees that it was done, so the first view never comes again."""
    game = pg.games.Tiger(steps=3)
    live, world = seen_start(game, pg.Particles(4, tries=3))
    first, cloud = world.hide(0).row(), live._cloud
    assert live._filter.advance(cloud, first, 0, first) is None


def test_earlier_clouds_are_replayed_every_other_one_the_latest_first(monkeypatch):
    live, _ = seen_start(SecretBits(perturbs=False), pg.Particles(8))
    live._clouds = deque((number, None) for number in range(7))
    tried = []
    monkeypatch.setattr(live, "_replay", lambda cloud, origin, number: tried.append(origin))
    assert live._again(7) is None
    assert tried == [5, 3, 1]


def test_a_replay_that_finds_enough_worlds_is_taken(monkeypatch):
    game = SecretBits(perturbs=False)
    live, _ = seen_start(game, pg.Particles(3))
    rich = cloud_of(game, range(3), [0.5, 0.25, 0.25])
    monkeypatch.setattr(live, "_again", lambda number: rich)
    assert live._refill(None, 0) is rich


def test_without_time_worlds_are_imagined_anew_and_it_is_told():
    game = SecretBits(perturbs=False)
    live, world = seen_start(game, pg.Particles(40))
    assert live.health().refilled == 0
    world.apply(3)
    live.observe(3, world.hide(0))
    with live.clock.started(None):
        live.clock.cancel()
        cloud = live._filter.filled_up(None, world.hide(0).row())
        assert cloud.samples == LEAST
        assert live.health().refilled == 1


def test_tracks_place_as_many_worlds_as_asked_for_and_once_for_a_view():
    live, world = seen_start(TrackedCard(), pg.Tracks(6))
    cloud = live._cloud
    assert cloud.samples == 6
    assert live._cloud is cloud
    assert live.health().refilled == 0
    rows, weights = live.support(6)
    assert all(World(live.game, row).hide(0) == world.hide(0) for row in rows)
    assert weights.sum() == pytest.approx(1.0)
    placed = place_worlds(
        live.game.table, live._view, live._world, 0, live._tracks, live._luck, live._pool, 6,
        live.clock.belief
    )  # fmt: skip
    assert placed == live._pool.weights.sum() == 6.0  # each has the weight 1
    assert live.health().worlds == len(cloud) > 1


def test_others_follow_the_policy_that_is_named():
    game = pg.games.Duel()
    followed, at_random = (
        pg.Particles(others=name).begin(game, 0, 1)._lookout.sight[0].policy
        for name in ("attack-first", "random")
    )
    assert (followed, at_random) == (game.policy("attack-first"), 0)
