"""Compiled and interpreted rules agree to the last bit on random plies of every game."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.core.compile import JIT
from tests.sizes import sized

PLIES = 5_000  # of the nightly set; a fifth of them in CI
FEWER = {  # where a ply has many actions, or interpreted rules are slow
    "duelyst": sized(40, 400),
    "tubstap:map=sandbox": 500,
    **dict.fromkeys(["skirmish", "skirmish:fog=true", "skirmish:size=5,fog=true,sight=2"], 250),
    **dict.fromkeys(
        ["skirmish:size=3,units=2,health=2,turns=8,fog=true", "duel:copies=1,hand=5,board=1"], 500
    ),
    "duel:kinds=3,copies=1,health=3,hand=1,mana=2,board=2": 500,
    **dict.fromkeys(
        [
            "battleship:size=3,longest=2",
            "dark-hex",
            "duel",
            "duel:open_hands=true",
            "navy",
            "pandemic",
        ],
        2_000,
    ),
    **dict.fromkeys(["phantom-tic-tac-toe", "trading-cards"], 2_000),
}
SMALLER = {
    "battleship": "battleship:size=3,longest=2",
    "tubstap": "tubstap:map=sandbox",
}  # where interpreted rules take too long otherwise
SETTINGS = [
    "skirmish:fog=true", "skirmish:size=5,fog=true,sight=2",
    "skirmish:size=3,units=2,health=2,turns=8,fog=true",
    "duel:open_hands=true", "duel:kinds=3,copies=1,health=3,hand=1,mana=2,board=2",
    "duel:copies=1,hand=5,board=1",
]  # fmt: skip
VARIANTS = [*(SMALLER.get(name, name) for name in pg.games.names()), *SETTINGS]


@pytest.mark.skipif(not JIT, reason="there is nothing compiled to compare with")
@pytest.mark.parametrize("name", VARIANTS)
def test_compiled_and_interpreted_rules_agree(name):
    game, plies, seed = pg.game_from(name), 0, 0
    twin = game.interpreted()
    choice = np.random.default_rng(4)
    while plies < FEWER.get(name, PLIES) // sized(5, 1):
        seed += 1
        one, other = game.start(seed), twin.start(seed)
        while one.to_move >= 0:
            assert one.row().tobytes() == other.row().tobytes()
            legal = one.legal()
            assert legal == other.legal()
            assert one.scores == other.scores
            _compare_views(one, other, seed)
            _compare_policies(one, other, seed)
            action, player = int(choice.choice(legal)), one.to_move
            game.verbs.step(game.table, one.address, player, action)
            twin.verbs.step(twin.table, other.address, player, action)
            plies += game.players == 1 or one.to_move != player
        assert one.row().tobytes() == other.row().tobytes()
        assert one.scores == other.scores
        _compare_views(one, other, seed)


def _compare_views(one, other, seed):
    for viewer in range(one.game.players):
        views = one.hide(viewer), other.hide(viewer)
        assert views[0].row().tobytes() == views[1].row().tobytes()
        if one.game.hides:
            worlds = one.game.imagine(views[0], seed), other.game.imagine(views[1], seed)
            assert worlds[0].row().tobytes() == worlds[1].row().tobytes()


def _compare_policies(one, other, seed):
    for policy in one.game.policies:
        assert _chosen(one, policy, seed) == _chosen(other, policy, seed), policy


def _chosen(world, policy, seed):
    stream, game = np.array([seed], np.uint64), world.game
    return game.verbs.choose(
        game.table, world.address, stream.ctypes.data, game.policy(policy)
    ), stream[0]
