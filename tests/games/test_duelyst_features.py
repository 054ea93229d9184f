"""Features of Duelyst: by hand in small positions, and equal for both sides in random ones."""

import numpy as np
import pytest

from plyglass.games.duelyst import state
from plyglass.games.duelyst.evaluate import features
from tests.games.duelyst_positions import act, position, start


def described(world, player=0):
    values = np.zeros(state.FEATURES)
    count = world.game.verbs.features(world.game.table, world.address, player, values.ctypes.data)
    assert count == state.FEATURES == 2 * features.EACH + 1
    return values


def of_side(world, side):
    """The features of a side; those of the side whose turn is next come first."""
    following = (
        int(world.record["player"])
        if world.record["acts"] == 0
        else 1 - int(world.record["player"])
    )
    sign = 1 if following == 0 else -1
    first = features.EACH * (side != following)
    return sign * described(world)[first : first + features.EACH]


def test_both_players_see_the_same_with_the_other_sign():
    for seed in range(4):
        world, chance = start("lyonar+songhai", seed), np.random.default_rng(seed)
        for _ in range(80):
            if not world.over:
                world.apply(int(chance.choice(world.legal())))
                assert described(world, 0) == pytest.approx(-described(world, 1))
                assert np.abs(described(world)).max() < 50


def test_generals_armies_and_hands_are_counted():
    world = position(
        "windblade_adept@b3 ironcliffe_guardian@b4-3",
        "",
        hand="true_strike holy_immolation",
        mana=3,
    )
    mine, theirs = of_side(world, 0), of_side(world, 1)
    assert mine[features.HEALTH] == pytest.approx(2.5) and mine[features.FRAIL] == 0
    assert mine[features.MINIONS] == pytest.approx(1.0) and theirs[features.MINIONS] == 0
    assert mine[features.TOUGHNESS] == pytest.approx(0.2 * (3 + 10 - 3))
    assert mine[features.TAUNTS] == pytest.approx(0.5)
    assert mine[features.CARDS] == pytest.approx(0.4) and mine[features.PLAYABLE] == pytest.approx(
        0.4
    )
    assert mine[features.SPENT] == pytest.approx(1.0)


def test_attack_that_reaches_the_enemy_general_may_be_lethal():
    near = position("windblade_adept@g3", "general@i3-23")
    assert of_side(near, 0)[features.BURST] == pytest.approx(0.2)
    assert of_side(near, 0)[features.LETHAL] == 1.0
    far = position("windblade_adept@d3", "general@i3-23")
    assert of_side(far, 0)[features.BURST] == 0 and of_side(far, 0)[features.LETHAL] == 0
    held = position("windblade_adept@g3", "general@i3-23 ironcliffe_guardian@g4")
    assert of_side(held, 0)[features.BURST] == 0


def test_who_can_be_killed_and_for_free():
    world = position("windblade_adept@d3", "windblade_adept@f3-1")
    assert of_side(world, 0)[features.ONE_KILLS] > 0 and of_side(world, 0)[features.FREE_KILLS] > 0
    world = position("windblade_adept@d3-1", "windblade_adept@f3-1")
    assert of_side(world, 0)[features.ONE_KILLS] > 0 and of_side(world, 0)[features.FREE_KILLS] == 0
    together = position("windblade_adept@d3 windblade_adept@d4", "windblade_adept@f3")
    assert (
        of_side(together, 0)[features.ONE_KILLS] == 0
        and of_side(together, 0)[features.ALL_KILLS] > 0
    )


def test_a_turn_that_has_begun_is_taken_to_be_over():
    world = position("windblade_adept@b3", "windblade_adept@g3", mana=9)
    assert described(world)[2 * features.EACH] == 1.0
    assert described(act(world, "move b3 c3"))[2 * features.EACH] == -1.0


def test_a_lost_general_leaves_numbers_that_mean_something():
    world = position("windblade_adept@h3", "general@i3-24")
    act(world, "attack h3 i3")
    assert world.over
    assert np.abs(described(world)).max() < 50
    evaluators = [world.game.evaluator(name) for name in ("learned", "odds")]
    assert [
        world.game.verbs.evaluate(world.game.table, world.address, 0, each) for each in evaluators
    ] == [1.0, 1.0]
