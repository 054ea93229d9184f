"""Agents that exceed their time budget get their own status, and count as the settings say."""

from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.match.match import Match, Move
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee, first_overrun
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match

OWN = Path(__file__).parents[1] / "own_functions.py"
DECISION = pg.Decision(0, (0,))


def settings_with(late, **changes):
    return Settings(
        **{
            "games": ("tic-tac-toe",),
            "agents": {"good": "random", "late": late},
            "deals": 1,
            **changes,
        }
    )


def match_of(budget, *moves):
    """A match of a player with this budget in seat 0, whose moves are given as (seat, seconds)."""
    game = pg.games.TicTacToe()
    players = (
        pg.Agent(pg.Random(), budget=budget),
        pg.Agent(pg.Random(), budget=pg.Budget(iterations=1)),
    )
    return Match(
        game,
        players,
        0,
        tuple(Move(seat, DECISION, seconds) for seat, seconds in moves),
        (0.0, 0.0),
        game.start(0),
    )


def test_a_decision_that_takes_too_long_is_an_overrun_of_its_seat():
    settings = settings_with(f"{OWN}@Late:nap=0.05", overrun_seconds=0.02)
    rows = [play_match(settings, number) for number in (0, 1)]
    assert [(row.status, row.offender) for row in rows] == [("overran", 1), ("overran", 0)]
    assert all(
        row.finished and row.scores and row.measures for row in rows
    )  # they are played to their end
    assert rows[0].seat_seconds[1] > 0.05


@pytest.mark.parametrize(
    ("late", "overrun_seconds"),
    [("Late:nap=0.05,budget=iterations", 0.0), ("Late:nap=0.02", 60.0)],
)
def test_nobody_overruns_iterations_or_within_the_tolerance(late, overrun_seconds):
    row = play_match(settings_with(f"{OWN}@{late}", overrun_seconds=overrun_seconds), 0)
    assert (row.status, row.offender) == ("played", -1)


def test_a_turn_is_all_decisions_of_a_seat_in_a_row():
    decision, turn = pg.Budget(seconds=1.0), pg.Budget(turn_seconds=1.0)
    moves = (0, 0.8), (0, 0.8), (1, 99.0), (0, 0.8)
    assert first_overrun(match_of(decision, *moves), 0.1) == -1
    assert first_overrun(match_of(turn, *moves), 0.1) == 0
    assert first_overrun(match_of(turn, (0, 0.8), (1, 99.0), (0, 0.8)), 0.1) == -1
    assert first_overrun(match_of(decision, (0, 1.05)), 0.1) == -1
    assert first_overrun(match_of(decision, (0, 1.15)), 0.1) == 0


@pytest.mark.parametrize(
    ("policy", "scores"), [("count", (1.0, -1.0)), ("forfeit", (-1.0, 1.0)), ("exclude", None)]
)
def test_an_overrun_is_worth_what_the_settings_say(policy, scores):
    row = MatchRow(0, "overran", 0, (1.0, -1.0), 5, "")
    result = Referee(settings_with("random", on_overrun=policy, on_fault="forfeit")).result(row)
    assert (result.scores if result else None) == scores


def test_policies_that_are_none_are_refused():
    with pytest.raises(
        ValueError, match="on_overrun is one of count, forfeit, exclude, not 'lose'"
    ):
        settings_with("random", on_overrun="lose")
    with pytest.raises(ValueError, match="on_fault is one of forfeit, exclude, not 'count'"):
        settings_with("random", on_fault="count")
    with pytest.raises(ValueError, match="overrun_seconds must be 0 or more, not -1"):
        settings_with("random", overrun_seconds=-1.0)
