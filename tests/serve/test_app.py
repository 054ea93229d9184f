"""The API in one process: workers that answer immediately, and requests without a network."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from plyglass.games import names
from plyglass.serve import crew, protocol, work
from plyglass.serve.app import app_for
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.hosting import Hosting
from plyglass.serve.insight import Insight
from plyglass.serve.protocol import Refused
from plyglass.serve.runs import Runs
from plyglass.serve.service import Service
from plyglass.serve.settings import Settings
from plyglass.serve.store import store_at
from plyglass.serve.tickets import Seal
from tests.serve.requests import entries, until_decision

SETTINGS = Settings(
    games={"noughts": "tic-tac-toe"}, levels={"noughts": {"easy": "uct:iterations=20"}}
)
CATALOGUE = Catalogue(SETTINGS)


class PromptCrew:
    """A crew that does a job as soon as it gets it."""

    size, ready, kills, jobs = 1, 1, 0, ()

    def __init__(self, catalogue):
        self._catalogue = catalogue
        self.games, self.done = catalogue.described(), []

    def free(self):
        return self

    def give(self, worker, job):
        job.started = asyncio.get_running_loop().time()
        values = json.loads(json.dumps({**job.values, "grant": job.grant, "left": 30.0}))
        told = []
        kind, found = work.answer(
            self._catalogue, values, lambda *event: told.append(event), lambda: False
        )
        for name, data in told:
            job.parts.put_nowait({"event": name, "data": data})
        self.done.append(job)
        job.end(Refused(**found) if kind == work.PROBLEM else found)

    def cancel(self, job):
        pass


def api(scenario, store="", catalogue=CATALOGUE, runs=None, settings=SETTINGS):
    """Run a scenario with a function that sends requests."""

    async def run():
        app = app_for(settings, 1, seal := Seal.of_file(None))
        app.state.service = service = Service(settings, 1)
        app.state.matches = Hosting(service, seal, store_at(store) if store else None)
        app.state.insight = Insight(service, app.state.matches, Runs(runs) if runs else None)
        service.crew = service.desk.crew = PromptCrew(catalogue)

        async def ask(path, values=None, accept="application/json"):
            return await asked(app, path, values, accept)

        await scenario(ask, service)

    asyncio.run(run())


async def asked(app, path, values, accept):
    """The status of an answer, and its JSON or text."""
    body, sent = b"" if values is None else json.dumps(values).encode(), []
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        if not waiting:
            await asyncio.Event().wait()  # a client that stays
        return waiting.pop()

    async def send(message):
        sent.append(message)

    headers = {"host": "localhost", "content-type": "application/json", "accept": accept}
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET" if values is None else "POST",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "scheme": "http", "server": ("localhost", 80), "client": ("127.0.0.1", 1),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    await app(scope, receive, send)
    text = b"".join(each.get("body", b"") for each in sent).decode()
    return sent[0]["status"], json.loads(text) if accept == "application/json" else text


def test_a_match_from_its_beginning_to_its_record():
    async def scenario(ask, service):
        start = {"game": "noughts", "seats": ["me", "level:easy"]}
        _, placed = await ask("/v1/matches", start)
        first = placed
        while not placed["position"]["over"]:
            position = placed["position"]
            act = {
                "ticket": placed["ticket"],
                "ply": position["ply"],
                "action": position["actions"][0]["id"],
            }
            status, placed = await ask("/v1/matches/act", act)
            assert status == 200
            protocol.Placed(**placed)
        ticket = {"ticket": placed["ticket"]}
        _, again = await ask("/v1/matches/position", ticket)
        assert again["position"] == placed["position"]
        _, back = await ask("/v1/matches/back", {**ticket, "to_ply": 0})
        assert back["position"] == first["position"]
        _, record = await ask("/v1/matches/record", ticket)
        assert record["scores"] == placed["position"]["scores"]
        assert record["digest"]

    api(scenario)


def test_answers_and_refusals_are_counted_under_known_names():
    async def scenario(ask, service):
        _, shown = until_decision(CATALOGUE.game("noughts").game, 0, 1)
        history = [{"own": each["own"], "view": each["view"]} for each in entries(shown)]
        values = {"seat": 0, "seed": 1, "agent": "level:easy", "history": history,
                  "budget": {"iterations": 20}}  # fmt: skip
        assert (await ask("/v1/decide", {"game": "noughts", **values}))[0] == 200
        for name in ("made up", "by clients"):
            status, problem = await ask("/v1/decide", {"game": name, **values})
            assert (status, problem["code"]) == (404, "unknown-game")
        value = service.metrics.registry.get_sample_value
        named = {"kind": "decide", "game": "noughts", "outcome": "answered"}
        assert value("plyglass_jobs_total", named) == 1
        others = {"kind": "decide", "game": "unknown", "outcome": "refused"}
        assert value("plyglass_jobs_total", others) == 2
        assert value("plyglass_refused_total", {"code": "unknown-game"}) == 2

    api(scenario)


def test_a_server_that_only_hosts_takes_no_views_and_checks_no_rules():
    hosting = replace(SETTINGS, decide=False)

    async def scenario(ask, service):
        values = {"seat": 0, "seed": 1, "agent": "level:easy", "budget": {"iterations": 1}}
        asked = {"game": "noughts", **values, "history": [{"own": None, "view": {}}]}
        status, problem = await ask("/v1/decide", asked)
        assert (status, problem["code"]) == (403, "forbidden")
        assert "--decide" in problem["message"]
        start = {"game": "noughts", "seats": ["me", "level:easy"]}
        assert (await ask("/v1/matches", start))[0] == 200

    api(scenario, settings=hosting)
    for settings, checked in ((SETTINGS, "1"), (hosting, None)):
        with crew._environment(settings.for_workers(), Path("progress")):
            assert os.environ.get("NUMBA_BOUNDSCHECK") == checked


def test_a_server_tells_what_it_loads(monkeypatch):
    told = []
    Catalogue(SETTINGS).warm(lambda *each: told.append(each))
    games = list(SETTINGS.games)
    assert told == [(game, number, len(games)) for number, game in enumerate(games)]
    made = crew.Crew(SETTINGS.for_workers(), 1, lambda: None)
    assert made.loading() == {"game": "", "done": 0, "count": 0}
    with crew._environment(SETTINGS.for_workers(), made._progress):
        work._tell_progress("tiger", 3, 18)
    assert made.loading() == {"game": "tiger", "done": 3, "count": 18}


def test_a_server_without_settings_hosts_every_game():
    assert [*Settings.for_people().games] == [*names()]
    assert not Settings.for_people().decide


def test_a_stream_ends_with_its_answer():
    async def scenario(ask, service):
        start = {"game": "noughts", "seats": ["level:easy", "me"]}
        _, text = await ask("/v1/matches", start, "text/event-stream")
        names = [line[7:] for line in text.split("\n") if line.startswith("event: ")]
        assert names == ["position", "done"]

    api(scenario)


def test_a_server_that_drains_is_not_ready_and_then_takes_no_work():
    async def scenario(ask, service):
        assert (await ask("/readyz"))[0] == 200
        service.draining = True
        assert (await ask("/readyz"))[0] == 503
        start = {"game": "noughts", "seats": ["me", "level:easy"]}
        assert (await ask("/v1/matches", start))[0] == 200
        service.closing = True
        status, problem = await ask("/v1/matches", start)
        assert (status, problem["code"]) == (503, "draining")
        assert (await ask("/healthz"))[0] == 200

    api(scenario)


def test_agents_of_a_match_stop_when_its_time_is_over():
    """With no time left, every agent still answers, and the match goes on."""
    settings = Settings(
        games={"noughts": "tic-tac-toe"}, levels={"noughts": {"easy": "uct:seconds=20"}}
    )
    job = {"kind": "start", "game": "noughts", "seats": ["level:easy", "me"], "seed": 1,
           "turn_seconds": None, "name": "", "expert": False, "grant": 0.05, "kept": False,
           "clock_seconds": None, "glass": False, "advice": ""}  # fmt: skip
    kind, found = work.answer(Catalogue(settings), job, lambda *event: None, lambda: False)
    assert kind == work.FINAL
    assert found["position"]["to_move"] == 1


def test_a_fault_of_the_server_is_told_without_its_details(monkeypatch, caplog):
    monkeypatch.setitem(work.JOBS, "decide", lambda *_: 1 / 0)
    kind, problem = work.answer(CATALOGUE, {"kind": "decide"}, None, None)
    assert kind == work.PROBLEM
    assert problem["code"] == "failed"
    assert "division" not in problem["message"]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.parametrize("wrong", ["chess", "uct:iterations=many"])
def test_games_and_levels_that_are_none_are_refused_before_the_start(wrong):
    games = {"a": wrong} if wrong == "chess" else {"a": "bear"}
    levels = {} if wrong == "chess" else {"a": {"easy": wrong}}
    with pytest.raises(ValueError, match=r"chess|many"):
        Catalogue(Settings(games=games, levels=levels))


def test_a_game_has_a_manual_and_a_picture():
    async def scenario(ask, service):
        status, about = await ask("/v1/games/noughts")
        assert status == 200
        assert about["manual"].startswith("# Tic-tac-toe")
        assert {*protocol.About.model_fields} == {*about}
        _, (game,) = await ask("/v1/games")
        assert set(game) == set(protocol.Game.model_fields)
        assert (await ask("/v1/games/chess"))[0] == 404

    api(scenario)


def test_a_person_sees_an_own_action_before_others_have_played():
    async def scenario(ask, service):
        _, placed = await ask("/v1/matches", {"game": "noughts", "seats": ["me", "level:easy"]})
        act = {"ticket": placed["ticket"], "ply": 0, "action": 4}
        _, text = await ask("/v1/matches/act", act, "text/event-stream")
        first, *others = [
            json.loads(line.removeprefix("data: "))
            for line in text.splitlines()
            if line.startswith("data: ")
        ]
        assert (first["to_move"], first["actions"], first["ply"]) == (1, [], 1)
        assert others[-1]["position"]["to_move"] == 0

    api(scenario)


def test_a_stream_counts_from_when_it_is_accepted(monkeypatch):
    monkeypatch.setattr("plyglass.serve.service.MOST_STREAMS", 1)

    async def scenario(ask, service):
        async def nothing():
            yield ": nothing\n\n"

        async def gone():
            return {"type": "http.disconnect"}

        async def send(message):
            pass

        caller = service.door.caller(None)
        accepted = service.streamed(caller, nothing())
        with pytest.raises(Refused, match="streams may be open"):
            service.streamed(caller, nothing())
        await accepted({"type": "http", "asgi": {"spec_version": "2.0"}}, gone, send)
        service.streamed(caller, nothing())

    api(scenario)
