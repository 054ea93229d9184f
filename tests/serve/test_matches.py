"""Hosted matches: what a client is sent comes from its views, and records verify."""

import json

import pytest

import plyglass as pg
from plyglass.arena.match.record import Record, verify
from plyglass.serve.matches import HostedMatch, new_match
from plyglass.serve.protocol import Refused
from plyglass.serve.tickets import Seal, room_for
from tests.serve.requests import served


def nobody_listens(event, data):
    pass


def never():
    return False


def hosted(game, agent="level:easy", seed=1, seat=0, **more):
    seats = [agent] * game.game.players
    seats[seat] = "me"
    asked = {
        "seats": seats, "seed": seed, "turn_seconds": None, "name": "", "expert": True,
        "clock_seconds": None, "glass": False, "advice": "", **more,
    }  # fmt: skip
    match = HostedMatch(game, new_match(game, asked))
    match.go_on(nobody_listens, never)
    return match


def played(match, plies=10**6):
    """Go on until the end, or for some decisions, with the client's last action each time."""
    while plies and (actions := match.position()["actions"]):
        match.act(actions[-1]["id"])
        match.go_on(nobody_listens, never)
        plies -= 1
    return match


@pytest.mark.parametrize("name", ["leduc-poker", "duel"])
def test_tickets_of_a_game_with_secrets_have_one_length(name):
    game, seal = served(name), Seal.of_file(None)
    room, lengths = room_for(game.game), set()
    match = hosted(game, "random")
    while not match.position()["over"]:
        lengths.add(len(seal.ticket(match.match, room)))
        played(match, plies=1)
    assert len(lengths) == 1


@pytest.mark.parametrize(
    ("name", "agent"),
    [
        ("leduc-poker", "so-ismcts:iterations=20,belief=particles(worlds=50)"),
        ("duel", "one-ply-mcts:iterations=20"),
        ("tic-tac-toe", "uct:seconds=0.005"),
        ("phantom-tic-tac-toe", "pomcp:iterations=20"),
    ],
)
def test_the_record_of_a_hosted_match_is_verified(name, agent, tmp_path):
    game, seal = served(name), Seal.of_file(None)
    match = hosted(game, agent, seed=None, seat=1, name="Ada")
    while not match.position()["over"]:  # every step in another process, as far as it can tell
        ticket = seal.ticket(match.match, room_for(game.game))
        match = played(HostedMatch(game, seal.open(ticket)), plies=1)
    file = tmp_path / "record.json"
    file.write_text(json.dumps(match.record()))
    record = Record.load(file)
    assert record.players[1] == "person:Ada"
    assert not record.unsealed
    assert verify(record) == (
        "The record keeps no values of decisions, so they were not compared.",
    )


def test_values_that_a_record_keeps_are_still_compared():
    agents = [pg.Agent(pg.UCT(), budget=pg.Budget(iterations=20))] * 2
    record = pg.record_of(pg.play(pg.games.TicTacToe(), agents, seed=1))
    record.moves[0]["values"][0] += 0.1
    with pytest.raises(pg.RecordMismatch, match="values"):
        verify(record)


def test_a_client_that_takes_back_and_repeats_finds_the_same():
    game = served("duel")
    match = played(hosted(game), plies=3)
    again = match.take_back(1)
    assert again.ply == 1
    again = played(again, plies=2)
    assert {**again.match, "undone": 0} == match.match
    assert again.match["undone"] == 2
    assert again.position() == match.position()
    with pytest.raises(Refused, match="Only 3 decisions"):
        match.take_back(3)


def test_a_match_of_one_player_is_hosted():
    match = played(hosted(served("tiger")), plies=2)
    assert match.ply == 2
    assert match.position()["to_move"] == 0


def test_what_cannot_be_played_is_refused():
    game = served("tic-tac-toe")
    match = hosted(game)
    with pytest.raises(Refused) as refused:
        match.act(99)
    assert (refused.value.code, refused.value.field) == ("illegal-action", "action")
    with pytest.raises(Refused, match="play to the end first"):
        match.record()
    played(match)
    with pytest.raises(Refused, match="over"):
        match.act(0)
    with pytest.raises(Refused) as refused:
        hosted(game, "me")
    assert refused.value.code == "seats"
    with pytest.raises(Refused) as refused:
        HostedMatch(game, {**match.match, "rules": "00"})
    assert refused.value.code == "other-rules"


def test_what_others_did_is_told_in_a_game_that_hides_nothing():
    match = hosted(served("tic-tac-toe"), seat=1)
    assert [each.partition(":")[0] for each in match.position()["events"]] == ["X"]
    played(match, plies=1)
    assert len(match.position()["events"]) == 1
