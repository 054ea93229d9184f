"""The file of a record: edits are noticed, and other files are refused with one sentence."""

import json
import time
from contextlib import suppress
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.match.claims import DIGEST, EditedRecord, digest_of
from plyglass.cli.verify import verify

OWN = """
import plyglass as pg

class Mine(pg.games.Pig):
    name = "my-pig"
"""


@pytest.fixture(scope="module")
def record():
    players = [pg.agent_from("uct:iterations=20"), pg.agent_from("random")]
    return pg.record_of(pg.play(pg.games.TicTacToe(), players, seed=1))


@pytest.fixture
def file(record, tmp_path):
    record.save(tmp_path / "match.json")
    return tmp_path / "match.json"


def edited(file, sealed=False, **changes):
    """Change claims of a file, with their digest or without."""
    values = json.loads(file.read_text()) | changes
    if sealed:
        del values[DIGEST]
        values[DIGEST] = digest_of(values)
    file.write_text(json.dumps(values))
    return file


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "tic-tac-toe:"},
        {"players": ["uct:iterations=21", "random:iterations=1000"]},
        {"seed": 2},
        {"moves": []},
        {"scores": [-1.0, 1.0]},
        {"cheated": True},
        {"start": "00"},
        {"undone": 1},
        {"resumed": [1]},
        {"rules": "00"},
        {DIGEST: "0" * 32},
        {DIGEST: 5},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_an_edit_of_any_claim_is_refused(file, changes):
    with pytest.raises(EditedRecord, match="it was edited or damaged"):
        pg.Record.load(edited(file, **changes))


def test_an_old_record_opens_and_says_what_is_not_known_of_it(file, record):
    values = json.loads(file.read_text())
    del values[DIGEST], values["rules"]
    file.write_text(json.dumps(values))
    old = pg.Record.load(file)
    assert old == replace(record, rules="")
    assert old.unsealed
    doubts = pg.verify(old)
    assert "The record has no digest" in doubts[0]
    assert "does not say which rules" in doubts[1]
    assert pg.verify(record) == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": []}, "'players' is empty"),
        ({"players": "random"}, "'players' must be a list"),
        ({"seed": -1}, "'seed' must be a whole number"),
        ({"seed": 10**400}, "not a number of 401 digits"),
        ({"seed": 1.5}, "'seed' must be a whole number"),
        ({"scores": [1.0]}, "2 players, but 1 scores"),
        ({"scores": ["1", "2"]}, "must be numbers"),
        ({"cheated": 0}, "true or false"),
        ({"start": "xyz"}, "hexadecimal digits"),
        ({"resumed": [99]}, "resumed at plies"),
        ({"resumed": [2, 1]}, "resumed at plies"),
        ({"moves": [{}]}, "move 1 does not have the values of a move"),
        ({"moves": [None]}, "move 1 does not have the values of a move"),
        ({"more": 1}, "a record has no 'more'"),
    ],
)
def test_an_impossible_claim_is_refused_in_a_sentence(file, changes, message):
    with pytest.raises(ValueError, match=message):
        pg.Record.load(edited(file, sealed=True, **changes))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{", '{"game": 1}', "[" * 100_000, '{"seed": NaN}', '"' + "x" * 100, "\x00"],
)
def test_a_file_that_is_no_record_is_refused_in_a_sentence(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ValueError, match=r"is not a record"):
        pg.Record.load(tmp_path / "x.json")
    (tmp_path / "x.json").write_bytes(b"\xff\xfe" + text.encode())
    with pytest.raises(ValueError, match=r"is not a record"):
        pg.Record.load(tmp_path / "x.json")


def test_a_record_that_would_be_searched_for_years_is_refused_at_once(file):
    moves = [{**move, "iterations": 10**15} for move in json.loads(file.read_text())["moves"]]
    long = pg.Record.load(edited(file, sealed=True, moves=moves))
    with pytest.raises(ValueError, match="more than the limit of 100,000,000"):
        pg.verify(long)
    players = ["uct:iterations=10000000000", "random"]
    with pytest.raises(ValueError, match="more than the limit"):
        pg.verify(replace(long, players=tuple(players)))


def test_a_replay_that_takes_too_long_is_stopped_and_refused(tmp_path):
    """Ten million positions for every move take minutes."""
    agents = [pg.agent_from("random")] * 2
    short = pg.record_of(pg.play(pg.games.ConnectFour(), agents, seed=1))
    long = replace(short, players=("expectiminimax:depth=40,iterations=1e7", "random"))
    began = time.monotonic()
    with pytest.raises(ValueError, match="longer than the limit of"):
        pg.verify(long, most_seconds=0.5)
    long.save(tmp_path / "long.json")
    said = command(tmp_path / "long.json", "--most-seconds", 0.5)
    assert said.exit_code == 2
    assert "longer than the limit of 0.5 seconds" in " ".join(said.output.split())
    assert time.monotonic() - began < 30
    assert pg.verify(short, most_seconds=600) == ()


def test_moves_that_the_rules_forbid_are_refused_before_any_search(file, record):
    moves = (record.moves[0], *record.moves)
    with pytest.raises(pg.RecordMismatch, match=r"Move 2, player 1: action .* was not possible"):
        pg.verify(replace(record, moves=moves))
    with pytest.raises(pg.RecordMismatch, match="the match is not over"):
        pg.verify(replace(record, moves=record.moves[:-1]))
    with pytest.raises(pg.RecordMismatch, match="says that a player cheated"):
        pg.verify(replace(record, cheated=True))


def test_a_person_whose_actions_do_not_fit_the_agent_of_today_is_a_mismatch(record):
    moves = tuple({**move, "iterations": 0, "visits": [], "values": []} for move in record.moves)
    said = []
    for seed in range(20):
        other = replace(record, players=("person:Ada", record.players[0]), moves=moves, seed=seed)
        with suppress(pg.RecordMismatch):
            pg.replay(other)
            continue
        with pytest.raises(pg.RecordMismatch) as caught:
            pg.verify(other)
        said.append(str(caught.value))
    assert any(each.startswith("Played again, seat 1") for each in said)


def command(*words):
    app = typer.Typer()
    app.command()(verify)
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_the_command_tells_a_true_record_from_a_false_one(file):
    said = command(file)
    assert (said.exit_code, "is true" in said.output) == (0, True)
    assert json.loads(command(file, "--json").output)["verified"]
    said = command(edited(file, seed=3))
    assert (said.exit_code, "edited or damaged" in said.output) == (1, True)
    said = command(edited(file, sealed=True))
    assert said.exit_code == 1
    assert command(file.with_name("missing.json")).exit_code == 2


def test_a_record_of_a_users_game_is_verified_with_the_game_that_a_person_names(tmp_path):
    own = tmp_path / f"own_{tmp_path.name}.py"
    own.write_text(OWN)
    players = [pg.agent_from("random")] * 2
    match = pg.play(pg.game_from(f"{own}:goal=10"), players, seed=1)
    pg.record_of(match).save(tmp_path / "match.json")
    assert command(tmp_path / "match.json").exit_code == 2
    said = command(tmp_path / "match.json", "--game", f"{own}:goal=10")
    assert said.exit_code == 0, said.output
    other = edited(tmp_path / "match.json", sealed=True, rules="00" * 8)
    said = command(other, "--game", f"{own}:goal=10")
    assert "have changed since it was recorded" in said.output
