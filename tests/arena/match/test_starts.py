"""Scenarios: matches that begin with a given position, and records that contain it."""

import dataclasses
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.match.record import position
from plyglass.arena.match.starts import start_from
from plyglass.arena.tournament.settings import Settings
from plyglass.arena.tournament.work import play_match, replay_match
from plyglass.cli.match import match as match_command

OWN = Path(__file__).parents[1] / "own_functions.py"
AGENTS = {"a": "uct:iterations=30", "b": "random"}


def settings_from(start, **changes):
    return Settings(
        **{"games": ("connect-four",), "agents": AGENTS, "deals": 2, "start": str(start), **changes}
    )


@pytest.fixture
def record():
    return pg.record_of(
        pg.play(pg.games.ConnectFour(), [pg.agent_from(text) for text in AGENTS.values()], seed=3)
    )


def test_both_matches_of_a_pair_begin_with_the_same_position_and_other_deals_with_another():
    settings = settings_from(f"{OWN}@three_plies")
    first, second, other = (replay_match(settings, number).start for number in (0, 1, 2))
    assert first == second
    assert first != other
    assert first.to_move == 1  # three moves were made
    assert play_match(settings, 0).digest != play_match(settings_from(""), 0).digest


def test_a_record_notes_the_start_and_is_verified_from_it(tmp_path):
    match = replay_match(settings_from(f"{OWN}@three_plies"), 0)
    pg.record_of(match).save(tmp_path / "match.json")
    record = pg.Record.load(tmp_path / "match.json")
    assert record == pg.record_of(match)
    pg.verify(record)
    assert pg.replay(record).start == match.start
    with pytest.raises(Exception, match=r"Move 1|seat 1"):
        pg.verify(dataclasses.replace(record, start=""))
    with pytest.raises(ValueError, match="another version of the game"):
        pg.verify(dataclasses.replace(record, start=record.start[2:]))


def test_a_match_begins_at_a_ply_of_a_record(record, tmp_path):
    record.save(tmp_path / "match.json")
    match = replay_match(settings_from(f"{tmp_path / 'match.json'}@4"), 0)
    world = pg.games.ConnectFour().start(0)
    for move in record.moves[:4]:
        world.apply(move["action"])
    assert match.start == world == position(record, 4)
    pg.verify(pg.record_of(match))
    assert position(pg.record_of(match), 0) == world  # a record of a scenario is a start as well


def test_luck_to_come_is_the_matchs_own():
    settings = settings_from(
        f"{OWN}@same_dice", games=("pig:goal=30",), agents={"a": "random", "b": "random"}
    )
    one, twin, other = (replay_match(settings, number).start.record["luck"] for number in (0, 1, 2))
    assert one == twin != other


def test_players_see_the_position_for_the_first_time_through_their_views():
    seen = []

    class Listening:
        cheats = False

        def take_seat(self, game, seat, seed):
            return self

        def observe(self, own_action, view):
            seen.append((own_action, view))

        def decide(self):
            return pg.Decision(seen[-1][1].legal()[0], tuple(seen[-1][1].legal()))

    match = pg.play(
        pg.games.ConnectFour(),
        [Listening(), Listening()],
        seed=1,
        start=start_from(f"{OWN}@three_plies"),
    )
    assert seen[:2] == [(None, match.start.hide(0)), (None, match.start.hide(1))]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("finished", "Cannot start connect-four from a finished position"),
        ("nothing", "must be a World of this game, not None"),
        ("other_game", "must be a World of this game, not <World of pig"),
    ],
)
def test_a_start_that_is_none_is_refused(name, message):
    with pytest.raises(ValueError, match=message):
        replay_match(settings_from(f"{OWN}@{name}"), 0)


def test_a_mistake_in_a_start_is_named_before_anything_is_played(record, tmp_path):
    record.save(tmp_path / "match.json")
    for text, message in (
        (tmp_path / "none.json@3", "There is no record .*none.json"),
        (
            f"{tmp_path / 'match.json'}@{len(record.moves)}",
            f"a match can start at ply 0 to {len(record.moves) - 1}",
        ),
        ("three_plies", "is not a function; write file.py@function"),
    ):
        with pytest.raises(ValueError, match=message):
            settings_from(text)


def test_a_setup_and_a_start_exclude_each_other():
    with pytest.raises(ValueError, match="not from both"):
        pg.play(
            pg.games.Pig(),
            [pg.agent_from("random")] * 2,
            setup={"nothing": 0},
            start=start_from(f"{OWN}@same_dice"),
        )


def test_the_command_plays_matches_from_a_position():
    app = typer.Typer()
    app.command()(match_command)
    words = ["tic-tac-toe", "random", "random", "--games", "20", "--json"]
    told = json.loads(CliRunner().invoke(app, [*words, "--start", f"{OWN}@one_cell_left"]).stdout)
    assert told["start"] == f"{OWN}@one_cell_left"
    assert (told["wins"], told["draws"], told["losses"]) == (10, 0, 10)  # whoever sits first wins
    assert CliRunner().invoke(app, [*words, "--start", f"{OWN}@finished"]).exit_code == 2
