"""Phantom tic-tac-toe beside a naive twin that plays with sets of cells."""

import random
from collections import defaultdict
from functools import cache
from typing import NamedTuple

import pytest

from plyglass.games.phantom_tic_tac_toe import PhantomTicTacToe
from tests.games.enumeration import imagined
from tests.sizes import sized

GAME = PhantomTicTacToe()
LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


@cache
def has_line(marks):
    return any(line <= marks for line in LINES)


class Twin(NamedTuple):
    """A position: the marks of both players, those that each has hit, and the player to move."""

    marks: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    known: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    player: int = 0

    @property
    def scores(self):
        won = [has_line(marks) for marks in self.marks]
        return [float(won[0] - won[1]), float(won[1] - won[0])]

    @property
    def over(self):
        return self.scores != [0.0, 0.0] or len(self.marks[0] | self.marks[1]) == 9

    def legal(self):
        return sorted(set(range(9)) - self.marks[self.player] - self.known[self.player])

    def after(self, cell):
        if cell in self.marks[1 - self.player]:
            return self._replace(known=self._with(self.known, cell))
        return self._replace(marks=self._with(self.marks, cell), player=1 - self.player)

    def view(self, viewer):
        return viewer, self.marks[viewer], self.known[viewer], self.player

    def _with(self, sets, cell):
        return tuple(
            cells | {cell} if who == self.player else cells for who, cells in enumerate(sets)
        )


def twin_of(world):
    marks, known = ([_cells(each) for each in world.record[field]] for field in ("marks", "known"))
    return Twin(tuple(marks), tuple(known), int(world.record["player"]))


def _cells(bits):
    return frozenset(cell for cell in range(9) if int(bits) >> cell & 1)


@cache
def posteriors():
    """P(position | view) for every view of the game, by walking all of it."""
    joint, layer = defaultdict(dict), {Twin(): 1.0}
    while layer:
        following = defaultdict(float)
        for position, share in layer.items():
            if not position.over:
                joint[position.view(0)][position] = joint[position.view(1)][position] = share
                cells = position.legal()
                for cell in cells:
                    following[position.after(cell)] += share / len(cells)
        layer = following
    return joint


def random_game(seed):
    """The worlds of a game between random players, without the last."""
    choose, world = random.Random(seed).choice, GAME.start(seed)
    while not world.over:
        yield world.copy()
        world.apply(choose(world.legal()))


def play(*cells):
    world = GAME.start(0)
    for cell in cells:
        world.apply(cell)
    return world


@pytest.mark.parametrize("seed", range(100))
def test_random_games_are_those_of_the_twin(seed):
    choose, world, twin = random.Random(seed).choice, GAME.start(seed), Twin()
    while not twin.over:
        assert (world.to_move, world.legal(), world.scores) == (
            twin.player,
            twin.legal(),
            [0.0, 0.0],
        )
        cell = choose(twin.legal())
        world.apply(cell)
        twin = twin.after(cell)
        assert twin_of(world) == twin
    assert world.over
    assert world.scores == twin.scores


@pytest.mark.parametrize("seed", range(sized(1, 4)))
def test_imagine_is_the_exact_posterior_at_every_view_of_random_games(seed):
    for world in random_game(seed):
        for viewer in range(2):
            worlds = posteriors()[twin_of(world).view(viewer)]
            exact = {position: share / sum(worlds.values()) for position, share in worlds.items()}
            guess = {twin_of(each): share for each, share in imagined(world.hide(viewer)).items()}
            assert guess == pytest.approx(exact, abs=1e-12)


def test_a_failed_try_shows_nothing_to_the_opponent():
    before, after = play(4), play(4, 4)
    assert after.to_move == 1
    assert before.hide(0) == after.hide(0)
    assert before.hide(1) != after.hide(1)


def test_a_failed_try_shows_the_mark_and_cannot_be_repeated():
    world = play(4, 4)
    assert 4 not in world.legal()
    assert world.hide(1).text.splitlines()[2] == "4 │ X │ 6"


def test_marks_of_the_opponent_are_hidden_until_the_end():
    assert play(0, 4).hide(0) == play(0, 8).hide(0)
    assert play(0, 3, 1, 4, 2).hide(1).record["marks"][0] == 0b111


def test_no_imagined_world_is_over():
    for seed in range(20):
        for world in random_game(seed):
            assert not any(GAME.imagine(world.hide(viewer), seed).over for viewer in range(2))


def test_the_longest_game_has_seventeen_actions():
    before_the_last = max(
        sum(map(len, position.marks + position.known))
        for view in posteriors().values()
        for position in view
    )
    assert before_the_last + 1 == GAME.most_steps == 17
