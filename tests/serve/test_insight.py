"""Analyses see one seat's views, agents play for people who look on, and runs are read."""

import asyncio
import json
import os
from dataclasses import replace

import pytest

from plyglass.arena.match.record import Record, verify
from plyglass.arena.specs import agent_from
from plyglass.arena.tournament.settings import Settings as TournamentSettings
from plyglass.arena.tournament.settings import Stop
from plyglass.serve import insight, matches, protocol, runs
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.runs import MANIFEST, Runs
from plyglass.serve.settings import Settings
from tests.arena.tournaments import run
from tests.serve.test_app import api
from tests.serve.test_people import events

CATALOGUE = Catalogue(Settings(games={"kuhn": "kuhn-poker", "leduc": "leduc-poker"}))
STREAM = "text/event-stream"
AGENT = "so-ismcts:iterations=20,belief=particles(worlds=20)"
BUDGET = {"budget": {"iterations": 30}}


@pytest.fixture(scope="module", autouse=True)
def loaded():
    """Nothing is compiled within the deadline of a request."""
    for agent in (AGENT, CATALOGUE.game("leduc").levels["easy"]):
        agent_from(agent).warm(CATALOGUE.game("leduc").game)


async def begun(ask, **more):
    start = {"game": "leduc", "seats": ["me", AGENT], "seed": 5, **more}
    return (await ask("/v1/matches", start))[1]


async def played(ask, placed):
    """A match played to its end, with the first action each time."""
    while not (position := placed["position"])["over"]:
        act = {"ply": position["ply"], "action": position["actions"][0]["id"]}
        _, placed = await ask("/v1/matches/act", {"ticket": placed["ticket"], **act})
    return placed


def looked(scenario):
    api(scenario, catalogue=CATALOGUE)


def test_an_adviser_sees_what_the_person_sees():
    async def scenario(ask, service):
        placed = await begun(ask, advice=AGENT)
        values = {"ticket": placed["ticket"], "seat": 0, **BUDGET, "want": ["values", "belief"]}
        status, found = await ask("/v1/analyse", values)
        assert status == 200
        protocol.Analysed(**found)
        assert found["text"] == placed["position"]["text"]
        assert found["thought"]["iterations"] == 30
        assert found["belief"]["health"]["worlds"] >= 1
        _, again = await ask("/v1/analyse", {**values, "report_every_ms": 100})
        for each in (found, again):
            each["thought"].pop("seconds")
        assert again == found  # an analysis is a function of its request
        _, text = await ask("/v1/analyse", values, STREAM)
        assert [name for name, _ in events(text)][-1] == "done"

    looked(scenario)


@pytest.mark.parametrize(("begin", "seat", "agent"), [
    ({}, 0, ""),  # no advice
    ({"advice": AGENT}, 1, ""),  # another's seat
    ({"advice": AGENT}, 0, "uct"),  # another adviser
    ({"glass": True}, 0, ""),
])  # fmt: skip
def test_before_the_end_there_is_no_secret_help(begin, seat, agent):
    async def scenario(ask, service):
        placed = await begun(ask, **begin)
        values = {"ticket": placed["ticket"], "seat": seat, "agent": agent, **BUDGET}
        status, problem = await ask("/v1/analyse", values)
        assert (status, problem["code"]) == (403, "forbidden")

    looked(scenario)


def test_a_glass_match_shows_what_an_agent_believes():
    async def scenario(ask, service):
        placed = await begun(ask, glass=True)
        values = {"ticket": placed["ticket"], "seat": 1, "want": ["belief", "values"], **BUDGET}
        status, found = await ask("/v1/analyse", values)
        assert status == 200
        assert found["thought"] is None  # it does not decide now
        assert found["belief"]["health"]["effective"] > 0

    looked(scenario)


def test_a_glass_match_streams_what_an_agent_thinks():
    async def scenario(ask, service):
        placed = await begun(ask, glass=True)
        act = {"ply": 0, "action": placed["position"]["actions"][0]["id"]}
        _, text = await ask("/v1/matches/act", {"ticket": placed["ticket"], **act}, STREAM)
        glimpses = [protocol.Glimpse(**data) for name, data in events(text) if name == "glass"]
        first, *_, last = glimpses
        assert first.thought is None
        assert first.belief.health.worlds >= 1
        assert last.thought.final
        assert last.thought.iterations == 20
        assert {each.seat for each in glimpses} == {1}
        placed = await begun(ask)
        _, text = await ask("/v1/matches/act", {"ticket": placed["ticket"], **act}, STREAM)
        assert "glass" not in [name for name, _ in events(text)]

    looked(scenario)


def test_the_glass_changes_no_decision(monkeypatch):
    monkeypatch.setattr(matches, "GLASS", 0.0)  # it looks whenever it can

    async def scenario(ask, service):
        records = []
        for glass in (False, True):
            seats = ["me", "mo-ismcts:iterations=5000,belief=particles"]
            placed = await played(ask, await begun(ask, seats=seats, glass=glass))
            records.append((await ask("/v1/matches/record", {"ticket": placed["ticket"]}))[1])
        assert records[0]["moves"] == records[1]["moves"]

    looked(scenario)


def test_a_planner_without_a_belief_has_none_to_show():
    async def scenario(ask, service):
        placed = await begun(ask, seats=["me", "random"], glass=True)
        values = {"ticket": placed["ticket"], "seat": 1, "want": ["belief"], **BUDGET}
        status, found = await ask("/v1/analyse", values)
        assert (status, found["belief"]) == (200, None)

    looked(scenario)


def test_after_the_end_every_decision_can_be_analysed():
    async def scenario(ask, service):
        placed = await played(ask, await begun(ask))
        ticket = {"ticket": placed["ticket"]}
        _, record = await ask("/v1/matches/record", ticket)
        for seat, which in ((0, ticket), (1, {"record": record})):
            values = {**which, "seat": seat, "ply": 0, "agent": "level:easy", **BUDGET}
            status, found = await ask("/v1/analyse", values)
            assert status == 200
            assert found["ply"] == 0
            move = next(each for each in record["moves"] if each["player"] == seat)
            assert move["action"] in [each["id"] for each in found["thought"]["actions"]]
        status, problem = await ask("/v1/analyse", {**values, "ply": 99})
        assert problem["code"] == "other-ply"
        for after in range(len(record["moves"])):
            mover = record["moves"][after]["player"]
            values = {"record": record, "seat": mover, "after": after, "want": ["belief"]}
            status, found = await ask("/v1/analyse", values)
            earlier = [move for move in record["moves"][:after] if move["player"] == mover]
            assert (status, found["ply"]) == (200, len(earlier))
        values = {**ticket, "seat": 0, "after": 0}
        assert (await ask("/v1/analyse", values))[1]["code"] == "request"

    looked(scenario)


@pytest.mark.parametrize(("change", "code"), [
    ({"game": "tubstap"}, "unknown-game"),
    ({"game": "evil.py@Evil"}, "unknown-game"),
    ({"start": "00"}, "record"),
    ({"moves": 3}, "record"),
    ({"rules": "00"}, "other-rules"),
    ({"wrong": 1}, "record"),
    ({"seed": -1}, "record"),
    ({"move": {"action": 99}}, "record"),
    ({"move": {"player": 1}}, "record"),
])  # fmt: skip
def test_a_record_that_no_match_has_is_refused(change, code):
    async def scenario(ask, service):
        _, record = await ask("/v1/matches/record", {"ticket": (await over(ask))["ticket"]})
        record.pop("digest")
        move = change.pop("move", None)
        if move:
            record["moves"][0] |= move
        values = {"record": {**record, **change}, "seat": 0, **BUDGET}
        status, problem = await ask("/v1/analyse", values)
        assert (status // 100, problem["code"]) == (4, code)

    async def over(ask):
        start = {"game": "kuhn", "seats": ["me", "random"], "seed": 2}
        return await played(ask, (await ask("/v1/matches", start))[1])

    looked(scenario)


def nested(depth):
    return [nested(depth - 1)] if depth else []


@pytest.mark.parametrize(("depth", "code"), [(8, "record"), (20, "request"), (300, "request")])
def test_a_record_of_many_levels_is_refused_before_it_is_read(depth, code):
    async def scenario(ask, service):
        values = {"record": {"moves": nested(depth)}, "seat": 0}
        status, problem = await ask("/v1/analyse", values)
        assert (status, problem["code"]) == (422, code)

    looked(scenario)


def test_agents_play_for_people_who_look_on(tmp_path):
    async def scenario(ask, service):
        values = {"game": "leduc", "seats": [AGENT, AGENT], "pace_ms": 0, "belief": True}
        _, text = await ask("/v1/watch", values, STREAM)
        *shown, (last, done) = events(text)
        assert {name for name, _ in shown} == {"position"}
        assert last == "done"
        positions = [data for _, data in shown]
        assert [each["ply"] for each in positions] == [*range(len(positions))]
        assert positions[0]["seats"][1]["belief"]["health"]["worlds"] > 1
        for each in positions:
            protocol.Watched(**each)
        assert [each["thought"] is None for each in positions[:2]] == [True, False]
        assert positions[-1]["over"]
        assert positions[-1]["scores"] == list(done["record"]["scores"])
        file = tmp_path / "record.json"
        file.write_text(json.dumps(done["record"]))
        verify(Record.load(file))  # whoever looks on changes nothing
        _, text = await ask("/v1/watch", {**values, "seats": [AGENT]}, STREAM)
        assert events(text)[0][1]["code"] == "seats"

    api(scenario, catalogue=CATALOGUE)


def test_a_run_is_shown_as_it_stands(tmp_path, monkeypatch):
    settings = TournamentSettings(
        games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=6,
        stop=Stop("sprt", -20, 20),
    )  # fmt: skip
    folder = tmp_path / "results"
    (folder / "inner").mkdir(parents=True)
    run(settings, folder / "inner")
    (folder / "link.sqlite").symlink_to(folder / "inner" / "serial-1-None.sqlite")
    (folder / "broken.sqlite").write_text("no database")
    monkeypatch.setattr(insight, "EVERY", 0.01)

    async def scenario(ask, service):
        _, runs = await ask("/v1/runs")
        assert {each["id"] for each in runs} == {"inner.serial-1-None", "broken"}
        status, found = await ask("/v1/runs/inner.serial-1-None/events")
        assert status == 200
        protocol.Standings(**found)
        assert (found["played"], found["total"]) == (12, 12)
        assert [each["games"] for each in found["standings"]] == [12, 12]
        assert found["sprt"]["pairs"] == [1, 2, 3, 4, 5, 6]
        service.loop.call_later(0.1, service.close_door)
        _, text = await ask("/v1/runs/inner.serial-1-None/events", accept=STREAM)
        assert [name for name, _ in events(text)] == ["standings", "bye"]  # nothing changed
        service.closing = False
        for name, code in (("broken", "run"), ("link", "unknown"), ("..%2Fsecret", "unknown")):
            status, problem = await ask(f"/v1/runs/{name}/events")
            assert (status // 100, problem["code"]) == (4, code)

    api(scenario, catalogue=CATALOGUE, runs=folder)


def test_standings_are_computed_once_for_all_onlookers(tmp_path, monkeypatch):
    settings = TournamentSettings(
        games=("tic-tac-toe",), agents={"a": "random", "b": "random"}, deals=1
    )
    run(settings, tmp_path)
    file = tmp_path / "serial-1-None.sqlite"
    path = f"/v1/runs/{file.stem}/events"
    monkeypatch.setattr(insight, "EVERY", 600.0)

    async def scenario(ask, service):
        crew, give = service.crew, service.crew.give
        monkeypatch.setattr(  # a worker takes time, and meanwhile others look on
            crew, "give", lambda *job: service.loop.call_later(0.02, give, *job)
        )
        found = await asyncio.gather(*(ask(path) for _ in range(3)))
        assert [status for status, _ in found] == [200] * 3
        assert len(crew.done) == 1
        os.utime(file, (2e9, 2e9))
        assert (await ask(path))[0] == 200
        assert len(crew.done) == 1  # a run that changes all the time is computed now and then
        monkeypatch.setattr(insight, "EVERY", 0.0)
        await ask(path)
        assert len(crew.done) == 2

    api(scenario, catalogue=CATALOGUE, runs=tmp_path)


def test_a_match_of_a_run_is_played_again(tmp_path):
    settings = TournamentSettings(
        games=("leduc-poker", "pig"), agents={"a": "random", "b": AGENT}, deals=2
    )
    run(settings, tmp_path)
    store = "serial-1-None"

    async def scenario(ask, service):
        status, matches = await ask(f"/v1/runs/{store}/matches")
        assert status == 200
        assert [protocol.PlayedMatch(**each).number for each in matches] == [*range(7, -1, -1)]
        for each in matches:
            status, found = await ask(f"/v1/runs/{store}/matches/{each['number']}")
            if each["game"] == "pig":  # which is not served
                assert (status, found["code"]) == (404, "unknown-game")
                continue
            assert status == 200
            assert (found["scores"], len(found["moves"])) == (each["scores"], each["steps"])
            assert found["players"][each["agents"].index("a")].startswith("random")
            values = {"record": found, "seat": 0, **BUDGET}
            assert (await ask("/v1/analyse", values))[0] == 200
        assert (await ask(f"/v1/runs/{store}/matches/8"))[0] == 404
        assert (await ask("/v1/runs/other/matches"))[0] == 404

    api(scenario, catalogue=CATALOGUE, runs=tmp_path)


@pytest.mark.parametrize(("change", "sentence"), [
    ({"digest": "00"}, "code has changed"),
    ({"status": "crashed"}, "no finished match"),
])  # fmt: skip
def test_a_match_that_goes_another_way_is_not_shown(tmp_path, monkeypatch, change, sentence):
    settings = TournamentSettings(games=("leduc-poker",), agents={"a": "random", "b": "random"})
    run(settings, tmp_path)
    loaded = runs.load

    def edited(path):
        found = loaded(path)
        return replace(found, rows=(replace(found.rows[0], **change), *found.rows[1:]))

    monkeypatch.setattr(runs, "load", edited)
    (path,) = Runs(tmp_path).paths().values()
    with pytest.raises(protocol.Refused, match=sentence):
        runs.record_at(CATALOGUE, path, 0, lambda: False)


def test_folders_with_points_in_their_names_are_runs_of_their_own(tmp_path):
    for name in ("uct-c1.2", "uct-c1.4"):
        (tmp_path / name).mkdir()
        (tmp_path / name / MANIFEST).write_text("{}")
    assert [*Runs(tmp_path).paths()] == ["uct-c1.2", "uct-c1.4"]


def test_a_server_without_a_folder_shows_no_runs():
    async def scenario(ask, service):
        assert (await ask("/v1/runs")) == (200, [])
        assert (await ask("/v1/runs/a/events"))[0] == 404

    looked(scenario)
