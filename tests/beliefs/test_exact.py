"""The exact posterior, compared with `imagine` and counted games, and what it refuses."""

from collections import Counter

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.audit.belief_walk import believed, probabilities, total_variation
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from plyglass.core.tape import imaginations
from tests.beliefs.brute_force import merged
from tests.beliefs.histories import history_of, played

GAMES = 12 if JIT else 1
FORGETTING_NOTHING = [
    "bear",
    "dark-hex:size=2",
    "kuhn-poker",
    "leduc-poker",
    "tiger:steps=8",
    "rocksample:size=4,rocks=4,steps=12",
]


@pytest.mark.parametrize("name", FORGETTING_NOTHING)
def test_the_posterior_is_what_an_exact_game_imagines(name):
    game = pg.game_from(name)
    for number in range(GAMES):
        for world, (exact,) in believed(game, [pg.Exact()], derive(4, number)):
            assert exact.posterior() == pytest.approx(
                merged(imaginations(world.hide(world.to_move))), abs=1e-9
            )


def test_where_a_view_forgets_the_order_of_marks_the_posterior_knows_more():
    """The same worlds are possible, but an older mark had more time to be run into."""
    game, sharper = pg.games.PhantomTicTacToe(), 0
    for number in range(GAMES // 4 + 1):
        for world, (exact,) in believed(game, [pg.Exact()], derive(4, number)):
            by_view = merged(imaginations(world.hide(world.to_move)))
            assert {*exact.posterior()} <= {*by_view}
            sharper += exact.posterior() != pytest.approx(by_view, abs=1e-9)
    assert sharper > 0 or not JIT


@pytest.mark.skipif(not JIT, reason="plays thousands of games")
def test_the_posterior_is_how_often_worlds_are_behind_what_was_seen():
    """Rejection sampling: count the worlds of random games that showed the seat the same."""
    game = pg.games.PhantomTicTacToe()
    asked, counted = None, Counter()
    for number in range(4000):
        world, history = played(game, seat=0, own_actions=(4, 0), seed=number)
        asked = asked or history
        if history == asked:
            counted[world] += 1
    exact = pg.Exact().begin(game, 0, 0)
    for own_action, view in asked:
        exact.observe(own_action, view)
    expected = exact.posterior()
    assert counted.total() > 300
    assert {*counted} <= {*expected}
    distance = 0.5 * sum(
        abs(share - counted[world] / counted.total()) for world, share in expected.items()
    )
    assert distance < 2 * 0.4 * (len(expected) / counted.total()) ** 0.5


def test_a_belief_may_begin_in_the_middle_of_a_game():
    game = pg.games.LeducPoker()
    world = game.start(5)
    world.apply(1)
    exact = pg.Exact().begin(game, 1, 0)
    exact.observe(None, world.hide(1))
    assert sorted(exact.posterior().values()) == pytest.approx([0.2] * 5)


def test_all_worlds_are_given_however_few_are_asked_for():
    game = pg.games.LeducPoker()
    exact = pg.Exact().begin(game, 0, 0)
    exact.observe(None, game.start(1).hide(0))
    worlds, weights = exact.support(1)
    assert len(worlds) == 5
    assert weights.sum() == pytest.approx(1.0)
    assert exact.health().effective == pytest.approx(5.0)


@pytest.mark.skipif(not JIT, reason="follows thousands of worlds")
def test_others_may_be_thought_to_play_by_a_policy():
    game = pg.game_from("skirmish:size=3,units=2,fog=true,turns=6")
    live = [
        belief.begin(game, 0, 3)
        for belief in (pg.Exact("attack-first"), pg.Particles(others="attack-first"), pg.Exact())
    ]
    distances = []
    for own_action, view in history_of(game, seat=0, policy="attack-first", seed=2):
        for each in live:
            each.observe(own_action, view)
        exact, particles, random = (probabilities(each, 2000) for each in live)
        distances.append((total_variation(exact, particles), total_variation(exact, random)))
    by_policy, by_chance = np.max(distances, axis=0)
    assert by_policy < 0.1 < by_chance


def test_a_game_of_too_many_worlds_is_refused():
    game = pg.games.LeducPoker()
    exact = pg.Exact(most_worlds=3).begin(game, 0, 0)
    exact.observe(None, game.start(1).hide(0))
    with pytest.raises(RuntimeError, match="more than 3 possible worlds here; use particles"):
        exact.posterior()


def test_what_cannot_have_happened_makes_the_belief_begin_anew():
    game = pg.games.KuhnPoker()
    exact = pg.Exact().begin(game, 0, 0)
    exact.observe(None, game.start(1).hide(0))
    other = next(
        world for world in map(game.start, range(9)) if world.hide(0) != game.start(1).hide(0)
    )
    other.apply(1)
    assert exact.health().refilled == 0
    exact.observe(1, other.hide(0))
    assert {world.hide(0) for world in exact.posterior()} == {other.hide(0)}
    assert exact.health().refilled == 1


def test_samples_of_many_worlds_are_given_only_where_they_are_asked_for():
    game = pg.games.LeducPoker()
    for sampled, rows in ((True, 2), (False, 5)):
        exact = pg.Exact(sampled=sampled).begin(game, 0, 0)
        exact.observe(None, game.start(1).hide(0))
        assert len(exact.posterior()) == 5
        assert len(exact.support(2)[0]) == rows
