"""Every small game: views are consistent, imagined worlds match them, and bounds hold."""

import random

import pytest

from plyglass.games.battleship import Battleship
from plyglass.games.bear import Bear
from plyglass.games.connect_four import ConnectFour
from plyglass.games.dark_hex import DarkHex
from plyglass.games.kuhn_poker import KuhnPoker
from plyglass.games.leduc_poker import LeducPoker
from plyglass.games.phantom_tic_tac_toe import PhantomTicTacToe
from plyglass.games.pig import Pig
from plyglass.games.rocksample import RockSample
from plyglass.games.tic_tac_toe import TicTacToe
from plyglass.games.tiger import Tiger

GAMES = [
    Battleship(6, 4), Bear(), ConnectFour(), DarkHex(), KuhnPoker(), LeducPoker(),
    PhantomTicTacToe(), Pig(goal=30), RockSample(steps=40),
    TicTacToe(), Tiger(steps=20),
]  # fmt: skip
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def random_game(game, seed):
    """(world, action) at every decision of a game between random players, then (world, None)."""
    choose, world = random.Random(seed).choice, game.start(seed)
    while not world.over:
        action = choose(world.legal())
        yield world.copy(), action
        world.apply(action)
    yield world, None


@every_game
def test_a_view_tells_who_moves_and_what_the_viewer_can_do(game):
    for seed in range(20):
        for world, _ in random_game(game, seed):
            for viewer in range(game.players):
                view = world.hide(viewer)
                assert view.to_move == world.to_move
                assert view.legal() == world.legal() or world.to_move != viewer


@every_game
def test_an_imagined_world_looks_like_the_view(game):
    for seed in range(20):
        for world, _ in random_game(game, seed):
            for viewer in range(game.players):
                view = world.hide(viewer)
                assert game.imagine(view, seed).hide(viewer) == view


@every_game
def test_declared_bounds_hold(game):
    lowest, highest = game.scores
    for seed in range(50):
        history = list(random_game(game, seed))
        assert len(history) - 1 <= game.most_steps
        assert all(len(world.legal()) <= game.most_actions for world, _ in history)
        assert all(lowest <= score <= highest for world, _ in history for score in world.scores)


@every_game
def test_text_and_names_are_there_for_every_position(game):
    for world, action in random_game(game, 1):
        assert all(world.hide(viewer).text for viewer in range(game.players))
        assert action is None or game.action_name(action)
    assert len({game.player_name(player) for player in range(game.players)}) == game.players
