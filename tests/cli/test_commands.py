"""Every command, as a user runs it."""

import json
import subprocess
import sys

import pexpect
import pytest

import plyglass as pg
from plyglass.core import library


def run(*words, code=0):
    done = subprocess.run(
        [sys.executable, "-m", "plyglass", *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stdout + done.stderr


def test_games_are_listed_without_importing_numba():
    listed = json.loads(run("games", "--json"))
    assert sorted(listed) == pg.games.names()
    assert all(listed.values())
    code = (
        "import sys; from plyglass.cli import app\ntry: app(['games'])\nexcept SystemExit: "
        "pass\nassert not {'numba', 'numpy', 'importlib.metadata'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_help_shows_whole_summaries_and_imports_no_command():
    from plyglass.cli import COMMANDS

    shown = run("--help")
    assert all(f"  {name}  " in shown and says in shown for name, (_, says) in COMMANDS.items())
    assert all(len(says) <= 60 and says.endswith(".") for _, says in COMMANDS.values())
    code = (
        "import sys; from plyglass.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "assert not {'numpy', 'plyglass.cli.match', 'rich.console'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_misspelt_command_is_answered_by_the_right_one():
    assert "Did you mean 'match'" in run("mtach", code=2)


def test_the_version_is_printed():
    assert run("--version").strip() == f"plyglass {pg.__version__}"


def test_a_game_shows_its_rules_and_parameters():
    assert "goal" in run("games", "pig")
    assert json.loads(run("games", "pig", "--json"))["parameters"]["goal"] == 100


def test_a_planner_shows_its_parameters_source_and_limits():
    shown = run("planners", "uct")
    assert "Kocsis" in shown
    assert "cannot reason about what others know" in " ".join(shown.split())
    assert "exploration" in shown
    assert json.loads(run("planners", "uct", "--json"))["parameters"]["exploration"] == 0.7
    assert json.loads(run("planners", "pimc", "--json"))["parameters"]["inner"] == "uct"


def test_a_planner_shows_the_parameters_of_its_parts():
    shown = json.loads(run("planners", "plan-tournament", "--json"))["parameters"]
    assert (shown["plans"], shown["turn.beam"], shown["simulation.playout"]) == (16, 0, "playout")
    assert json.loads(run("planners", "uct", "--json"))["parameters"]["playout.turns"] == 0
    assert {"random", "uct"} <= set(json.loads(run("planners", "--json")))


def test_a_match_reports_rate_interval_and_number_of_games():
    result = json.loads(
        run(
            "match",
            "connect-four",
            "uct:iterations=200",
            "random",
            "--games",
            "10",
            "--seed",
            "3",
            "--json",
        )
    )
    assert result["wins"] + result["draws"] + result["losses"] == 10
    assert result["low"] <= result["rate"] <= result["high"]
    shown = run("match", "tiger:steps=5", "uct:iterations=50", "--games", "4")
    assert "95 % interval" in shown


def test_a_match_is_the_same_for_the_same_seed():
    words = (
        "match",
        "duel",
        "uct:iterations=20",
        "random",
        "--games",
        "4",
        "--seed",
        "8",
        "--json",
    )
    one, other = json.loads(run(*words)), json.loads(run(*words))
    assert one["scores"] == other["scores"]


def test_a_mistake_is_answered_with_a_sentence_and_no_traceback():
    said = run("match", "conect-four", "uct", "random", code=2)
    assert "There is no game 'conect-four'" in said
    assert "Traceback" not in said
    assert "give as many agents" in run("match", "tiger", "uct", "uct", code=2)


def test_check_says_that_a_good_game_is_good():
    assert json.loads(run("check", "kuhn-poker", "--games", "3", "--json"))["ok"] is True


def test_golden_playthroughs_are_as_recorded():
    assert set(json.loads(run("golden", "--json")).values()) == {"same"}


def test_the_cache_is_shown_and_cleared(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGLASS_CACHE", str(tmp_path / "cache"))
    library.keep(tmp_path / "cache" / "small-0123" / "small.o", b"machine code")
    assert json.loads(run("cache", "--json"))["files"] == 1
    assert json.loads(run("cache", "clear", "--json"))["cleared"] is True
    assert json.loads(run("cache", "--json"))["files"] == 0
    monkeypatch.setenv("PLYGLASS_CACHE", "0")
    assert "off" in run("cache")


def test_a_person_plays_in_a_terminal(tmp_path):
    saved = tmp_path / "game.json"
    command = f"-m plyglass play tic-tac-toe uct:iterations=300 --seed 4 --save {saved}"
    game = pexpect.spawn(
        sys.executable, command.split(), encoding="utf-8", timeout=240, dimensions=(40, 100)
    )
    game.expect("You are")
    prompt = "your action"
    game.expect(prompt)
    game.sendline("?")
    game.expect("Your 9 actions, by name")
    game.expect(prompt)
    game.sendline("nonsense")
    game.expect("is not one of your actions")
    game.expect(prompt)
    game.sendline("#1")
    game.expect("plays")
    game.expect(prompt)
    game.sendline("v")
    game.expect("thought")
    game.expect("visits")
    while game.expect([prompt, "You won!", "You lost.", "A draw."]) == 0:
        game.sendline("#1")
    game.expect("the game is over")
    game.sendline("")
    game.expect(pexpect.EOF)
    pg.verify(pg.Record.load(saved))


def test_a_person_can_leave(tmp_path):
    game = pexpect.spawn(
        sys.executable,
        ["-m", "plyglass", "play", "connect-four", "--seed", "4"],
        encoding="utf-8",
        timeout=240,
    )
    game.expect("against the hard level")
    game.expect("your action")
    game.sendline("q")
    game.expect("You left the game")
    game.expect(pexpect.EOF)
    game.close()
    assert game.exitstatus == 0


@pytest.mark.parametrize(
    "words", [["play", "connect-four", "uct", "--seat", "3"], ["play", "nothing"]]
)
def test_an_impossible_game_is_refused(words):
    assert "error:" in run(*words, code=2)
