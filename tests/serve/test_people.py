"""Matches of two people: an invitation is used once, and everybody gets only their own views."""

import asyncio
import json
import time

import pytest

from plyglass.arena.match.record import Record, verify
from plyglass.serve import hosting, people
from plyglass.serve.access import Doorkeeper
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.protocol import Placed, Refused
from plyglass.serve.settings import Settings, Token
from tests.serve.test_app import api

SETTINGS = Settings(games={"kuhn": "kuhn-poker", "noughts": "tic-tac-toe"})
CATALOGUE = Catalogue(SETTINGS)
TWO = {"game": "kuhn", "seats": ["human", "me"], "name": "Ada"}


def two(scenario, tmp_path):
    """Run a scenario on a server that keeps matches."""
    api(scenario, f"sqlite:{tmp_path / 'matches.db'}", CATALOGUE)


async def begun(ask, **more):
    """The positions of who began a match, and of who joined it."""
    _, mine = await ask("/v1/matches", {**TWO, **more})
    code = mine["invitations"][0]["invitation"]
    _, yours = await ask("/v1/matches/join", {"invitation": code, "name": "Bob"})
    return mine, yours, code


def named(placed):
    return {"match": placed["position"]["match"]}


async def act(ask, placed):
    position = placed["position"]
    values = {"ply": position["ply"], "action": position["actions"][0]["id"]}
    return await ask("/v1/matches/act", {**named(placed), **values})


def events(text):
    """The events of a stream, with their data."""
    parts = [part.split("\n") for part in text.strip().split("\n\n")]
    return [(part[0][7:], json.loads(part[1][6:])) for part in parts if part[0][:1] == "e"]


def test_two_people_play_to_a_record_that_verifies(tmp_path):
    async def scenario(ask, service):
        mine, yours, _ = await begun(ask)
        Placed(**mine)
        Placed(**yours)
        assert mine["position"]["players"][0]["joined"] is False
        assert [each["name"] for each in yours["position"]["players"]] == ["Bob", "Ada"]
        assert [each["kind"] for each in yours["position"]["players"]] == ["me", "human"]
        both = [yours, mine]
        while not both[0]["position"]["over"]:
            mover = both[0]["position"]["to_move"]
            status, both[mover] = await act(ask, both[mover])
            assert status == 200
            _, both[1 - mover] = await ask("/v1/matches/position", named(both[1 - mover]))
        assert both[0]["position"]["rated"]
        _, record = await ask("/v1/matches/record", named(mine))
        assert record["players"] == ["person:Bob", "person:Ada"]
        file = tmp_path / "record.json"
        file.write_text(json.dumps(record))
        assert verify(Record.load(file)) == ()

    two(scenario, tmp_path)


def test_nobody_gets_the_views_of_another(tmp_path):
    async def scenario(ask, service):
        mine, yours, code = await begun(ask)
        assert mine["position"]["text"] != yours["position"]["text"]
        match, _, key = mine["position"]["match"].partition(".")
        status, problem = await ask("/v1/matches/join", {"invitation": code})
        assert (status, problem["code"]) == (404, "invitation")
        for wrong in (
            match,
            code,
            f"{match}.",
            f"{match}.{key[:-1]}",
            f"{match}.{key}.",
            ".",
            "a.",
        ):
            status, problem = await ask("/v1/matches/position", {"match": wrong})
            assert (status, problem["code"]) == (404, "unknown-match")
        status, problem = await act(ask, {"position": {**yours["position"], **mine["position"],
                                    "actions": yours["position"]["actions"]}})  # fmt: skip
        assert (status, problem["code"]) == (409, "other-turn")

    two(scenario, tmp_path)


def test_a_waiting_person_is_told_of_what_they_see(tmp_path):
    async def scenario(ask, service):
        mine, yours, _ = await begun(ask)
        stream = asyncio.create_task(ask("/v1/matches/wait", named(mine), "text/event-stream"))
        poll = asyncio.create_task(ask("/v1/matches/wait", named(mine)))
        await asyncio.sleep(0.05)
        assert not poll.done()
        _, yours = await act(ask, yours)
        (_, text), (status, placed) = await stream, await poll
        (first, waiting), (last, done) = events(text)
        assert (first, last, status) == ("position", "done", 200)
        assert waiting["to_move"] == 0
        assert done == placed
        assert placed["position"]["to_move"] == placed["position"]["seat"] == 1
        _, placed = await ask("/v1/matches/wait", {**named(yours), "wait_ms": 0})
        assert placed["position"]["to_move"] == 1

    two(scenario, tmp_path)


def test_streams_are_told_that_the_server_stops(tmp_path):
    async def scenario(ask, service):
        mine, _, _ = await begun(ask)
        stream = asyncio.create_task(ask("/v1/matches/wait", named(mine), "text/event-stream"))
        await asyncio.sleep(0.05)
        service.close_door()
        assert [name for name, _ in events((await stream)[1])] == ["position", "bye"]

    two(scenario, tmp_path)


def test_who_resigns_ends_the_match(tmp_path):
    async def scenario(ask, service):
        mine, yours, _ = await begun(ask)
        await act(ask, yours)
        _, placed = await ask("/v1/matches/resign", named(yours))
        assert placed["position"]["over"]
        assert placed["position"]["actions"] == []
        _, placed = await ask("/v1/matches/wait", named(mine))
        assert placed["position"]["resigned"] == 0
        assert placed["position"]["scores"] is None
        assert (await ask("/v1/matches/resign", named(mine)))[0] == 422
        _, record = await ask("/v1/matches/record", named(mine))
        file = tmp_path / "record.json"
        file.write_text(json.dumps(record))
        record = Record.load(file)
        assert (record.resigned, record.scores, len(record.moves)) == (0, (), 1)
        verify(record)

    two(scenario, tmp_path)


def test_who_takes_too_long_has_resigned(tmp_path, monkeypatch):
    now = [time.time()]
    monkeypatch.setattr(hosting.time, "time", lambda: now[0])

    async def scenario(ask, service):
        mine, yours, _ = await begun(ask, clock_seconds=10)
        assert (mine["position"]["clock_ms"], yours["position"]["clock_ms"]) == (None, 10_000)
        now[0] += 4
        _, again = await ask("/v1/matches/position", named(yours))
        assert again["position"]["clock_ms"] == 6000
        await act(ask, yours)
        now[0] += 9
        _, again = await ask("/v1/matches/position", named(mine))
        assert again["position"]["clock_ms"] == 1000
        now[0] += 4
        status, problem = await act(ask, again)
        assert (status, problem["message"]) == (422, "The match is over.")
        _, placed = await ask("/v1/matches/wait", named(yours))
        assert placed["position"]["resigned"] == 1

    two(scenario, tmp_path)


def test_a_clock_begins_anew_with_every_turn():
    match = {"clock_seconds": 10, "people": [], "players": ["person", "uct"], "moves": []}
    match = people.timed(match, 0, 100.0)
    match = people.timed({**match, "moves": [[0, 1]]}, 0, 105.0)  # another action of the turn
    assert people.left_ms(match, 0, 105.0) == 5000
    match = people.timed({**match, "moves": [[0, 1], [1, 1]]}, 0, 106.0)
    assert people.left_ms(match, 0, 106.0) == 10_000
    assert people.expired(match, 117.0) is None
    assert people.expired(match, 118.1)["resigned"] == 0


@pytest.mark.parametrize("kept", [True, False])
def test_what_needs_a_store_or_has_aids_is_refused_in_words(kept, tmp_path):
    async def scenario(ask, service):
        status, problem = await ask("/v1/matches", {**TWO, "glass": True})
        assert status == 422
        assert ("glass" if kept else "--store") in problem["message"]
        agent = {"game": "noughts", "seats": ["me", "level:easy"], "glass": True}
        _, placed = await ask("/v1/matches", {**agent, "advice": "level:easy"})
        assert not placed["position"]["rated"]
        which = {"ticket": placed["ticket"]} if "ticket" in placed else named(placed)
        await ask("/v1/matches/resign", which)
        if kept:
            _, record = await ask("/v1/matches/record", which)
            assert record["aids"] == ["glass", "advice:level:easy"]
        else:
            assert (await ask("/v1/matches/wait", which))[0] == 422

    store = f"sqlite:{tmp_path / 'matches.db'}" if kept else ""
    api(scenario, store, CATALOGUE)


def test_a_guest_needs_no_token_of_their_own():
    door = Doorkeeper(Settings(tokens=(Token("studio", "0" * 64, ("play", "expert")),)))
    assert door.owner("studio").scopes == ("play",)
    with pytest.raises(Refused):  # a guest may not analyse if the token may not
        door.owner("studio", "analyse")
    with pytest.raises(Refused, match="no longer valid"):
        door.owner("another")
