"""Connect Four against the known numbers of move sequences."""

import pytest

from plyglass.games.connect_four import ConnectFour
from tests.perft import leaves

SEQUENCES = {1: 7, 2: 49, 3: 343, 4: 2401, 5: 16807, 6: 117649, 7: 823536, 8: 5673234}


@pytest.mark.parametrize("depth", SEQUENCES)
def test_the_number_of_move_sequences_is_the_known_one(depth):
    assert leaves(ConnectFour().start(0), depth).reached == SEQUENCES[depth]


@pytest.mark.parametrize(
    "columns",
    [
        (0, 1, 0, 1, 0, 1, 0),
        (0, 0, 1, 1, 2, 2, 3),
        (0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3),
        (6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3),
    ],
)
def test_four_in_a_column_a_row_and_both_diagonals_win(columns):
    world = ConnectFour().start(0)
    for column in columns[:-1]:
        world.apply(column)
    assert not world.over
    world.apply(columns[-1])
    assert world.scores == [1.0, -1.0]
