"""The server's reviews of records equal those of `pg.review` and `pg.why`."""

import plyglass as pg
from plyglass.serve import protocol
from plyglass.serve.catalogue import Catalogue
from plyglass.serve.settings import Settings
from tests.serve.test_app import api
from tests.serve.test_people import events

CATALOGUE = Catalogue(Settings(games={"tic-tac-toe": "tic-tac-toe", "kuhn": "kuhn-poker"}))
STREAM = "text/event-stream"
RANDOM = pg.Agent(pg.Random())


def record_of(game, seed):
    return pg.record_of(pg.play(game, [RANDOM] * 2, seed=seed)).sealed()


def asked(scenario):
    api(scenario, catalogue=CATALOGUE)


def test_a_review_streams_every_decision():
    record = record_of(pg.games.TicTacToe(), 3)

    async def scenario(ask, service):
        _, text = await ask("/v1/review", {"record": record, "pairs": 8}, STREAM)
        found = events(text)
        reviewed = [data for name, data in found if name == "reviewed"]
        assert [each["ply"] for each in reviewed] == list(range(len(record["moves"])))
        assert [each["action"] for each in reviewed] == [m["action"] for m in record["moves"]]
        for each in reviewed:
            protocol.Reviewed(**each)
        assert found[-1][0] == "done"
        _, text = await ask("/v1/review", {"record": record, "pairs": 8, "plies": [2]}, STREAM)
        (again,) = [data for name, data in events(text) if name == "reviewed"]
        assert again == reviewed[2]

    asked(scenario)


def test_why_is_that_of_the_library():
    game = pg.games.KuhnPoker()
    match = pg.record_of(pg.play(game, [RANDOM] * 2, seed=5))
    record = match.sealed()
    played = record["moves"][0]["action"]

    async def scenario(ask, service):
        values = {"record": record, "ply": 0, "instead": 1 - played, "pairs": 16, "seed": 3}
        status, found = await ask("/v1/why", values)
        assert status == 200, found
        protocol.Why(**found)
        own = pg.why(match, 0, 1 - played, pairs=16, game=game, seed=3)
        assert found["sentence"] == own.sentence
        assert found["better"] == own.better
        status, problem = await ask("/v1/why", {**values, "instead": played})
        assert (status, problem["code"]) == (422, "illegal-action")
        status, problem = await ask("/v1/why", {**values, "ply": 99})
        assert (status, problem["code"]) == (409, "other-ply")

    asked(scenario)


def test_a_record_with_impossible_moves_is_refused():
    record = record_of(pg.games.TicTacToe(), 3)
    record["moves"][1]["action"] = record["moves"][0]["action"]

    async def scenario(ask, service):
        _, text = await ask("/v1/review", {"record": record, "pairs": 8}, STREAM)
        assert [name for name, _ in events(text)] == ["problem"]
        status, _ = await ask("/v1/why", {"record": record, "ply": 0, "instead": 3})
        assert status == 422

    asked(scenario)
