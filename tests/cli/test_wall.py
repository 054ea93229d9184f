"""The command that looks at the glass wall."""

import json

from typer.testing import CliRunner

from plyglass.cli import app

GAMES = ("--game", "kuhn-poker", "--game", "duel")


def run(*words, code=0):
    done = CliRunner().invoke(app, ["wall", *GAMES, "--iterations", "4", *words])
    assert done.exit_code == code, done.output
    return done.output


def test_the_table_has_a_row_for_each_game_and_a_column_for_each_planner():
    shown = run("--planner", "uct", "--planner", "representative-moves", "--points", "6")
    assert all(f"belief {name}" in shown for name in ("fresh", "particles", "tracks", "exact"))
    assert shown.count("0 / 6") == 8  # uct, the opponent of Kuhn poker, is in two tables
    assert "kuhn-poker names no representative moves" in " ".join(shown.split())


def test_it_goes_on_where_it_stopped(tmp_path):
    words = ("--planner", "random", "--out", str(tmp_path / "wall.json"), "--json")
    few = json.loads(run(*words, "--points", "3"))
    assert [cell["points"] for cell in few] == [3, 3]
    more = json.loads(run(*words, "--points", "5"))
    assert [cell["points"] for cell in more] == [5, 5]
    assert (
        json.loads(run(*words, "--points", "4"))
        == more
        == json.loads((tmp_path / "wall.json").read_text())
    )


def test_a_planner_that_does_not_exist_is_answered_with_a_sentence():
    run("--planner", "oracle", code=2)
