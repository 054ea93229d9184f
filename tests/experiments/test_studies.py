"""Studies: the list of artifacts, verdicts, runs that resume, and recorded results."""

import json

import pytest
from typer import Typer
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.runners import Serial
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.cli.reproduce import reproduce as command
from plyglass.core.compile import JIT
from plyglass.experiments import readme, recorded
from plyglass.experiments.reproduction import Reproduction, reproduce
from plyglass.experiments.results import RowResult, results_of, scale_of, values_of, worst_of
from plyglass.experiments.study import TableRow, artifact_named, artifacts
from plyglass.stats.intervals import wilson
from plyglass.stats.pairs import interval_of_means, interval_of_rate

READY = {
    *(f"duelyst-multi-ply/figure-{number}" for number in range(3, 9)),
    *(f"duelyst/figure-2-{number}" for number in range(9, 13)),
    *(f"fog-of-war/table-3-{budget}" for budget in ("1k", "5k", "10k", "20k")),
    "fog-of-war/budget",
    *(f"pandemic/figure-{number}" for number in range(9, 13)),
    *(f"pandemic/table-{number}" for number in range(1, 10)),
    *(f"navy-defense/figure-1-{number}" for number in range(5, 9)),
    *(f"representative-moves/table-{number}" for number in range(2, 6)),
}
OURS = {
    *(
        f"duelyst/{each}"
        for each in ("positions", "beliefs-starter-decks", "beliefs-new-decks", "beliefs-wins")
    ),
    *(
        f"duelyst/{each}"
        for each in ("champion", "time", "ninety-seconds", "plies", "matrix", "ceiling", "parts")
    ),
    *(f"duelyst-multi-ply/{each}" for each in ("positions", "second-ply", "any-cards")),
    *(f"fog-of-war/{each}" for each in ("sanity", "constants", "maps", "small-armies")),
    *(f"fog-of-war/{each}" for each in ("table-3-thesis", "appendix-b")),
    *(
        f"fog-of-war/{each}"
        for each in (
            "tuned",
            "stronger",
            "stronger-one-tree",
            "price",
            "no-fog",
            "no-fog-two-sided",
        )
    ),
    *(f"pandemic/{each}" for each in ("oracle", "simulations", "capped", "human")),
    *(f"pandemic/champion{each}" for each in ("", "-second", "-elsewhere", "-parts")),
    "reference-games/first-player",
    "reference-games/kuhn-random",
    "reference-games/strength",
    *(
        f"reference-planners/pomcp-{each}"
        for each in ("small", "large", "battleship", "small-paper", "large-paper")
    ),
    *(
        f"navy-defense/{each}"
        for each in ("captain", "captain-ablations", "bound", "belief-models")
    ),
    *(
        f"navy-defense/{each}"
        for each in ("patrolling", "change-of-mind", "bigger-seas", "directions", "readings")
    ),
    *(
        f"representative-moves/{each}"
        for each in ("open-points", "readings", "times", "literal-times", "champion", "ceiling")
    ),
    *(
        f"representative-moves/{each}"
        for each in ("automatic-classes", "automatic-classes-cards", "champion-net")
    ),
}
HAND_MADE = """
title = "By hand"
source = "None"
[artifacts.tournament]
title = "Tic-tac-toe at random"
kind = "table"
[artifacts.tournament.settings]
games = ["tic-tac-toe"]
deals = 40
seed = 3
agents = { a = "random", b = "random" }
[[artifacts.tournament.rows]]
name = "first"
agent = "a"
seat = 1
reported = 0.5
[artifacts.protocol]
title = "Counted otherwise"
kind = "figure"
protocol = "counting"
rows = [{ name = "one", quantity = "mean", reported = 2.0 }]
[artifacts.idea]
title = "Not built"
kind = "table"
"""
PROTOCOL = """
from plyglass.experiments.results import RowResult
def run(scale, runner, workers, folder):
    return [RowResult("one", 1.0, 0.5, 1.5, int(10 * scale))]
"""

app = Typer()
app.command()(command)


def run(*words, code=0):
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == code, done.output
    return done.stdout if "--json" in words else done.output


@pytest.fixture
def by_hand(tmp_path):
    """A study in a folder of its own, as somebody would add it."""
    folder = tmp_path / "studies" / "by_hand"
    folder.mkdir(parents=True)
    (folder / "study.toml").write_text(HAND_MADE)
    (folder / "counting.py").write_text(PROTOCOL)
    return folder.parent


def test_the_list_has_the_artifacts_of_the_papers_and_ours():
    listed = json.loads(run("--json"))["artifacts"]
    assert len(READY) == 33 + 3  # table 3 of Pipan 2021 has a part for each of its four budgets
    assert all(each["ready"] for each in listed)
    assert {each["name"] for each in listed} == OURS | READY
    assert len(listed) == len(READY) + len(OURS)
    assert all(set(each) == {"name", "ready"} for each in listed)


def test_the_list_for_people_names_studies_and_states():
    shown = run()
    assert "pandemic/table-9" in shown
    assert "ready" in shown
    assert "to come" not in shown


def test_an_artifact_that_is_unknown_or_not_built_is_answered_with_a_sentence(by_hand):
    with pytest.raises(
        ValueError, match=r"There is no artifact 'pandemic/table-99'; .* reference-games/strength, "
    ):
        artifact_named("pandemic/table-99")
    with pytest.raises(
        ValueError,
        match=r"by-hand/idea is not built yet; these are ready: by-hand/tournament, "
        r"by-hand/protocol\.",
    ):
        artifact_named("by-hand/idea", by_hand)
    run("pandemic/table-99", code=2)
    run("reference-games/strength", "--record", "--recorded", code=2)


def test_a_mistake_in_a_study_is_named(by_hand):
    (by_hand / "by_hand" / "study.toml").write_text(HAND_MADE.replace("seat = 1", "chair = 1"))
    with pytest.raises(
        ValueError,
        match="a row has no entry 'chair'; it has name, quantity, measure, agent, game, "
        "seat, sides",
    ):
        artifacts(by_hand)


def test_a_row_can_be_the_mean_of_a_measure_of_the_settings():
    settings = Settings(
        games=("tic-tac-toe",),
        agents={"a": "random", "b": "random"},
        deals=2,
        measures=("length", "actions"),
    )
    depths = (
        (1.0, 2.0),
        (3.0, 4.0),
        (5.0, 6.0),
        (7.0, 8.0),
    )  # by seat; a sits first in the matches 0 and 2
    rows = [
        MatchRow(
            number,
            "played",
            -1,
            (1.0, -1.0),
            5,
            "",
            0.0,
            {"length": 5.0 + number, "actions@0": one, "actions@1": other},
        )
        for number, (one, other) in enumerate(depths)
    ]
    of_a, of_match = (
        TableRow("a", "measure", "actions", agent="a"),
        TableRow("all", "measure", "length"),
    )
    measures = [of_a, of_match, TableRow("seat", "measure", "actions", "b", seat=1)]
    found = {
        result.name: result for result in results_of(measures, values_of(settings, rows, measures))
    }
    assert (found["a"].ours, found["a"].n) == ((1 + 4 + 5 + 8) / 4, 4)
    assert (found["all"].ours, found["all"].n) == (6.5, 4)
    assert (found["seat"].ours, found["seat"].n) == (5.0, 2)
    with pytest.raises(ValueError, match="no agent played or measured it"):
        values_of(settings, rows, [TableRow("none", "measure", "depth")])
    with pytest.raises(ValueError, match="Name a measure if"):
        TableRow("odd", "measure")


def test_means_costs_and_times_stay_within_their_scales():
    settings = Settings(games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=2)
    rows = [
        MatchRow(number, "played", -1, scores, 5, "", 0.0, {}, (0.1 * number**4, 1.0))
        for number, scores in enumerate([(1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, -1.0)])
    ]
    table = [
        TableRow("mean", "mean", agent="a"),
        TableRow("cost", "cost", agent="a"),
        TableRow("seconds", "seconds", agent="a"),
    ]
    values = values_of(settings, rows, table)
    free = results_of(table, values)
    assert free[0].high > 1.0
    assert free[2].low < 0.0
    scales = {each.name: scale_of(settings, each) for each in table}
    mean, cost, seconds = results_of(table, values, scales=scales)
    assert (mean.low, mean.high, cost.low, cost.high) == (-1.0, 1.0, -1.0, 1.0)
    assert seconds.low == 0.0
    assert seconds.high == free[2].high


def test_a_row_can_be_of_one_seat_of_each_of_several_games():
    settings = Settings(
        games=("tic-tac-toe", "connect-four"), agents={"a": "random", "b": "random"}
    )
    rows = [
        MatchRow(number, "played", -1, (1.0, -1.0), 5, "", 0.0)
        for number in range(4 * settings.deals)
    ]  # the first always wins
    sides = ("tic-tac-toe@1", "connect-four@2")
    measures = [
        TableRow("a", agent="a", sides=sides),
        TableRow("first", agent="a", sides=sides[:1]),
        TableRow("all", agent="a"),
    ]
    found = [
        (result.ours, result.n)
        for result in results_of(measures, values_of(settings, rows, measures))
    ]
    assert found == [(0.5, 2 * settings.deals), (1.0, settings.deals), (0.5, 4 * settings.deals)]
    with pytest.raises(ValueError, match="name both the game and the seat"):
        TableRow("odd", agent="a", sides=sides, seat=1)


def test_every_seat_of_the_matrix_of_decks_is_in_one_cell():
    matrix = artifact_named("duelyst/matrix")
    assert matrix.settings["agents"].keys() == {
        "player",
        "starter AI",
        "starter AI itself",
        "starter AI against itself",
    }
    for agent in ("player", "starter AI itself"):
        sides = [side for row in matrix.rows if row.agent == agent for side in row.sides]
        assert sorted(sides) == sorted(
            f"{game}@{seat}" for game in matrix.settings["games"] for seat in (1, 2)
        )


def test_a_share_of_games_has_the_interval_of_a_rate():
    settings = Settings(
        games=("tic-tac-toe",),
        agents={"a": "random", "b": "random"},
        deals=10,
        measures=("length",),
    )
    rows = [
        MatchRow(number, "played", -1, (1.0, -1.0), 5, "", 0.0, {"length": float(number == 3)})
        for number in range(20)
    ]
    measures = [TableRow("share", "share", "length"), TableRow("mean", "measure", "length")]
    share, mean = results_of(measures, values_of(settings, rows, measures))
    assert share.ours == mean.ours == 0.05
    assert 0.0 < share.low < 0.05 < share.high
    assert mean.low < 0.0


def test_a_value_within_the_interval_agrees_and_one_outside_differs():
    inside, outside = (
        RowResult("a", 0.5, 0.4, 0.6, 100, 0.6),
        RowResult("b", 0.5, 0.4, 0.6, 100, 0.61),
    )
    unspread, new = RowResult("c", 1.0, None, None, 5, 0.9), RowResult("d", 0.5, 0.4, 0.6, 100)
    assert [result.verdict for result in (inside, outside, unspread, new)] == [
        "agrees",
        "differs",
        "undecided",
        "new",
    ]
    assert "as all games gave the same" in unspread.sentence
    once = RowResult("e", 1.0, None, None, 1, 0.9)
    assert (once.interval, "as there was one run" in once.sentence) == ("one run", True)
    assert worst_of({inside.verdict, new.verdict}) == "agrees"
    assert worst_of({inside.verdict, unspread.verdict, new.verdict}) == "undecided"
    assert worst_of({inside.verdict, outside.verdict, unspread.verdict}) == "differs"
    assert worst_of({new.verdict}) == "new"
    assert (
        outside.sentence
        == "b: ours is 0.5000 (0.4000 to 0.6000, 100 games); the reported 0.61 lies outside "
        "our interval."
    )


def test_a_reported_value_is_shown_with_its_standard_error():
    results = RowResult("a", 0.5, 0.4, 0.6, 100, 0.6), RowResult("b", 0.5, 0.4, 0.6, 100, 0.7, 0.1)
    artifact = artifact_named("reference-games/strength")
    plain, both = (
        readme.table_of(Reproduction(artifact, shown, 1.0, 100)) for shown in (results[:1], results)
    )
    assert "| reported | verdict |" in plain
    assert "| reported ± standard error | verdict |" in both
    assert "| a | 0.5000 | 0.4000 to 0.6000 | 100 | 0.6 | agrees |" in both
    assert "| b | 0.5000 | 0.4000 to 0.6000 | 100 | 0.7 ± 0.1 | agrees |" in both


def test_a_game_that_is_played_twice_counts_once():
    assert interval_of_rate([[1.0, 1.0]] * 60 + [[0.0, 0.0]] * 40)[1:] == pytest.approx(
        wilson(60, 100)
    )
    assert interval_of_rate([[1.0]] * 60 + [[0.0]] * 40)[1:] == pytest.approx(wilson(60, 100))
    independent = [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]] * 25
    _, low, high = interval_of_rate(independent)
    assert high - low == pytest.approx(wilson(100, 200)[1] - wilson(100, 200)[0], rel=0.01)
    assert interval_of_rate([[1.0, 1.0]] * 10)[1] == pytest.approx(wilson(10, 10)[0])
    assert interval_of_means([[1.0, 3.0], [1.0, 3.0]]) == (2.0, None, None)


class Interrupted(Exception):
    pass


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_a_run_that_was_stopped_goes_on_and_gives_the_same_rows(by_hand, tmp_path):
    artifact = artifact_named("by-hand/tournament", by_hand)
    expected = reproduce(artifact, tmp_path / "whole", scale=0.5)
    assert (expected.games, expected.results[0].n) == (40, 20)

    def stop(progress):
        raise Interrupted

    with pytest.raises(Interrupted):
        reproduce(artifact, tmp_path / "parts", scale=0.5, on_progress=stop)
    stored = []
    assert (
        reproduce(
            artifact,
            tmp_path / "parts",
            scale=0.5,
            on_progress=lambda each: stored.append(each.stored),
        )
        == expected
    )
    assert stored[0] > 1  # what had been played was not played again
    with pytest.raises(ValueError, match="At scale 0 nothing is played"):
        reproduce(artifact, tmp_path, scale=0)


@pytest.mark.skipif(not JIT, reason="too long for interpreted code")
def test_the_command_writes_table_figure_and_section_and_prints_json(tmp_path):
    words = (
        "reference-games/kuhn-random",
        "--scale",
        "0.005",
        "--runner",
        "serial",
        "--out",
        str(tmp_path),
        "--json",
    )
    printed = json.loads(run(*words))
    assert set(printed) == {"artifact", "rows", "verdict", "sentence"}
    assert set(printed["rows"][0]) == {"name", "ours", "low", "high", "n", "reported"}
    assert printed["rows"][0]["n"] == 100
    assert json.loads(run(*words)) == printed
    assert (tmp_path / "reference-games" / "kuhn-random" / "table.md").read_text().count("\n") == 3
    assert (tmp_path / "reference-games" / "README.md").read_text().count("## kuhn-random") == 1


def test_a_protocol_does_what_a_tournament_cannot(by_hand, tmp_path):
    artifact = artifact_named("by-hand/protocol", by_hand)
    done = reproduce(artifact, tmp_path / "out", scale=3)
    assert done.results == (RowResult("one", 1.0, 0.5, 1.5, 30, 2.0),)
    assert done.verdict == "differs"
    (by_hand / "by_hand" / "counting.py").write_text(PROTOCOL.replace('"one"', '"two"'))
    with pytest.raises(ValueError, match="has the rows one, but these were measured: two"):
        reproduce(artifact, tmp_path / "out")


def test_a_result_is_recorded_and_read_back(by_hand, tmp_path):
    artifact = artifact_named("by-hand/protocol", by_hand)
    with pytest.raises(ValueError, match="has no recorded result"):
        recorded.recorded(artifact)
    done = reproduce(artifact, tmp_path / "out")
    recorded.record(done)
    assert recorded.recorded(artifact) == done


@pytest.mark.parametrize(
    "name",
    sorted(name for name in OURS | READY if recorded.path_of(artifact_named(name)).is_file()),
)
def test_recorded_results_are_drawn_again_without_playing(name, tmp_path, monkeypatch):
    monkeypatch.setattr(Serial, "events", None)
    printed = json.loads(
        run(name, "--recorded", "--out", str(tmp_path), "--runner", "serial", "--json")
    )
    artifact = artifact_named(name)
    values = json.loads(recorded.path_of(artifact).read_text())
    assert [row["ours"] for row in printed["rows"]] == [row["ours"] for row in values["rows"]]
    assert values["command"] == f"plyglass reproduce {name} --scale {values['scale']:g}"
    assert values["games"] > 0
    assert values["plyglass"]
    assert not recorded.is_stale(recorded.recorded(artifact))
    section = readme.section_of(recorded.recorded(artifact))
    assert (
        section in readme.recorded_readme(artifact).read_text()
    )  # the README in the repository shows what is recorded


def test_without_matplotlib_there_is_a_table_and_no_figure(tmp_path, monkeypatch):
    monkeypatch.setattr("plyglass.experiments.figures.importlib.util.find_spec", lambda name: None)
    shown = run("reference-games/strength", "--recorded", "--out", str(tmp_path))
    assert "pip install 'plyglass[plot]'" in shown.replace("\n", " ")
    assert not list(tmp_path.rglob("*.png"))


def test_a_figure_is_drawn_where_matplotlib_is(tmp_path):
    pytest.importorskip("matplotlib")
    run("reference-games/strength", "--recorded", "--out", str(tmp_path))
    assert (tmp_path / "reference-games" / "strength" / "figure.png").stat().st_size > 5000


@pytest.mark.parametrize(
    ("game", "artifact", "name"),
    [
        ("duelyst", "duelyst/champion", "player"),
        ("pandemic", "pandemic/champion", "champion"),
        ("tubstap", "fog-of-war/stronger", "plan tournament"),
    ],
)
def test_a_person_who_names_nobody_plays_with_the_agent_that_is_measured(game, artifact, name):
    assert artifact_named(artifact).settings["agents"][name] == pg.games.find(game).opponent
