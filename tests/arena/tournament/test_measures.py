"""Measures are stored by match number, equal for every runner, and independent of time."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plyglass.arena.runners import runner_named
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.measures import (
    BUILT_IN,
    MeasureFailed,
    measures_from,
    split_name,
    value,
    visits_above_uniform,
)
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match, replay_match, row_of, text_of
from plyglass.cli.tournament import tournament
from plyglass.core.compile import JIT
from plyglass.search.interface import Decision

OWN = Path(__file__).parents[1] / "own_functions.py"
AGENTS = {"a": "uct:iterations=40", "b": "uct:iterations=20"}


def settings_with(*measures, **changes):
    return Settings(
        **{"games": ("tic-tac-toe",), "agents": AGENTS, "deals": 2, "measures": measures, **changes}
    )


def test_every_row_has_iterations_decisions_and_seconds_of_each_seat():
    match, row = replay_match(settings_with(), 0), play_match(settings_with(), 0)
    own = [[move for move in match.moves if move.player == seat] for seat in (0, 1)]
    assert row.measures == {
        "iterations@0": 40.0 * len(own[0]), "iterations@1": 20.0 * len(own[1]),
        "decisions@0": len(own[0]), "decisions@1": len(own[1]),
    }  # fmt: skip
    assert len(row.seat_seconds) == 2
    assert min(row.seat_seconds) > 0.0
    assert row_of(text_of(row)) == row
    assert row_of(text_of(row)).seat_seconds == row.seat_seconds


def test_built_in_measures_are_means_over_the_decisions_of_a_seat():
    settings = settings_with(*BUILT_IN)
    match, row = replay_match(settings, 1), play_match(settings, 1)
    first = [move.decision for move in match.moves if move.player == 0]
    assert row.measures["value@0"] == pytest.approx(
        sum(each.values[each.actions.index(each.action)] for each in first) / len(first)
    )
    assert row.measures["actions@0"] == pytest.approx(
        sum(len(each.actions) for each in first) / len(first)
    )
    assert row.measures["line-depth@0"] == pytest.approx(
        sum(len(each.line) for each in first) / len(first)
    )
    assert 0.0 < row.measures["visits-above-uniform@0"] < 1.0
    assert row.measures["length"] == len(match.moves) == row.steps


def test_a_planner_that_tells_nothing_is_not_measured():
    assert value(Decision(3, (1, 3))) is None
    assert visits_above_uniform(Decision(3, (1, 3))) is None
    assert value(Decision(3, (1, 3), values=(0.5, -0.25))) == -0.25
    assert visits_above_uniform(Decision(3, (1, 3), visits=(1, 3))) == 0.25
    row = play_match(settings_with("value", agents={"a": "random", "b": "uct:iterations=5"}), 0)
    assert "value@1" in row.measures
    assert "value@0" not in row.measures


def test_a_function_of_a_user_measures_decisions_or_the_match():
    settings = settings_with(
        *(
            f"{OWN}@{name}"
            for name in ("free_cells", "only_first_seat", "actions_of_seats", "marks_made")
        ),
        "actions",
    )
    match, row = replay_match(settings, 0), play_match(settings, 0)
    assert (
        row.measures["free_cells@0"] == row.measures["actions@0"]
    )  # a view before the move shows what could be played
    assert row.measures["free_cells@1"] == row.measures["actions@1"]
    assert row.measures["only_first_seat@0"] == 7.0
    assert "only_first_seat@1" not in row.measures
    assert row.measures["actions_of_seats.cell 3@1"] == sum(
        move.action == 3 for move in match.moves if move.player == 1
    )
    assert row.measures["marks_made"] == len(match.moves)


def test_a_measure_of_the_package_path_is_found():
    (measure,) = measures_from(["plyglass.arena.tournament.measures:length"])
    assert (measure.name, measure.of_match) == ("length", True)


def test_no_measure_learns_the_time():
    row = play_match(settings_with(f"{OWN}@seconds_told", f"{OWN}@clock_of_match"), 0)
    assert row.measures["seconds_told@0"] == row.measures["clock_of_match"] == 0.0
    assert sum(row.seat_seconds) > 0.0


@pytest.mark.skipif(not JIT, reason="workers would compile nothing, and take long")
def test_one_digest_with_measures_for_every_runner_and_kind_of_store(tmp_path):
    settings = settings_with(*BUILT_IN, f"{OWN}@free_cells", f"{OWN}@actions_of_seats", deals=5)
    digests = set()
    for name, runner, workers in (
        ("one.sqlite", "serial", 1),
        ("two.sqlite", "processes", 2),
        ("shards", "serial", 1),
    ):
        with open_store(tmp_path / name, settings.run_id, settings.canonical) as store:
            digests.add(
                Tournament(settings, store, runner_named(runner, workers, 60.0), 2).run().digest
            )
            rows = list(store.rows())
        assert all(len(row.seat_seconds) == 2 and min(row.seat_seconds) > 0.0 for row in rows)
        assert all("free_cells@1" in row.measures for row in rows)
    assert len(digests) == 1


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["dept"], "There is no measure 'dept'; there are value, visits-above-uniform"),
        (["missing.py@depth"], "There is no file missing.py"),
        (["no.such.module:depth"], "Cannot import the module 'no.such.module'"),
        ([f"{OWN}@depth"], "has no function 'depth'"),
        (
            [f"{OWN}@strange"],
            r"The measure 'strange' takes \(decision, opponent\); a measure of matches takes "
            r"\(match\)",
        ),
        (["value", "value"], "Two measures are called 'value'"),
    ],
)
def test_a_mistake_in_a_measure_is_named_before_anything_is_played(texts, message):
    with pytest.raises(ValueError, match=message):
        settings_with(*texts)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "The measure 'broken' raised KeyError: 'depth'"),
        ("not_a_number", "The measure 'not_a_number' returned nan; return a finite number"),
        ("one_for_three", "returned a list of 3, but the match has 2 seats"),
    ],
)
def test_a_measure_that_fails_stops_the_run_and_is_nobodys_loss(name, message):
    with pytest.raises(MeasureFailed, match=message):
        play_match(settings_with(f"{OWN}@{name}"), 0)


def test_names_of_measures_tell_their_seat():
    assert split_name("value@1") == ("value", 1)
    assert split_name("length") == ("length", None)


def test_measures_are_part_of_the_settings(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'games = ["pig:goal=10"]\nmeasures = ["value", "length"]\n'
        '[agents]\na = "random"\nb = "random"\n'
    )
    settings = Settings.load(path)
    assert settings.measures == ("value", "length")
    assert Settings.from_canonical(settings.canonical) == settings
    assert settings.run_id != Settings(games=settings.games, agents=settings.agents).run_id


def test_the_command_tells_cost_and_measures_of_every_agent(tmp_path):
    (tmp_path / "settings.toml").write_text(
        'games = ["tic-tac-toe"]\ndeals = 3\nmeasures = ["length", "actions"]\n'
        '[agents]\na = "uct:iterations=30"\nb = "random"\n'
    )
    app = typer.Typer()
    app.command()(tournament)
    words = [str(tmp_path / "settings.toml"), "--runner", "serial", "--out", str(tmp_path)]
    told = json.loads(CliRunner().invoke(app, [*words, "--json"]).stdout)
    costs = {each["agent"]: each for each in told["effort"]}
    assert costs["a"]["iterations"] == 30.0
    assert min(costs["a"]["seconds"], costs["b"]["seconds"]) > 0.0
    assert [(each["measure"], each["agent"], each["games"]) for each in told["measures"]] == [
        ("actions", "a", 6), ("actions", "b", 6), ("length", "", 6),
    ]  # fmt: skip
    assert (
        "seconds" not in told["table"][0]
    )  # a table is compared between runs, and times would differ
    shown = CliRunner().invoke(app, words).stdout
    assert "iterations" in shown
    assert "length" in shown
