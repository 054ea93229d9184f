"""Tic-tac-toe against counts that anybody can look up."""

from itertools import pairwise

from plyglass.games.tic_tac_toe import TicTacToe
from tests.perft import leaves

GAME = TicTacToe()


def play(*cells):
    world = GAME.start(0)
    for cell in cells:
        world.apply(cell)
    return world


def test_there_are_255168_complete_games():
    assert leaves(GAME.start(0), 9).ended == 255_168


def test_games_end_after_five_to_nine_moves_in_known_numbers():
    ended = [leaves(GAME.start(0), depth).ended for depth in range(4, 10)]
    assert [after - before for before, after in pairwise(ended)] == [
        1440,
        5328,
        47952,
        72576,
        127872,
    ]


def test_a_line_wins_and_the_other_loses():
    assert play(0, 3, 1, 4, 2).scores == [1.0, -1.0]
    assert play(0, 2, 1, 4, 8, 6).scores == [-1.0, 1.0]


def test_a_full_board_without_a_line_is_a_draw():
    world = play(0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert world.over
    assert world.scores == [0.0, 0.0]


def test_a_line_on_the_last_cell_is_a_win_and_no_draw():
    assert play(0, 1, 2, 3, 4, 5, 7, 6, 8).scores == [1.0, -1.0]


def test_the_text_shows_marks_and_the_numbers_of_free_cells():
    assert play(0, 4).hide(0).text.splitlines()[0::2] == ["X │ 2 │ 3", "4 │ O │ 6", "7 │ 8 │ 9"]
