"""Vocabularies: every action that can ever be legal, also in copies of games."""

import copy
import pickle

import numpy as np
import pytest

import plyglass as pg
from plyglass.arena.specs import game_from
from plyglass.core.check import check
from plyglass.core.check.vocabulary import vocabulary
from plyglass.games.skirmish import Skirmish, rules
from tests.sizes import sized

SIZES = {
    "battleship": 100, "bear": 4, "connect-four": 7, "dark-hex": 9, "duel": 70, "duelyst": 4291,
    "kuhn-poker": 2, "leduc-poker": 3, "navy": 5, "pandemic": 13480, "phantom-tic-tac-toe": 9,
    "pig": 2, "rocksample": 13, "skirmish": 58, "tic-tac-toe": 9, "tiger": 3, "trading-cards": 623,
    "tubstap": 17313,
}  # fmt: skip
VARIANTS = (
    "tubstap:map=sandbox", "tubstap:map=siege,fog=false", "pandemic:preset=thesis",
    "duelyst:opening=5,marks=2,decks=songhai+vetruvian", "duel:kinds=3", "rocksample:rocks=0",
    "trading-cards:removals=0",
)  # fmt: skip


@pytest.mark.parametrize("text", [*pg.games.names(), *VARIANTS])
def test_positions_have_no_action_outside_of_the_vocabulary(text):
    game = game_from(text)
    assert list(vocabulary(game, sized(2, 20), 0)) == []
    if text in SIZES:
        assert len(game.vocabulary()) == SIZES[text]


def test_a_vocabulary_has_hardly_an_action_that_is_never_legal_in_a_small_game():
    game, met = pg.games.Duel(), set()
    for seed in range(150):
        world = game.start(seed)
        choices = np.random.default_rng(seed)
        while not world.over:
            met.update(world.legal())
            world.apply(int(choices.choice(world.legal())))
    assert met <= set(game.vocabulary())
    assert len(met) >= 0.9 * len(game.vocabulary())


class WithoutAttacks(Skirmish):
    """A skirmish whose vocabulary forgets attacks."""

    def vocabulary(self):
        return [each for each in super().vocabulary() if each >> 24 != rules.ATTACK]


class Shuffled(Skirmish):
    """A skirmish whose vocabulary is not sorted."""

    def vocabulary(self):
        return [*super().vocabulary()][::-1]


class Silent(Skirmish):
    """A skirmish that says nothing about its actions."""

    vocabulary = pg.Game.vocabulary


def test_a_vocabulary_that_lacks_an_action_fails_the_check():
    report = check(WithoutAttacks(), games=4)
    assert report.failed == "the vocabulary has every legal action"
    assert "lacks the legal action" in str(report.findings[0])


def test_a_vocabulary_out_of_order_fails_the_check():
    assert "rising order" in str(check(Shuffled(), games=2).findings[0])


def test_a_game_without_a_vocabulary_passes_with_a_note():
    (note,) = vocabulary(Silent(), 4, 0)
    assert "it has none" in note.text


def test_a_deep_copy_of_a_game_is_the_game():
    game = pg.games.LeducPoker()
    assert copy.deepcopy({"game": game})["game"] is game


@pytest.mark.parametrize("text", ["connect-four:connect=3", "leduc-poker", "tubstap:map=sandbox"])
def test_games_worlds_and_views_survive_a_pickle(text):
    game = game_from(text)
    world = game.start(seed=4)
    world.apply(world.legal()[0])
    view = world.hide(world.to_move)
    twin, other, seen = pickle.loads(pickle.dumps((game, world, view)))
    assert twin.parameters == game.parameters and repr(twin) == repr(game)
    assert other.game is twin and other.row().tobytes() == world.row().tobytes()
    assert seen == view and seen.viewer == view.viewer and seen.legal() == view.legal()
    assert twin.table is not game.table


def test_an_interpreted_game_stays_interpreted_in_a_pickle():
    twin = pickle.loads(pickle.dumps(pg.games.TicTacToe().interpreted()))
    assert not twin.compiled and twin.start(seed=0).legal() == list(range(9))


def test_a_deep_copy_of_a_world_goes_its_own_way():
    world = pg.games.ConnectFour().start(seed=0)
    other = copy.deepcopy(world)
    other.apply(3)
    assert world != other and world.game is other.game


@pytest.mark.parametrize("belief", [pg.Fresh(), pg.Particles(worlds=20), pg.Exact()])
def test_beliefs_and_searches_refuse_to_be_copied(belief):
    game = pg.games.KuhnPoker()
    live = belief.begin(game, 0, seed=1)
    search = pg.SOISMCTS().begin(game, 0, live, seed=1)
    for each in (live, search):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="neither copied nor pickled; begin another"):
                copied(each)
