"""A person at the terminal: what they type, what they see, and who advises them."""

import os
import pty
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

import plyglass as pg
from plyglass.cli import app
from plyglass.cli.choices import Choices
from plyglass.cli.clock import TurnClock, comes_within
from plyglass.cli.levels import opponent_name
from plyglass.cli.person import Person
from plyglass.cli.play import seed_for
from plyglass.cli.screen import marked_changes, thoughts
from plyglass.cli.session import Session
from plyglass.core.seeds import is_secret
from plyglass.search.interface import Decision

PROMPT = "your action (? for help): "  # nobody ends its line here, as a person does with a key
ADVICE = ("--advice", "uct:iterations=200")


def run(*words, said, code=0):
    done = CliRunner().invoke(
        app, ["play", *map(str, words)], input="\n".join(said) + "\n", env={"COLUMNS": "100"}
    )
    assert done.exit_code == code, done.output
    return done.output.replace(PROMPT, "\n")


def refusal(*words):
    """What the command says as it refuses, in one line: where lines break depends on paths."""
    return " ".join(run(*words, said=[], code=2).split())


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
    told = " ".join(run("connect-four", "random", said=["q"]).split())
    assert "Drop discs into seven columns; four in a row wins." in told


def test_who_is_told_the_truth_is_no_adviser():
    said = run(
        "kuhn-poker", "random", "--advice", "uct:iterations=50,belief=truth", said=["q"], code=2
    )
    assert "must see only what you see" in " ".join(said.split())


def test_a_part_of_a_name_finds_actions():
    output = run("pandemic:preset=thesis", "--seed", 1, said=["CHICAGO", "nowhere", "q"])
    found = output[
        output.index("of your actions have 'chicago'") : output.index(
            "nowhere is not one of your actions"
        )
    ]
    assert found.count("#") == found.count("Chicago") > 1


def test_the_only_action_that_words_fit_is_played_at_once():
    output = run("tubstap:map=riverbend", "random", "--seed", 1, said=["b7 b2", "q"])
    assert "You play b2 to b7." in output
    assert "of your actions have" not in output
    assert output.count("you are red") == 2


def test_whole_words_count_before_their_parts():
    view = pg.game_from("tubstap:map=riverbend").start(1).hide(0)
    choices = Choices(view)
    names = {choice.name for choice in choices.having("b1")}
    assert names
    assert all("b1" in name.split() for name in names)
    assert {choice.name for choice in choices.having("stay")} == {
        choice.name for choice in choices.all if choice.name.endswith("stay")
    }


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


def test_an_action_is_taken_back_and_the_game_is_unrated(tmp_path):
    saved = tmp_path / "game.json"
    output = run(
        "tic-tac-toe",
        "uct:iterations=20",
        "--seed",
        3,
        "--save",
        saved,
        said=["u", "5", "u", "1", "u 9", "undo", *["#1"] * 5],
    )
    assert "You have no action to take back." in output
    assert "You can take back at most 1 actions." in output
    assert output.count("you are X, unrated, 2 actions taken back") >= 2
    assert "The game is unrated, 2 actions taken back." in output
    record = pg.Record.load(saved)
    assert (record.undone, record.resumed) == (2, (0,))
    assert record.moves[0]["action"] == 0
    pg.verify(record)


def test_a_game_that_is_over_can_be_taken_back_and_ends_otherwise(tmp_path):
    saved = tmp_path / "game.json"
    said = ["1", "2", "3", *["#1"] * 3]
    first = run("tic-tac-toe", "random", "--seed", 2, "--save", saved, said=said)
    before = pg.Record.load(saved)
    own = sum(move["player"] == 0 for move in before.moves)
    run("tic-tac-toe", "random", "--seed", 2, "--save", saved,
        said=[*said[:own], "u", "#2", *["#1"] * 5])  # fmt: skip
    after = pg.Record.load(saved)
    assert "the game is over" in first
    assert not before.undone
    assert after.undone == 1
    common = [move["action"] for move in before.moves][: after.resumed[0]]
    assert [move["action"] for move in after.moves][: after.resumed[0]] == common
    pg.verify(after)


def test_a_game_is_saved_and_resumed_to_the_same_end(tmp_path):
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    said = ["1", "2", "3", *["#1"] * 4]
    run(
        "tic-tac-toe", "uct:iterations=20", "--seed", 3, "--name", "Ada", "--save", whole, said=said
    )
    left = run("tic-tac-toe", "uct:iterations=20", "--seed", 3, "--name", "Ada", *ADVICE,
               said=["1", f"s {parts.with_suffix('')}", "q"])  # fmt: skip
    assert f"plyglass play {parts} resumes it" in left.replace("\n", " ")
    assert not pg.Record.load(parts).over
    resumed = run(parts, said=said[1:])
    assert "unrated, resumed" in resumed
    assert "uct:iterations=200 advises" in resumed
    one, other = pg.Record.load(whole), pg.Record.load(parts)
    assert [move["action"] for move in one.moves] == [move["action"] for move in other.moves]
    assert other.players[0] == "person:Ada advised by uct:iterations=200"
    pg.verify(other)
    assert "is over" in refusal(parts)


def test_leaving_a_game_with_a_file_saves_it(tmp_path):
    saved = tmp_path / "new" / "game.json"
    output = run("tic-tac-toe", "random", "--seed", 3, "--save", saved, said=["5", "q"])
    assert "resumes it" in output
    assert [move["player"] for move in pg.Record.load(saved).moves] == [0, 1]
    assert "It is not saved" in run("tic-tac-toe", "random", said=["5", "q"])


def test_a_file_that_is_no_saved_game_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("[]")
    assert "is not a record" in refusal(tmp_path / "x.json")
    assert "There is no file" in refusal(tmp_path / "none.json")
    assert "only --save and" in refusal(tmp_path / "x.json", "random")


def test_the_screen_is_drawn_again():
    output = run("tic-tac-toe", "random", said=["r", "", "redraw", "q"])
    assert output.count("you are X") == 4


def test_an_opponent_is_named_by_its_level():
    game = pg.game_from("duelyst")
    assert opponent_name(game, pg.agent_from(game.opponent)) == "the hard level"
    long = "uct:playout=playout(turns=4),belief=particles(worlds=500),seconds=0.25"
    assert opponent_name(game, pg.agent_from(long)) == "uct (seconds 0.25)"
    assert opponent_name(game, pg.agent_from("uct:iterations=9")) == "uct:iterations=9"
    assert "against the easy level" in run("tic-tac-toe", "easy", said=["q"])


def test_what_was_hidden_is_shown_when_the_game_is_over():
    during = run("kuhn-poker", "random", "--seed", 1, said=["v", "q"])
    assert "has not moved yet" in during
    after = run("kuhn-poker", "random", "--seed", 1, said=["bet", "v", "v 1", "v 99", "m", "x", ""])
    told = after[after.index("the game is over") :]
    assert "the truth at the end" in told
    assert "the truth before action 1" in told
    assert "The game has actions 1 to 2." in told
    assert "what player 2 thought before" in told
    assert "   1 player 1: bet" in told


@dataclass(frozen=True)
class Mine(pg.Random):
    """A planner of a user's own."""


def test_an_opponent_of_ones_own_cannot_guess_the_seed():
    game = pg.game_from("tic-tac-toe")
    ours, own = (
        Session(game, Person(game), 0, [None, pg.Agent(planner)], 0)
        for planner in (pg.Random(), Mine())
    )
    assert seed_for(ours, 4) == 4
    assert is_secret(seed_for(ours, None))
    secret = seed_for(own, 4)
    assert is_secret(secret)
    assert seed_for(own, secret) == secret
