"""The table during a run becomes the final table, in bounded memory and for any order of rows."""

import random

import numpy as np
import pytest

from plyglass.arena.tournament import live_table as running
from plyglass.arena.tournament.live_table import RunningTable
from plyglass.report.standings import standings
from tests.report.hand_made import DRAW, LOSS, WIN, fault, row, three_agents


def some_rows(settings, seed=1):
    choose = random.Random(seed)
    rows = [row(number, choose.choice((WIN, LOSS, DRAW))) for number in range(6 * settings.deals)]
    rows[3], rows[8], rows[20] = (
        fault(3, "crashed", 1),
        fault(8, "illegal", 0),
        fault(20, "quarantined", -1),
    )
    choose.shuffle(rows)
    return rows


@pytest.mark.parametrize("most", [3, 1000])
def test_the_running_table_ends_as_the_final_one(most, monkeypatch):
    monkeypatch.setattr(running, "MOST_KINDS", most)
    settings = three_agents(deals=20)
    table, rows = RunningTable(settings), some_rows(settings)
    for start in range(0, len(rows), 7):
        table.add(rows[start : start + 7])
        table.tallies()
    final = [(line.games, line.rate, line.low, line.high) for line in standings(settings, rows)]
    assert np.allclose(
        [(tally.games, *tally.interval()) for tally in table.tallies().values()], final
    )
    assert list(table.tallies()) == [line.agent for line in standings(settings, rows)]


def test_what_is_kept_does_not_grow_with_matches():
    table = RunningTable(three_agents(deals=100_000))
    choose = random.Random(2)
    for start in range(0, 60_000, 10):
        table.add(
            [row(number, choose.choice((WIN, LOSS, DRAW))) for number in range(start, start + 10)]
        )
    assert len(table._open) <= 1
    assert len(table._ended) <= running.MOST_KINDS
    assert next(iter(table.tallies().values())).games == 40_000


def test_a_game_without_opponents_has_no_points():
    table = RunningTable(three_agents(games=("tiger:steps=5",)))
    table.add([row(number, (1.0,)) for number in range(3)])
    assert table.tallies() == {}
