"""The effective number of games of a tally, by the formula over all pairs."""

import pytest

from plyglass.stats.pairs import Tally

PAIRS = [(1.5, 2), (0.0, 1), (2.0, 2), (0.5, 2), (1.0, 3), (1.0, 2), (1.0, 1)]


def tally_of(pairs):
    tally = Tally()
    for points, games in pairs:
        tally.add(points, games)
    return tally


def test_a_new_tally_is_empty():
    assert Tally() == Tally(0, 0, 0.0, 0.0, 0.0, 0)
    assert vars(Tally()) == dict.fromkeys(vars(Tally()), 0)


@pytest.mark.parametrize("pairs", [PAIRS, PAIRS[:3], [(2.0, 2), (1.0, 2), (0.0, 2)] * 4])
def test_it_is_the_variance_of_games_over_that_of_pairs(pairs):
    """Kish 1965: the variance of a ratio of sums over clusters."""
    games, points = sum(games for _, games in pairs), sum(points for points, _ in pairs)
    rate, count = points / games, len(pairs)
    variance = sum((won - rate * played) ** 2 for won, played in pairs) / games**2
    worth = int(rate * (1 - rate) / (variance * count / (count - 1)))
    assert tally_of(pairs).worth() == min(games, max(count, worth))


def test_it_is_never_more_than_all_games_or_less_than_all_pairs():
    assert tally_of([(1.0, 2)] * 5).worth() == 10  # nothing differs between pairs
    assert tally_of([(2.0, 2), (0.0, 2)] * 5).worth() == 10  # both games of a pair are one
    assert tally_of([(4.0, 4), (0.0, 4)]).worth() == 2
    assert tally_of([(1.0, 2)]).worth() == 1
