"""A server as a process: pure answers, one request lost with a worker, and a clean end."""

import contextlib
import hashlib
import http.client
import json
import re
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

import plyglass as pg
from plyglass.arena.match.record import Record, verify
from plyglass.serve import protocol
from plyglass.serve.client import Client, RemoteAgent, ServerProblem, fields, hosted
from tests.serve.requests import entries, until_decision
from tests.sizes import sized
from tests.whole.servers import SETTINGS, events, serving

TIMED = ("seconds", "server")
PAGE = (Path(__file__).parents[2] / "docs" / "serving.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return tmp_path_factory.mktemp("keys") / "keys"


@pytest.fixture(scope="module")
def server(tmp_path_factory, keys):
    with serving(tmp_path_factory.mktemp("serve"), "--keys", str(keys)) as found:
        found.wait()
        yield found


@pytest.fixture(scope="module")
def replica(server, tmp_path_factory, keys):
    """A server with the keys of the other."""
    with serving(tmp_path_factory.mktemp("replica"), "--keys", str(keys)) as found:
        found.wait()
        yield found


def request(game="kuhn-poker", seed=1, **more):
    world = {"kuhn-poker": pg.games.KuhnPoker, "tic-tac-toe": pg.games.TicTacToe}[game]().start(
        seed
    )
    return {
        "game": game, "seat": 0, "seed": 5, "agent": "level:easy",
        "history": [{"own": None, "view": fields(world.hide(0))}],
        "budget": {"iterations": 40}, **more,
    }  # fmt: skip


def seen(seed):
    """What the first player of Kuhn poker sees until their first or second decision."""
    return entries(until_decision(pg.games.KuhnPoker(), 0, seed, 1 + seed % 2)[1])


def weird(**view):
    history = [{"own": None, "view": {"weird": 0, "steps": 0, "secret": -1, **view}}]
    return request(game="tic-tac-toe") | {"game": "weird", "history": history, "deadline_ms": 1500}


def pure(found):
    return {name: value for name, value in found.items() if name not in TIMED}


def problem_of(server, values, path="/v1/decide"):
    with pytest.raises(ServerProblem) as problem:
        server.client.post(path, values)
    return problem.value


def until_worker(server, ask):
    """The answer once a worker is there again."""
    for _ in range(1200):
        try:
            return ask()
        except ServerProblem as problem:
            assert problem.status == 503, problem
            time.sleep(0.05)
    raise AssertionError("no worker came back")


def until_busy(server):
    """Wait until the worker searches."""
    (worker,) = server.workers()
    before = worker.cpu_times().user
    while worker.cpu_times().user < before + 0.1:
        time.sleep(0.02)


def test_games_and_their_schema_are_told(server):
    told = {each["id"]: protocol.Game(**each) for each in server.client.games()}
    assert {*told} == {"kuhn-poker", "tic-tac-toe", "weird"}
    assert told["kuhn-poker"].hides
    assert told["tic-tac-toe"].fields == {"marks": [2], "player": [], "winner": []}
    paths = server.client.ask("GET", "/openapi.json")["paths"]
    assert {"/v1/decide", "/v1/matches", "/v1/matches/act"} <= {*paths}


def test_an_answer_is_the_same_cold_warm_elsewhere_and_after_a_kill(server, replica):
    agents = ("level:easy", *sized((), ("so-ismcts:belief=particles(worlds=50)",)))
    asked = [
        request(seed=seed, agent=agents[seed % len(agents)], history=seen(seed))
        for seed in range(sized(3, 250))
    ]
    asked.append(request("tic-tac-toe"))
    # an agent that no level names is compiled first, and its requests are refused meanwhile
    cold = [until_worker(server, lambda each=each: server.client.decide(each)) for each in asked]
    for each in cold:
        protocol.Decided(**each)
    warm = [server.client.decide(each) for each in asked]
    server.workers()[0].kill()
    killed = [until_worker(server, lambda each=each: server.client.decide(each)) for each in asked]
    elsewhere = [
        until_worker(replica, lambda each=each: replica.client.decide(each)) for each in asked
    ]
    for answers in (warm, killed, elsewhere):
        assert [*map(pure, answers)] == [*map(pure, cold)]


def test_a_killed_worker_costs_one_request(server):
    """The request that it works on is refused with a time to ask again; the next is answered."""
    found = []
    slow = request("tic-tac-toe", budget={"seconds": 5}, deadline_ms=10_000)

    def ask():
        try:
            server.client.decide(slow)
        except ServerProblem as problem:
            found.append(problem)

    thread = threading.Thread(target=ask)
    thread.start()
    until_busy(server)
    server.workers()[0].kill()
    thread.join(20)
    assert [(each.status, each.code) for each in found] == [(503, "worker-died")]
    assert found[0].retry_after_ms
    assert until_worker(server, lambda: server.client.decide(request()))["iterations"] == 40


def test_a_rule_that_never_ends_costs_its_request_and_its_worker(server):
    assert server.client.decide(weird())["best"] in (0, 1)
    before = server.workers()[0].pid
    problem = problem_of(server, weird(weird=1))
    assert (problem.status, problem.code) == (422, "never-ended")
    assert until_worker(server, lambda: server.client.decide(weird()))["best"] in (0, 1)
    assert server.workers()[0].pid != before


def test_a_token_that_ends_three_workers_is_locked_out(tmp_path):
    """The other token is still served."""
    tokens = "".join(
        f'[[tokens]]\nname = "{name}"\nsha256 = "{hashlib.sha256(name.encode()).hexdigest()}"\n'
        for name in ("bad", "good")
    )
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, settings=SETTINGS + tokens))
        server.wait()
        url = f"http://127.0.0.1:{server.port}"
        bad, good = (
            stack.enter_context(contextlib.closing(Client(url, name))) for name in ("bad", "good")
        )
        for _ in range(3):
            until_worker(server, lambda: good.decide(weird()))
            with pytest.raises(ServerProblem) as problem:
                bad.decide({**weird(weird=1), "deadline_ms": 300})
            assert problem.value.code == "never-ended"
        with pytest.raises(ServerProblem) as problem:
            bad.decide(weird())
        assert (problem.value.status, problem.value.code) == (403, "locked-out")
        assert until_worker(server, lambda: good.decide(weird()))["best"] in (0, 1)


@pytest.mark.parametrize("fault", [2, 3, 4], ids=["raises", "nan", "writes too far"])
def test_a_rule_that_fails_refuses_the_request(server, fault):
    problem = problem_of(server, weird(weird=fault))
    assert (problem.status, problem.code) == (422, "impossible")


def test_requests_that_are_wrong_are_refused_by_name(server):
    leak = request()
    leak["history"][0]["view"] = fields_of_truth()
    for values, status, code, field in (
        ({**request(), "extra": 1}, 422, "request", "extra"),
        ({**request(), "seed": "5"}, 422, "request", "seed"),
        ({**request(), "budget": {}}, 422, "request", "budget"),
        ({**request(), "budget": {"iterations": 10**9}}, 422, "request", "budget.iterations"),
        ({**request(), "game": "chess"}, 404, "unknown-game", "game"),
        ({**request(), "game": "/etc/passwd"}, 404, "unknown-game", "game"),
        ({**request(), "agent": "level:x"}, 422, "unknown-level", "agent"),
        ({**request(), "rules": "00"}, 409, "other-rules", "rules"),
        (leak, 422, "shows-hidden", "history[0].view.card"),
    ):
        problem = problem_of(server, values)
        assert (problem.status, problem.code, problem.field) == (status, code, field)


def fields_of_truth():
    game = pg.games.KuhnPoker()
    world = game.start(1)
    return {**fields(world.hide(0)), "card": world.record["card"].tolist()}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422), (b"", 422), (b"[" * 100_000, 400), (b"\xff\xfe", 422), (b"null", 422),
        (b'{"seed":NaN}', 422), (b"x" * 300_000, 413),
    ],
)  # fmt: skip
def test_bytes_that_are_no_request_are_refused_as_problems(server, body, status):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/v1/decide", body, {"content-type": "application/json"})
    response = connection.getresponse()
    protocol.Problem(**json.loads(response.read()))
    assert response.status == status
    connection.close()


def test_other_addresses_are_problems_too(server):
    for path, status in (("/v1/nothing", 404), ("/v1/decide", 405)):
        with pytest.raises(ServerProblem) as problem:
            server.client.ask("GET", path)
        assert problem.value.status == status
        assert problem.value.code


def test_a_match_goes_on_at_another_replica_and_is_verified(server, replica, tmp_path):
    places = [server.client, replica.client]
    placed = server.client.start("tic-tac-toe", ["me", "level:easy"], name="Ada")
    protocol.Placed(**placed)
    while not placed["position"]["over"]:
        places.reverse()
        placed = places[0].act(placed, placed["position"]["actions"][0]["id"])
    file = tmp_path / "record.json"
    file.write_text(json.dumps(places[1].record(placed)))
    verify(Record.load(file))


def test_a_played_ply_is_not_played_again(server):
    placed = server.client.start("tic-tac-toe", ["me", "level:easy"])
    after = server.client.act(placed, placed["position"]["actions"][0]["id"])
    with pytest.raises(ServerProblem) as problem:
        server.client.post("/v1/matches/act", {**hosted(after), "ply": 0, "action": 1})
    assert (problem.value.status, problem.value.code) == (409, "other-ply")
    back = server.client.back(after, 0)
    assert {**back["position"]} == {**placed["position"]}


def test_a_kept_match_survives_its_server_and_a_stopped_server_drops_nothing(tmp_path):
    options = ("--store", f"sqlite:{tmp_path / 'matches.db'}")
    with serving(tmp_path, *options) as first:
        first.wait()
        placed = first.client.start("tic-tac-toe", ["me", "level:easy"])
        assert placed.get("ticket") is None
        action = placed["position"]["actions"][0]["id"]
        after = first.client.act(placed, action)
        assert first.client.act(placed, action)["position"] == after["position"]
        with pytest.raises(ServerProblem) as problem:
            first.client.act(placed, placed["position"]["actions"][1]["id"])
        assert problem.value.code == "other-ply"
        for path, more in (("back", {"to_ply": 0}), ("record", {})):
            refused = problem_of(first, {**hosted(after), **more}, f"/v1/matches/{path}")
            assert refused.status in (403, 409)
        first.stop(signal.SIGKILL)
    with serving(tmp_path, *options) as second:
        second.wait()
        found = second.client.post("/v1/matches/position", hosted(after))
        assert found["position"] == after["position"]
        waiting, told = two_people(second)
        drops_nothing(second)
        waiting.join(20)
        assert told[-1][0] == "bye"


def two_people(server):
    """Two people play until the first waits again; their stream, and what it is told."""

    def waiting(placed):
        told = []
        values = hosted(placed)
        thread = threading.Thread(
            target=lambda: told.extend(events(server, "/v1/matches/wait", values))
        )
        thread.start()
        time.sleep(0.3)
        return thread, told

    mine = server.client.start("kuhn-poker", ["human", "me"])
    yours = server.client.join(mine["invitations"][0]["invitation"], "Bob")
    thread, told = waiting(mine)
    server.client.act(yours, yours["position"]["actions"][0]["id"])
    thread.join(20)
    assert [name for name, _ in told] == ["position", "done"]
    assert told[1][1]["position"]["actions"]
    assert server.client.wait(mine)["position"] == told[1][1]["position"]
    return waiting(yours)


def drops_nothing(server):
    """Tell a server to stop while it works: it is not ready any more, but ends what it began."""
    found = []
    slow = request("tic-tac-toe", budget={"seconds": 3}, deadline_ms=10_000)
    thread = threading.Thread(target=lambda: found.append(server.client.decide(slow)))
    thread.start()
    until_busy(server)
    server.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", "/readyz")
    assert connection.getresponse().status == 503
    connection.close()
    thread.join(30)
    assert found[0]["best"] in range(9)
    assert server.process.wait(30) == 0


def test_a_stream_tells_thoughts_and_then_the_decision(server):
    asked = request("tic-tac-toe", budget={"seconds": 0.8}, deadline_ms=8000, report_every_ms=100)
    found = events(server, "/v1/decide", asked)
    assert [name for name, _ in found][-1] == "done"
    thoughts = [data for name, data in found if name == "thought"]
    assert thoughts
    for each in thoughts:
        protocol.Thought(**each)
    protocol.Decided(**found[-1][1])
    start = {"game": "tic-tac-toe", "seats": ["level:easy", "me"]}
    names = [name for name, _ in events(server, "/v1/matches", start)]
    assert names == ["position", "done"]
    assert events(server, "/v1/decide", {**request(), "game": "chess"})[-1][0] == "problem"


def test_whoever_leaves_frees_the_worker(server):
    """A request of 8 seconds is abandoned, and the next is answered long before they are over."""
    slow = request("tic-tac-toe", budget={"seconds": 8}, deadline_ms=20_000)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/v1/decide", json.dumps(slow), {"content-type": "application/json"})
    until_busy(server)
    connection.close()
    began = time.monotonic()
    until_worker(server, lambda: server.client.decide(request()))
    assert time.monotonic() - began < 5


def test_a_remote_agent_plays_in_a_match(server):
    remote = RemoteAgent(f"http://127.0.0.1:{server.port}", game="kuhn-poker", iterations=30)
    agent = pg.Agent(pg.UCT(), budget=pg.Budget(iterations=30), remembers="turn")
    game = pg.games.KuhnPoker()
    for seed in (2**255 + 1, 2**255 + 2):
        one, other = (
            pg.play(game, [each, pg.Agent(pg.Random())], seed=seed) for each in (remote, agent)
        )
        assert one.actions == other.actions


def test_what_the_page_shows_works(server):
    """The page about serving: its requests in JSON, and its program in Python."""
    blocks = re.findall(r"```(?:json|python)\n(.*?)```", PAGE, re.DOTALL)
    decide, program = (
        next(each for each in blocks if word in each) for word in ('"history"', "import Client")
    )
    asked = re.search(r"-d '(.*?)'", PAGE)
    placed = server.client.post("/v1/matches", json.loads(asked[1]))
    assert placed["position"]["actions"]
    assert server.client.decide(json.loads(decide))["iterations"] == 1000
    exec(program.replace(":8008", f":{server.port}"), {})


def test_workers_analyse_and_play_for_people_who_look_on(server, tmp_path):
    placed = server.client.start("kuhn-poker", ["me", "level:easy"], seed=1, advice="level:easy")
    values = {"ticket": placed["ticket"], "seat": 0, "want": ["values", "belief"]}
    values["budget"] = {"iterations": 50}
    found = events(server, "/v1/analyse", values)
    assert [name for name, _ in found][-1] == "done"
    protocol.Analysed(**found[-1][1])
    assert found[-1][1]["thought"]["iterations"] == 50
    assert server.client.analyse(values)["belief"] == found[-1][1]["belief"]
    assert server.client.resign(placed)["position"]["resigned"] == 0
    seats = {"seats": ["level:easy", "level:easy"], "pace_ms": 0}
    *shown, (last, done) = events(server, "/v1/watch", {"game": "kuhn-poker", **seats})
    assert last == "done"
    assert len(shown) == len(done["record"]["moves"]) + 1
    file = tmp_path / "record.json"
    file.write_text(json.dumps(done["record"]))
    verify(Record.load(file))


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_program_in_javascript_plays_a_match(server, tmp_path):
    program = re.search(r"```js\n(.*?)```", PAGE, re.DOTALL)[1]
    (tmp_path / "play.js").write_text(program.replace(":8008", f":{server.port}"))
    done = subprocess.run(
        ["node", "play.js"], cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"\[ -?[\d.]+, -?[\d.]+ \]\s*$", done.stdout)


def test_a_server_without_tokens_is_not_open_to_others(tmp_path):
    with serving(tmp_path, "--host", "0.0.0.0") as server:
        assert server.process.wait(60) == 2
        assert "needs tokens" in server._log.read_text()


def test_a_server_of_an_unknown_game_does_not_start(tmp_path):
    with serving(tmp_path, settings='[games]\nchess = "chess"') as server:
        assert server.process.wait(60) == 2
        assert "chess" in server._log.read_text()
