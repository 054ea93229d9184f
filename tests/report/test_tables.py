"""Every table against rows counted by hand."""

import csv
import dataclasses
import io
import math

import pytest

from plyglass.arena.specs import game_from
from plyglass.arena.tournament.settings import Settings, Stop
from plyglass.report.budgets import budget_series
from plyglass.report.course import fault_table, length_table, lengths, seat_table
from plyglass.report.effort import effort_table
from plyglass.report.folder import markdown_of, tables_of
from plyglass.report.measurements import measurement_table
from plyglass.report.page import page
from plyglass.report.run import run_of, toml_of
from plyglass.report.standings import standings, standings_tables
from plyglass.report.strength import (
    cross_grids,
    cross_rates,
    cross_table,
    games_of_deals,
    order_of_agents,
    rating_table,
    ratings,
)
from plyglass.report.tables import Table
from plyglass.stats.intervals import mean_interval, wilson
from tests.report.hand_made import DRAW, LOSS, WIN, fault, ladder, row, small_run, three_agents


def read_markdown(text):
    """The cells of the first table in a text."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [
        [cell.strip().replace("\0", "|") for cell in line[2:-2].replace("\\|", "\0").split(" | ")]
        for line in lines
    ]


def test_the_cross_table_counts_points_and_games_of_every_two_agents():
    rates = cross_rates(small_run())
    assert {pair: (rate.rate, rate.games) for pair, rate in rates.items()} == {
        ("a", "b"): (1.0, 2), ("b", "a"): (0.0, 2), ("a", "c"): (0.75, 2), ("c", "a"): (0.25, 2),
        ("b", "c"): (0.5, 2), ("c", "b"): (0.5, 2),
    }  # fmt: skip
    assert (rates["a", "c"].low, rates["a", "c"].high) == wilson(
        0.75, 1
    )  # one deal is worth one game


def test_the_two_rates_of_a_meeting_add_up_to_one():
    rates = cross_rates(ladder())
    for (agent, opponent), rate in rates.items():
        assert rate.rate + rates[opponent, agent].rate == pytest.approx(1)


def test_a_grid_has_a_line_and_a_column_for_every_agent_and_nothing_on_the_diagonal():
    (grid,) = cross_grids(small_run())
    assert grid.columns == ("agent", "a", "c", "b")
    assert [line[0] for line in grid.rows] == ["a", "c", "b"] == order_of_agents(small_run())
    assert [line[place + 1] for place, line in enumerate(grid.rows)] == [None] * 3
    assert "2 games in every cell" in grid.note


def test_matches_of_one_deal_are_resampled_together():
    deals = games_of_deals(ladder(deals=8))
    assert len(deals) == 8
    assert {len(games) for games in deals.values()} == {12}
    assert {len(games) for games in games_of_deals(ladder(deals=8), 1).values()} == {6}


def test_ratings_follow_the_results_and_their_intervals_hold_them():
    found = ratings(ladder())
    assert [each.agent for each in found.ratings] == ["strong", "middle", "weak"]
    assert sum(each.elo for each in found.ratings) == pytest.approx(0, abs=1e-6)
    assert all(each.low <= each.elo <= each.high for each in found.ratings)
    assert [each.games for each in found.ratings] == [64, 64, 64]


def test_deals_on_which_all_games_end_alike_count_once_and_the_table_names_the_unit():
    """Two agents, 40 deals; the agent with the better deal wins both games."""
    settings = three_agents(agents={"a": "random", "b": "random"}, deals=40)
    rows = [
        row(number, WIN if (number % 2 == 0) == (number // 2 % 4 > 0) else LOSS)
        for number in range(80)
    ]
    best, _ = standings(settings, rows)
    assert (best.agent, best.games, best.unit, best.rate) == ("a", 80, "deal", 0.75)
    assert (best.low, best.high) == pytest.approx(wilson(30, 40))
    assert cross_rates(run_of(settings, rows))["a", "b"].low == best.low
    (table,) = standings_tables(settings, rows)
    assert table.columns[-1] == "unit"
    assert "matches of a deal are not, as they share chance" in table.note


def test_the_interval_of_a_mean_score_stays_within_the_scores_of_the_game():
    settings = three_agents(agents={"a": "random", "b": "random"}, deals=4)
    rows = [row(number, LOSS if number == 7 else WIN) for number in range(8)]
    for each in standings(settings, rows):
        assert -1.0 <= each.mean_low <= each.mean <= each.mean_high <= 1.0
    settings = three_agents(games=("tiger:steps=5",), deals=2)
    low, high = game_from("tiger:steps=5").scores
    for each in standings(
        settings, [row(number, (low if number % 2 else high,)) for number in range(6)]
    ):
        assert low <= each.mean_low <= each.mean_high <= high


def test_a_game_for_one_has_the_game_as_unit():
    settings = three_agents(games=("tiger:steps=5",), deals=2)
    assert {
        each.unit
        for each in standings(settings, [row(number, (float(number),)) for number in range(6)])
    } == {"game"}


def test_few_deals_give_ratings_without_intervals():
    table = rating_table(small_run())
    assert [line[1] for line in table.rows] == ["a", "c", "b"]
    assert all(line[3] is None and line[4] is None for line in table.rows)


def test_the_rating_list_has_each_game_and_all_together():
    games = [line[0] for line in rating_table(ladder()).rows]
    assert games == ["all games"] * 3 + ["tic-tac-toe"] * 3 + ["pig:goal=30"] * 3


def test_agents_whom_no_games_connect_are_not_rated():
    settings = three_agents(agents=dict.fromkeys("abcd", "random"), meeting="pairs")
    run = run_of(settings, [row(number, WIN) for number in range(4)])
    assert ratings(run) is None
    assert rating_table(run).rows == ()
    assert order_of_agents(run) == list("abcd")


def test_a_game_without_opponents_has_scores_but_no_rates():
    settings = three_agents(games=("tiger:steps=5",), deals=2)
    run = run_of(settings, [row(number, (float(number),)) for number in range(6)])
    assert cross_table(run).rows == seat_table(run).rows == rating_table(run).rows == ()
    (table,) = standings_tables(settings, run.rows)
    assert table.columns[:2] == ("agent", "mean_score")
    assert [line[:2] for line in table.rows] == [("c", 3.5), ("b", 2.5), ("a", 1.5)]


def test_the_first_seat_gets_its_points():
    ((game, rate, low, high, games),) = seat_table(small_run()).rows
    assert (game, rate, games) == ("tic-tac-toe", 4.5 / 6, 6)
    assert (low, high) == wilson(0.75, 1)  # all of one deal


def test_lengths_have_their_mean_and_quartiles():
    assert lengths(small_run()) == {"tic-tac-toe": [5, 6, 7, 8, 9, 10]}
    assert length_table(small_run()).rows == (("tic-tac-toe", 7.5, 5, 6.25, 7.5, 8.75, 10, 6),)


def test_effort_is_that_of_an_agents_own_decisions():
    rows = [
        row(0, WIN, iterations=(500.0, 10.0), decisions=(5.0, 4.0), seat_seconds=(2.0, 0.4)),
        row(
            1, LOSS, iterations=(20.0, 300.0), decisions=(6.0, 5.0), seat_seconds=(0.6, 1.0)
        ),  # the seats are swapped
        fault(2, "crashed", 1),
    ]
    table = effort_table(run_of(three_agents(), rows))
    assert table.columns[3:] == (
        "ms_per_decision",
        "iterations_per_decision",
        "decisions_per_match",
        "games",
    )
    assert table.rows == (
        ("tic-tac-toe", "a", "random", 300.0, 80.0, 5.0, 2),
        ("tic-tac-toe", "b", "random", 100.0, 3.0, 5.0, 2),
    )


def test_measures_have_their_mean_interval_and_number_of_matches_by_agent():
    depths = (
        (2.0, 5.0),
        (4.0, 3.0),
        (6.0, 1.0),
        (4.0, 9.0),
    )  # by seat; a sits first in the first of two matches
    rows = [
        row(6 * (number // 2) + number % 2, WIN, **{"depth@0": one, "depth@1": other})
        for number, (one, other) in enumerate(depths)
    ]
    run = run_of(three_agents(deals=2), [*rows, row(2, WIN, length=9.0)])
    table = measurement_table(run)
    found = {tuple(line[:3]): line[3:] for line in table.rows}
    assert list(found) == [
        ("depth", "tic-tac-toe", "a"),
        ("depth", "tic-tac-toe", "b"),
        ("length", "tic-tac-toe", ""),
    ]
    mean, low, high, games = found["depth", "tic-tac-toe", "a"]
    assert (mean, games) == (5.0, 4)  # 2, 3 of the first deal and 6, 9 of the second
    assert (low, high) == pytest.approx(mean_interval([2.5, 7.5])[1:])  # the deal is the unit
    assert found["length", "tic-tac-toe", ""] == (9.0, None, None, 1)
    assert "depth" in page(run)
    assert measurement_table(small_run()).rows == ()
    assert "<h2>Measures</h2>" not in page(small_run())


def test_an_overrun_is_a_fault_that_counts_as_it_was_played():
    late = dataclasses.replace(row(0, WIN), status="overran", offender=0)
    run = run_of(three_agents(), [late, row(1, LOSS)])
    assert fault_table(run).rows == (("tic-tac-toe", "a", "overran", 1),)
    assert "more than 0.1 s over its time budget) is counted as played" in fault_table(run).note
    assert cross_rates(run)["a", "b"].rate == 1.0
    assert lengths(run) == {"tic-tac-toe": [5, 5]}
    forfeited = run_of(three_agents(on_overrun="forfeit"), [late, row(1, LOSS)])
    assert cross_rates(forfeited)["a", "b"].rate == 0.5


def test_faults_are_told_by_whom_and_why_and_lose_the_match():
    rows = [
        row(0, WIN),
        fault(1, "crashed", 1),
        fault(2, "illegal", 0),
        fault(3, "quarantined", -1),
    ]
    run = run_of(three_agents(), rows)
    assert fault_table(run).rows == (
        ("tic-tac-toe", "", "quarantined", 1), ("tic-tac-toe", "a", "crashed", 1),
        ("tic-tac-toe", "a", "illegal", 1),
    )  # fmt: skip
    assert cross_rates(run)["a", "b"].rate == 0.5
    assert cross_rates(run)["a", "c"].games == 1
    left_out = run_of(three_agents(on_fault="exclude"), rows)
    assert cross_rates(left_out)["a", "b"].rate == 1.0
    assert "left out of all rates" in fault_table(left_out).note


def test_agents_that_differ_only_in_iterations_make_a_series():
    series = budget_series(ladder())
    assert list(series) == ["uct"]
    assert [each.game for each in series["uct"]] == ["all games", "tic-tac-toe", "pig:goal=30"]
    assert [(point.iterations, point.agent) for point in series["uct"][0].points] == [
        (25, "weak"),
        (100, "middle"),
        (400, "strong"),
    ]


def test_other_parameters_keep_series_apart():
    agents = {
        "a": "uct:iterations=10,exploration=0.5",
        "b": "uct:exploration=0.5,iterations=20",
        "c": "uct:iterations=10",
    }
    run = run_of(three_agents(agents=agents), [row(number, DRAW) for number in range(6)])
    assert list(budget_series(run)) == ["uct:exploration=0.5"]


def test_csv_gives_back_every_value():
    for table in tables_of(ladder()):
        head, *lines = csv.reader(io.StringIO(table.csv()))
        assert tuple(head) == table.columns
        assert len(lines) == len(table.rows)
        for line, values in zip(lines, table.rows, strict=True):
            for text, value in zip(line, values, strict=True):
                assert text == "" if value is None else type(value)(text) == value


def test_markdown_gives_back_what_is_shown_whatever_the_names():
    table = Table(
        "odd",
        "Odd | names",
        ("agent", "rate"),
        (("a|b", 0.25), ("plain", None)),
        percent=frozenset(("rate",)),
    )
    assert read_markdown(table.markdown().partition("\n")[2]) == [
        ["agent", "rate"],
        [":---", "---:"],
        ["a|b", "25.0%"],
        ["plain", ""],
    ]
    assert "&lt;script>" in Table("t", "t", ("agent",), (("<script>",),)).markdown()


def test_the_markdown_of_a_run_has_its_digest_and_all_tables():
    run = ladder()
    text = markdown_of(run)
    assert run.digest in text
    for title in (
        "Standings, tic-tac-toe",
        "Ratings",
        "Cross table, all games",
        "Advantage of the first seat",
        "Length of matches",
    ):
        assert f"### {title}" in text


def test_every_rate_stands_with_its_interval_and_number_of_games():
    for table in tables_of(ladder()):
        if table.percent or "elo" in table.columns:
            assert {"low", "high", "games"} <= set(table.columns), table.name
        for line in (dict(zip(table.columns, values, strict=True)) for values in table.rows):
            if "rate" in line:
                assert 0 <= line["low"] <= line["rate"] <= line["high"] <= 1
                assert not math.isnan(line["rate"])


def test_settings_written_as_toml_are_read_back(tmp_path):
    settings = three_agents(
        agents={'odd "name" ü': "random", "b\\c": "random", "c 😀": "uct:iterations=3"},
        seed=9,
        stop=Stop("sprt", elo1=30.0),
    )
    (tmp_path / "settings.toml").write_text(toml_of(settings), encoding="utf-8")
    assert Settings.load(tmp_path / "settings.toml").run_id == settings.run_id
    changed = dataclasses.replace(
        settings, measures=("value", "length"), on_overrun="exclude", overrun_seconds=0.5
    )
    (tmp_path / "settings.toml").write_text(toml_of(changed), encoding="utf-8")
    assert Settings.load(tmp_path / "settings.toml") == changed


def test_an_unfinished_run_says_so():
    assert run_of(three_agents(), [row(0, WIN)]).decision == "1 of 6 matches played so far"
    assert small_run().decision == "all played"
