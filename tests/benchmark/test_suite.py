"""A published suite never changes, and everything that it names exists."""

import pytest

from plyglass.arena.audit.exploitability import whole_game
from plyglass.arena.specs import game_from, player_from
from plyglass.benchmark.audits import MOST_SETS
from plyglass.benchmark.suite import SUITE_1


def test_suite_1_is_frozen():
    assert SUITE_1.digest == "090059e1cf42d9ad"


def test_suite_1_names_what_exists():
    assert len(SUITE_1.contests) == 10
    assert len(SUITE_1.agents) == 12
    assert list(SUITE_1.sizes) == ["minutes", "hour", "night"]
    assert SUITE_1.sizes["hour"].deals * 2 == 80
    for contest in SUITE_1.contests:
        assert game_from(contest.game).players == 2
        assert len(contest.iterations) == len(SUITE_1.references)
    for text in (*SUITE_1.references.values(), *SUITE_1.agents.values()):
        assert not player_from(text).cheats


def test_games_with_exploitability_are_small():
    small = [game for game in SUITE_1.exploited if game != "leduc-poker"]  # 936, known elsewhere
    assert all(len(whole_game(game_from(game)).sets) < MOST_SETS for game in small)


def test_an_unknown_size_is_refused():
    with pytest.raises(ValueError, match="no size 'week'; it has minutes, hour, night"):
        SUITE_1.size("week")
