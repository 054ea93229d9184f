"""An evaluator of a game can be rebuilt as a sum over the game's features."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from plyglass.games.duel import features as of_duel
from plyglass.games.duel.state import creature
from plyglass.games.skirmish import features as of_skirmish
from tests.games.test_duel import OGRE, SQUIRE, WOLF, placed

GAMES = 20 if JIT else 1


def described(world, player):
    game, values = world.game, np.zeros(world.game.most_features)
    assert (
        game.verbs.features(game.table, world.address, player, values.ctypes.data)
        == game.most_features
    )
    return values


def worth_in_duel(side):
    hero, held, _mana, _creatures, attack, _ready, health = side
    return hero + 2 * held + attack + health


def worth_in_skirmish(side):
    return side[:: of_skirmish.EACH].sum()


def random_positions(game):
    choice = np.random.default_rng(5)
    for seed in range(GAMES):
        world = game.start(seed)
        while not world.over:
            yield world
            world.apply(int(choice.choice(world.legal())))


@pytest.mark.parametrize(
    ("name", "half", "worth"),
    [
        ("duel", of_duel.EACH, worth_in_duel),
        ("skirmish", of_skirmish.COUNT // 2, worth_in_skirmish),
    ],
)
def test_the_evaluator_is_made_of_features(name, half, worth):
    game = pg.game_from(name)
    for world in random_positions(game):
        for player in range(2):
            values = described(world, player)
            mine, theirs = worth(values[:half]), worth(values[half:])
            judged = game.verbs.evaluate(
                game.table, world.address, player, game.evaluator("material")
            )
            assert judged == pytest.approx((mine - theirs) / (mine + theirs), abs=1e-12)


@pytest.mark.parametrize("name", ["duel", "skirmish"])
def test_both_players_have_the_same_numbers_in_turned_order(name):
    for world in random_positions(pg.game_from(name)):
        one, other = described(world, 0), described(world, 1)
        half = len(one) // 2
        assert one.tolist() == [*other[half:], *other[:half]]


def test_what_a_unit_can_still_do_is_told():
    world = pg.game_from("skirmish").start(1)
    before = described(world, 0)
    attacks_and_moves = before.reshape(2, 3, of_skirmish.EACH)[:, :, 2:]
    assert attacks_and_moves.tolist() == [[[1, 1]] * 3, [[0, 0]] * 3]
    move = world.legal()[0]
    world.apply(move)
    after = described(world, 0).reshape(2, 3, of_skirmish.EACH)
    assert after[0, pg.unpack(move)[1], 2:].tolist() == [0, 1]


def test_ready_attack_and_mana_are_told():
    world = placed(
        pg.games.Duel(),
        {WOLF: 1},
        mine=[creature(OGRE, 3, 1), creature(SQUIRE, 2, 0)],
        theirs=[creature(WOLF, 1, 0)],
        mana=3,
    )
    values = described(world, 0).reshape(2, of_duel.EACH)
    assert values.tolist() == [[10, 1, 3, 2, 5, 4, 5], [10, 0, 0, 1, 3, 0, 1]]
