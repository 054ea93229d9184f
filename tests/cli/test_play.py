"""A person at the terminal, with an adviser beside him."""

import os
import pty
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.cli import app
from plyglass.cli.clock import TurnClock, comes_within
from plyglass.cli.person import marked_changes, thoughts
from plyglass.search.interface import Decision

PROMPT = "your action (? for help): "  # nobody ends its line here, as a person does with a key
ADVICE = ("--advice", "uct:iterations=200")


def run(*words, said, code=0):
    done = CliRunner().invoke(
        app, ["play", *map(str, words)], input="\n".join(said) + "\n", env={"COLUMNS": "100"}
    )
    assert done.exit_code == code, done.output
    return done.output.replace(PROMPT, "\n")


def test_an_adviser_speaks_before_each_decision_and_no_other(tmp_path):
    output = run(
        "tic-tac-toe",
        "random",
        "--seed",
        4,
        *ADVICE,
        "--save",
        tmp_path / "game.json",
        said=[f"#{n}" for n in (1, 1, 1, 1, 1)],
    )
    record = pg.Record.load(tmp_path / "game.json")
    own = [move for move in record.moves if move["player"] == 0]
    several = len(own) - (len(record.moves) == 9)  # the ninth move is the only one left
    assert output.count("uct:iterations=200 advises (200 iterations") == several
    assert record.players[0] == "person:somebody advised by uct:iterations=200", (
        "a record tells who was advised"
    )
    pg.verify(record)


def test_the_best_advice_is_on_top_and_goes_by_the_numbers_to_type():
    output = run("tic-tac-toe", "random", "--seed", 4, *ADVICE, said=["q"])
    game = pg.game_from("tic-tac-toe")
    view = game.start(0).hide(0)
    lines = output[output.index("advises") :].splitlines()[2:]
    listed = [line.split()[:2] for line in lines if line.startswith("#")]
    assert sorted(listed) == sorted(
        [f"#{number + 1}", game.action_name(action)] for number, action in enumerate(view.legal())
    )
    visits = [int(line.split()[-1]) for line in lines if line.startswith("#")]
    assert sum(visits) == 200
    assert visits[1:] == sorted(visits[1:], reverse=True)


def test_advice_changes_nothing_that_others_do(tmp_path):
    said = [f"#{number}" for number in (1, 1, 1, 1, 1)]
    records = []
    for number, advice in enumerate(((), ADVICE)):
        run(
            "tic-tac-toe",
            "uct:iterations=50",
            "--seed",
            3,
            *advice,
            "--save",
            tmp_path / f"{number}.json",
            said=said,
        )
        records.append(pg.Record.load(tmp_path / f"{number}.json"))
    assert records[0].moves == records[1].moves


def test_there_is_advice_in_games_with_secrets():
    output = run(
        "kuhn-poker", "random", "--seed", 1, "--advice", "so-ismcts:iterations=100", said=["q"]
    )
    assert "so-ismcts:iterations=100 advises (100 iterations" in output
    assert "#1  pass" in output


def test_a_turn_is_ended_when_its_time_is_over(tmp_path):
    output = run(
        "duel",
        "random",
        "--seed",
        3,
        "--timer",
        "1e-9",
        "--save",
        tmp_path / "game.json",
        said=[""],
    )
    record, game = pg.Record.load(tmp_path / "game.json"), pg.game_from("duel")
    own = [game.action_name(move["action"]) for move in record.moves if move["player"] == 0]
    assert len(own) > 1
    assert set(own) == {"end turn"}
    assert output.count("Your time is over") == len(own)


def test_time_is_counted_by_the_turn():
    seconds = iter([100.0, 130.0, 195.0, 300.0, 300.0])
    clock = TurnClock(90.0, lambda: next(seconds))
    assert clock.left is None
    clock.start()
    assert clock.left == 60.0
    clock.start()  # another decision of the same turn
    assert clock.left == 0.0
    clock.stop()
    clock.start()
    assert clock.left == 90.0
    assert TurnClock().left is None
    with pytest.raises(ValueError, match="leaves no time to play"):
        TurnClock(0.0)


def test_who_types_is_waited_for_as_long_as_there_is_time():
    typing, terminal = pty.openpty()
    with os.fdopen(terminal) as stream:
        assert not comes_within(stream, 0.05)
        os.write(typing, b"end turn\n")
        assert comes_within(stream, 5.0)
        assert stream.readline() == "end turn\n"
    os.close(typing)
    with Path(os.devnull).open() as file:
        assert comes_within(file, 0.0), "nobody types into a file"


def test_the_time_that_is_left_is_told():
    output = run("tic-tac-toe", "random", "--timer", "60", said=["q"])
    assert "(? for help, 60 s left)" in output


def test_a_newcomer_is_told_what_the_game_is_about():
    assert "Drop discs into seven columns; four in a row wins." in run(
        "connect-four", "random", said=["q"]
    )


def test_who_is_told_the_truth_is_no_adviser():
    said = run(
        "kuhn-poker", "random", "--advice", "uct:iterations=50,belief=truth", said=["q"], code=2
    )
    assert "must see only what you see" in " ".join(said.split())


def test_a_part_of_a_name_finds_actions():
    output = run("pandemic:preset=thesis", "--seed", 1, said=["CHICAGO", "nowhere", "q"])
    found = output[
        output.index("Your actions with 'chicago'") : output.index(
            "nowhere is not one of your actions"
        )
    ]
    listed = [line for line in found.splitlines() if line.startswith("#")]
    assert listed
    assert all("Chicago" in line for line in listed)


def test_words_in_any_place_find_actions():
    output = run("tubstap:map=riverbend", "random", "--seed", 1, said=["b7 b2", "B2 b", "q"])
    first, second = output[output.index("Your actions with 'b7 b2'") :].split(
        "Your actions with 'b2 b'"
    )
    assert re.findall(r"#(\d+) +(\w+ \w+ \w+)", first) == [("23", "b2 to b7")]
    assert len(re.findall(r"#\d+", second)) == 23, "all that begins with b2"


def test_what_has_changed_since_it_was_shown_stands_out():
    marked = marked_changes("a P10 .\n. P1\nturn 2", "a P10 .\nP1 P10\nturn 1")
    assert [marked.plain[span.start : span.end] for span in marked.spans] == [".", "P1", "2"]
    assert marked_changes("new\nline", "new").spans[0].start == len("new\n")
    assert not marked_changes("first", "").spans


@pytest.mark.parametrize(
    ("values", "visits", "order"),
    [
        ((), (), [1, 0, 2, 3]),
        ((0.1, 0.2, None, 0.3), (), [1, 3, 0, 2]),
        ((), (1, 5, 2, 9), [1, 3, 2, 0]),
    ],
)
def test_a_choice_comes_first_also_of_planners_that_only_choose_or_only_value(
    values, visits, order
):
    assert [action for action, _, _ in thoughts(Decision(1, (0, 1, 2, 3), values, visits))] == order


@pytest.mark.parametrize("agent", ["policy", "rollout:iterations=20"])
def test_a_person_plays_pandemic_with_advice_within_a_hundred_columns(agent):
    output = run("pandemic:preset=thesis", "--seed", 1, "--advice", agent, said=["#1", "#1", "q"])
    assert output.count(" advises (") == 3
    assert max(map(len, output.splitlines())) <= 100
