"""Actions as dense numbers, and views as vectors and planes."""

import numpy as np
import pytest

import plyglass as pg
from plyglass.games.skirmish import Skirmish, rules
from plyglass.interop.codec import Codec
from plyglass.interop.observation import Layout, by_field, fields_of
from tests.sizes import sized

SMALL = (
    "ConnectFour", "Duel", "KuhnPoker", "LeducPoker", "PhantomTicTacToe", "RockSample", "Skirmish",
    "Tiger",
)  # fmt: skip
LARGE = ("Battleship", "Duelyst", "Navy", "Pandemic", "TradingCards", "Tubstap")


def positions(game, count, seed=0):
    """Positions of random games."""
    choices, world = np.random.default_rng(seed), game.start(seed)
    for number in range(count):
        if world.over:
            world = game.start(seed + number)
        yield world
        world.apply(int(choices.choice(world.legal())))


class Silent(Skirmish):
    """A skirmish without a vocabulary."""

    vocabulary = pg.Game.vocabulary


class Wrong(Skirmish):
    """A skirmish whose vocabulary lacks moves."""

    def vocabulary(self):
        return [each for each in super().vocabulary() if each >> 24 != rules.MOVE]


class Narrow(pg.Game):
    """A game with a field that no layout can read."""

    name = "narrow"
    state = pg.state_dtype(("odds", np.float32))
    rules = pg.games.TicTacToe.rules

    def __init__(self):
        super().__init__(players=2, most_actions=9, most_steps=9, scores=(-1.0, 1.0))


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_numbers_and_actions_are_each_others_inverse(name):
    codec = Codec(getattr(pg.games, name)())
    assert codec.stable and codec.size == len(codec.actions)
    for world in positions(codec.game, sized(60, 10_000)):
        legal = world.legal()
        mask = codec.mask(legal)
        assert mask.sum() == len(legal)
        for number in np.flatnonzero(mask):
            action = codec.action(int(number), legal)
            assert action in legal and codec.number(action) == number
        illegal = np.flatnonzero(mask == 0)
        assert not len(illegal) or codec.action(int(illegal[0]), legal) is None
        assert codec.action(-1, legal) is None and codec.action(codec.size, legal) is None


def test_a_game_without_a_vocabulary_has_numbers_that_are_not_stable():
    codec = Codec(Silent())
    assert not codec.stable and codec.size == codec.game.most_actions
    legal = codec.game.start(seed=0).legal()
    assert [codec.action(number, legal) for number in range(len(legal))] == legal
    assert codec.mask(legal).tolist() == [1] * len(legal) + [0] * (codec.size - len(legal))
    assert codec.number(legal[2], legal) == 2


def test_a_wrong_vocabulary_is_refused():
    with pytest.raises(ValueError, match=r"The vocabulary of skirmish is wrong(.|\n)*lacks"):
        Codec(Wrong())


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_a_flat_vector_has_every_number_of_a_view_within_its_bounds(name):
    """A slow twin: numbers as they are in the record, sets member by member."""
    game = getattr(pg.games, name)()
    layout = Layout(game)
    assert len(layout.names) == len(layout.low) == len(layout.high) == layout.size
    for world in positions(game, sized(20, 500)):
        view = world.hide(max(0, world.to_move))
        naive = []
        for field, values in by_field(view).items():
            for value in values.reshape(-1).tolist():
                if field in game.sets:
                    naive += [value >> bit & 1 for bit in range(game.sets[field])]
                else:
                    naive.append(value)
        vector = layout.encode(view)
        assert np.array_equal(vector, np.array(naive, np.float32))
        assert (layout.low <= vector).all() and (vector <= layout.high).all()


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_sets_have_no_member_beyond_their_declared_number(name):
    game = getattr(pg.games, name)()
    for world in positions(game, sized(60, 2000)):
        for field, members in game.sets.items():
            values = world.record[field]
            assert members >= 8 * values.dtype.itemsize or not (values >> members).any(), field


@pytest.mark.parametrize("name", ["ConnectFour", "PhantomTicTacToe", "Skirmish", *LARGE])
def test_planes_stay_within_their_bounds_and_keep_all_else_as_the_rest(name):
    game = getattr(pg.games, name)()
    if game.board() is None:
        with pytest.raises(ValueError, match="does not say how its state lies on a board"):
            Layout(game, "planes")
        return
    layout = Layout(game, "planes")
    for world in positions(game, sized(20, 500)):
        vector = layout.encode(world.hide(max(0, world.to_move)))
        assert (layout.low <= vector).all() and (vector <= layout.high).all()
        parts = layout.split(vector)
        assert parts["planes"].shape == layout.board
        assert parts["planes"].size + parts["rest"].size == layout.size
    assert len(layout.names) == layout.board[0] + layout.size - int(np.prod(layout.board))


def test_planes_of_connect_four_show_each_players_discs():
    layout, world = Layout(pg.games.ConnectFour(), "planes"), pg.games.ConnectFour().start(seed=0)
    for column in (3, 3, 2):
        world.apply(column)
    planes = layout.split(layout.encode(world.hide(0)))["planes"]
    assert layout.names[:2] == ["cell is 1", "cell is 2"]
    assert np.argwhere(planes).tolist() == [[0, 0, 2], [0, 0, 3], [1, 1, 3]]


def test_planes_of_units_show_values_at_their_cells():
    game = pg.games.Skirmish()
    layout, view = Layout(game, "planes"), game.start(seed=0).hide(0)
    planes = dict(zip(layout.names, layout.split(layout.encode(view))["planes"], strict=False))
    for side in range(2):
        for unit in range(3):
            cell = int(view.record["cell"][side, unit])
            expected = np.zeros((4, 4))
            expected[divmod(cell, 4)] = 1
            assert np.array_equal(planes[f"cell[{side}, {unit}]"], expected)
            assert np.array_equal(planes[f"cell[{side}, {unit}] health"], 3 * expected)


def test_the_header_never_shows():
    game = pg.games.ConnectFour()
    vectors = {Layout(game).encode(game.start(seed).hide(0)).tobytes() for seed in range(5)}
    assert len(vectors) == 1 and not {"luck", "rng", "tape", "ply", "drawn"} & {*fields_of(game)}


def test_a_field_of_another_type_is_refused():
    with pytest.raises(ValueError, match="'odds' has type float32"):
        Layout(Narrow())
