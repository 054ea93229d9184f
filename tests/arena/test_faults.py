"""Faults of players and of rules: each has its status, its seat and one sentence, everywhere."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyglass.arena import first_pass
from plyglass.arena.tournament.driver import VoidMatch
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.core import check
from plyglass.core.compile import JIT
from plyglass.extensions import class_at
from plyglass.report.standings import standings
from tests.arena.tournaments import BAD, run
from tests.sizes import sized

pytestmark = pytest.mark.skipif(not JIT, reason="too long for interpreted code")

GAMES = Path(__file__).parent / "bad_games.py"
PLAYERS = {  # status, and words of the sentence
    "ReturnsNone": ("crashed", "returned None from decide"),
    "ReturnsText": ("crashed", "returned 'the first' from decide"),
    "ReturnsFloat": ("crashed", "returned 0.0 from decide"),
    "ReturnsAction": ("crashed", "returned 0 from decide"),
    "DecidesForFloat": ("illegal", "which is no whole number"),
    "PlaysNan": ("illegal", "decided for nan"),
    "PlaysIllegally": ("illegal", "played illegally"),
    "ValuesAreText": ("crashed", "values are not numbers"),
    "CallsExit": ("crashed", "raised SystemExit: 0"),
    "Interrupts": ("crashed", "raised KeyboardInterrupt"),
    "ClosesDescriptors": ("crashed", "closed descriptors 0, 1, 2"),
    "RaisesInObserve": ("crashed", "RuntimeError: I cannot look"),
    "RaisesInTakeSeat": ("crashed", "RuntimeError: I will not sit"),
    "TakesNoSeat": ("crashed", "returned 7 from take_seat"),
    "OddError": ("crashed", "raised Unprintable: (its text cannot be made)"),
    "Prints": ("played", ""),
}
HANGING = {"Spins": ("hung", "")}
RULES = {
    "IsNan": "the rule score gives player 1 nan",
    "OutOfRange": "the rule score gives player 1 12, outside of the declared 0 to 1",
}


def players(*names):
    return {"good": "random", **{name: f"{BAD}@{name}:bad_turn=2" for name in names}}


def check_players(settings, rows, wanted):
    schedule = Schedule(settings)
    assert len(rows) == 2 * len(wanted)
    for row in rows:
        agents = schedule[row.number].agents
        name = next(each for each in agents if each != "good")
        status, _ = wanted[name]
        assert row.status == status, name
        assert row.offender == (-1 if status == "played" else agents.index(name))


def check_games(settings, rows, wanted):
    schedule = Schedule(settings)
    for row in rows:
        game = settings.games[schedule[row.number].game].rpartition("@")[2]
        assert row.status == wanted[game], game


@pytest.mark.parametrize("runner", ["serial", "processes"])
def test_faults_of_players_are_theirs_and_the_run_goes_on(runner, tmp_path, capfd):
    wanted = PLAYERS | (HANGING if runner == "processes" else {})
    settings = Settings(
        games=("tic-tac-toe",),
        agents=players(*wanted),
        meeting="gauntlet",
        deals=1,
        hang_seconds=4.0,
    )
    sentences = []
    _, rows = run(settings, tmp_path, runner, 2, 3, sentences.append)
    check_players(settings, rows, wanted)
    assert len(sentences) == len(set(sentences))
    for name, (_, words) in wanted.items():
        if words:
            assert [words in each for each in sentences if each.startswith(f"{name}: ")] == [True]
    faults = {line.agent: line.faults for line in standings(settings, rows)}
    assert faults == {"good": 0, **{name: 2 * (wanted[name][0] != "played") for name in wanted}}
    if runner == "processes":
        assert "I " not in capfd.readouterr().out


@pytest.mark.parametrize("runner", ["serial", "processes"])
def test_matches_are_void_if_the_rules_fail(runner, tmp_path, capfd):
    settings = Settings(
        games=tuple(f"{GAMES}@{name}" for name in ("Fair", *RULES)),
        agents={"a": "uct:iterations=20", "b": "random"},
        deals=3,
    )
    with pytest.warns(VoidMatch) as told:
        outcome, rows = run(settings, tmp_path, runner, 2)
    check_games(settings, rows, {"Fair": "played", **dict.fromkeys(RULES, "void")})
    assert len(rows) == 18
    assert len(outcome.void) == 12
    assert {row.offender for row in rows} == {-1}
    sentences = [str(each.message) for each in told if each.category is VoidMatch]
    assert len(sentences) == len(RULES)
    for name, words in RULES.items():
        assert [words in each for each in sentences if f"@{name}:" in each] == [True]
    assert all(line.games == 6 for line in standings(settings, rows) if line.games)
    assert "Traceback" not in "".join(capfd.readouterr())


def test_a_rule_that_never_ends_does_not_hold_up_the_others(tmp_path):
    settings = Settings(
        games=(f"{GAMES}@NeverEnds", f"{GAMES}@Fair"),
        agents={"a": "random", "b": "random"},
        deals=1,
        hang_seconds=1.0,
    )
    began = time.monotonic()
    _, rows = run(settings, tmp_path, "processes", 2)
    assert len(rows) == 4
    check_games(settings, rows, {"NeverEnds": "hung", "Fair": "played"})
    assert time.monotonic() - began < 60


# -- the commands

SEVERAL = """
import io, json, sys
from contextlib import redirect_stderr
from plyglass.cli import app
found = {}
for name in sys.argv[1:]:
    with redirect_stderr(io.StringIO()) as said:
        try:
            words = ["match", "tic-tac-toe", "random", name, "--games", "2"]
            code = app(words, standalone_mode=False)
        except BaseException as error:
            code = repr(error)
        found[name] = code, said.getvalue()
print(json.dumps(found))
"""


def test_match_says_in_one_sentence_what_a_player_did(tmp_path):
    names = {f"{BAD}@{name}:bad_turn=2": name for name in PLAYERS if name != "Prints"}
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL, *names], capture_output=True, text=True, check=True
    )
    for text, (code, said) in json.loads(done.stdout.splitlines()[-1]).items():
        status, words = PLAYERS[names[text]]
        said = " ".join(said.split())
        assert code == 2, (text, code, said)
        assert words in said
        assert said.count("error:") == 1
        assert "Traceback" not in said
        assert ("played illegally" in said) == (status == "illegal")


def command(*words, seconds=100.0, **environment):
    return subprocess.run(
        [sys.executable, "-m", "plyglass", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        env={**os.environ, **environment},
    )


def test_a_rule_that_raises_makes_the_match_void_in_checked_code():
    words = ("match", f"{GAMES}@Raises", "random", "uct:iterations=20", "--unchecked")
    done = command(*words, NUMBA_BOUNDSCHECK="1")
    said = " ".join(done.stderr.split())
    assert done.returncode == 2
    assert "is void after" in said
    assert "a rule raised IndexError" in said
    assert "at this position the rule apply raises" in said
    assert said.count("IndexError") == 2
    assert "Traceback" not in said


def test_what_players_print_stays_out_of_the_json():
    done = command("match", "tic-tac-toe", "random", f"{BAD}@Prints", "--games", 2, "--json")
    assert json.loads(done.stdout)["games"] == 2
    for words in ("I think", "I write", "I echo"):
        assert words in done.stderr


def test_a_watchdog_ends_a_match_that_hangs():
    began = time.monotonic()
    done = command("match", "tic-tac-toe", "random", f"{BAD}@Spins", "--hang-seconds", 1)
    assert done.returncode < 0
    assert "Seat 2 of game 1 has made no step for 1 s" in done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - began < 60


FAULTY = [
    ("WritesOutside", ("rule apply", "index 4000", "field 'board'", "bad_games.py, line 57")),
    ("WritesMany", ("rule legal", "bad_games.py, line 66")),
    ("Raises", ("rule apply", "tuple index out of range", "bad_games.py, line 88")),
    ("IsNan", ("score of nan",)),
    ("NeverEnds", ("rule legal does not end", "bad_games.py, line 77")),
]


@pytest.mark.parametrize(("name", "words"), FAULTY[: sized(1, len(FAULTY))])
def test_faulty_rules_are_refused_before_a_match(name, words, tmp_path):
    game = f"{GAMES}@{name}"
    (tmp_path / "run.toml").write_text(
        f'games = ["{game}"]\ndeals = 1\n[agents]\na = "random"\nb = "random"\n'
    )
    runs = [("match", game, "random", "random", "--games", 2)]
    if name == "WritesOutside":
        tournament = ("tournament", tmp_path / "run.toml", "--out", tmp_path)
        runs = sized([("play", game, "random")], [*runs, ("play", game, "random"), tournament])
    for words_given in runs:
        done = command(*words_given)
        said = " ".join(done.stderr.split())
        assert done.returncode == 2, (words_given, said)
        assert "are faulty" in said
        assert "--unchecked" in said
        assert "Traceback" not in said
        assert all(word in said for word in words), said


def test_check_names_a_rule_that_never_ends(monkeypatch):
    monkeypatch.setattr(check, "HANG_SECONDS", 0.5)
    report = check.check(class_at(f"{GAMES}@NeverEnds")())
    assert report.failed == "the rules keep their contract, interpreted"
    assert report.findings[0].problem == "a rule does not end"
    assert report.findings[0].place.endswith("bad_games.py, line 77")


def test_a_watchdog_ends_a_check_whose_compiled_rules_never_end():
    program = (
        "import sys; from plyglass.__main__ import main; from plyglass.cli import examine; "
        "examine.RULE_SECONDS = 10.0; sys.argv[1:] = ['check', sys.argv[1]]; main()"
    )
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", program, f"{GAMES}@NeverEndsCompiled"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode < 0
    assert "The rule legal has not ended for 10 s, so the check was ended." in done.stderr
    assert "Traceback" not in done.stderr
    assert time.monotonic() - began < 60


def test_a_game_that_has_passed_is_not_looked_at_again(tmp_path, monkeypatch):
    looked = []
    monkeypatch.setenv("PLYGLASS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(first_pass, "_looked_at", lambda text: looked.append(text) or "")
    monkeypatch.setattr(sys, "path", list(sys.path))
    texts = []
    for number, prices in enumerate(("(1, 2, 3)", "(1, 2, 4)")):
        file = tmp_path / f"own_game_{number}.py"
        file.write_text(GAMES.read_text().replace("PRICES = (1, 2, 3)", f"PRICES = {prices}"))
        texts.append(f"{file}@Fair")
        first_pass.refuse_faulty_rules(texts[-1])
        first_pass.refuse_faulty_rules(texts[-1])
    first_pass.refuse_faulty_rules("tic-tac-toe")
    assert looked == texts
    monkeypatch.setattr(first_pass, "_looked_at", lambda text: "the rule apply is odd")
    for _ in range(2):
        with pytest.raises(first_pass.FaultyRules, match="the rule apply is odd"):
            first_pass.refuse_faulty_rules(f"{GAMES}@Raises")
