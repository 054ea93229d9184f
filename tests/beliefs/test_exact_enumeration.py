"""The compiled enumeration of the exact belief: against brute force, and at its limits."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.core.seeds import derive
from tests.beliefs.brute_force import first_posterior, next_posterior
from tests.beliefs.dice import Dice
from tests.beliefs.histories import note
from tests.beliefs.secret_bits import BITS, SecretBits
from tests.sizes import sized

HISTORIES = sized(10, 50) if JIT else 1
ENUMERABLE = [
    "bear", "dark-hex:size=2", "kuhn-poker", "leduc-poker", "phantom-tic-tac-toe",
    "rocksample:size=4,rocks=4,steps=12", "tiger:steps=8",
]  # fmt: skip


def shown_at_random(game, seat, seed):
    """All that a seat is shown in a game of random play."""
    choice, world = np.random.default_rng(seed), game.start(derive(seed, 1))
    shown = [(None, world.hide(seat))]
    while not world.over:
        own, action = world.to_move == seat, int(choice.choice(world.legal()))
        world.apply(action)
        note(shown, world.hide(seat), action if own else None)
    return shown


def believing(game, most):
    exact = pg.Exact(most_worlds=most).begin(game, 0, 0)
    exact.observe(None, game.start(1).hide(0))
    return exact


@pytest.mark.parametrize("name", ENUMERABLE)
def test_the_posterior_is_that_of_brute_force(name):
    game = pg.game_from(name)
    for number in range(HISTORIES):
        seat, before, expected = number % game.players, None, {}
        exact = pg.Exact().begin(game, seat, 0)
        for own_action, view in shown_at_random(game, seat, number):
            expected = (
                first_posterior(view)
                if before is None
                else next_posterior(expected, before, own_action, view)
            )
            exact.observe(own_action, view)
            assert exact.posterior() == pytest.approx(expected, rel=0, abs=1e-12)
            before = view


@pytest.mark.parametrize("model", ["free", "sticky", "mixed"])
@pytest.mark.parametrize("truth", ["free", "sticky"])
def test_with_a_right_or_a_wrong_model_of_submarines_the_posterior_is_that_of_brute_force(
    truth, model
):
    sea = "navy:size=4,cargo=2,fewest=0,most=2,steps=5,submarines="
    believed = pg.game_from(sea + model)
    for number in range(4 if JIT else 1):
        before, expected, exact = None, {}, pg.Exact().begin(believed, 0, 0)
        for own_action, seen in shown_at_random(pg.game_from(sea + truth), 0, number):
            view = seen.within(believed)
            expected = (
                next_posterior(expected, before, own_action, view) if before is not None else {}
            )
            exact.observe(own_action, view)
            # A view that is impossible under the model makes both begin anew.
            expected = expected or first_posterior(view)
            assert exact.posterior() == pytest.approx(expected, rel=0, abs=1e-12)
            before = view


def test_many_observations_can_wait_and_are_worked_on_in_order():
    game = pg.games.LeducPoker()
    waiting, prompt = (pg.Exact().begin(game, 0, 0) for _ in range(2))
    for own_action, view in shown_at_random(game, 0, 3):
        waiting.observe(own_action, view)
        prompt.observe(own_action, view)
        prompt.health()
    assert waiting.posterior() == prompt.posterior()


def test_room_is_made_for_as_many_worlds_as_there_are():
    game = SecretBits(perturbs=False)
    exact = pg.Exact().begin(game, 0, 0)
    world = game.start(4)
    exact.observe(None, world.hide(0))
    for bit in range(3):
        worlds, weights = exact.support(1)
        assert len({row.tobytes() for row in worlds}) == len(worlds) == 1 << (BITS - bit)
        assert weights == pytest.approx(1.0 / len(worlds), rel=1e-12)
        world.apply(bit)
        exact.observe(bit, world.hide(0))


def test_equal_worlds_are_counted_together_when_room_has_been_made_between_them():
    sides = 130
    exact = believing(Dice(dice=2, sides=sides, hidden=True), 1000)
    expected = {
        total: (sides - abs(total - sides + 1)) / sides**2 for total in range(2 * sides - 1)
    }
    assert exact.health().worlds == len(expected)
    assert {
        int(world.record["number"]): weight for world, weight in exact.posterior().items()
    } == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("most", "refused"), [(4095, True), (4096, False)])
def test_as_many_worlds_as_allowed_are_no_reason_to_refuse(most, refused):
    exact = believing(SecretBits(perturbs=False), most)
    if refused:
        with pytest.raises(RuntimeError, match="more than 4095 possible worlds"):
            exact.health()
    else:
        assert exact.health().worlds == 4096


def test_what_a_belief_gives_away_is_not_its_own():
    exact = believing(pg.games.LeducPoker(), 10)
    worlds, weights = exact.support(1)
    worlds[:], weights[:] = 0, 0.0
    assert exact.support(1)[1].sum() == pytest.approx(1.0)
    assert exact.support(1)[0].any(axis=1).all()


@pytest.mark.skipif(not JIT, reason="looks at millions of starts")
def test_starts_that_do_not_look_like_the_view_take_no_room_but_have_a_limit():
    assert believing(Dice(dice=3, sides=128), 100_000).health().worlds == 1
    with pytest.raises(
        RuntimeError, match="dice can start in more than 640 ways; use particles instead of exact"
    ):
        believing(Dice(dice=3, sides=128), 10).health()


def test_more_luck_than_a_tape_holds_is_refused():
    with pytest.raises(RuntimeError, match="dice makes more than 256 random draws in one action"):
        believing(Dice(dice=257, sides=1), 10).health()
