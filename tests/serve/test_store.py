"""Kept matches: nobody overwrites what another replica has played."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from plyglass.serve.protocol import Refused
from plyglass.serve.store import store_at
from tests.serve.databases import database, is_installed

MATCH = {"id": "m1", "moves": []}


@pytest.fixture(scope="module")
def postgres():
    if not is_installed():
        pytest.skip("PostgreSQL is not installed")
    with database() as found:
        yield found


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'matches.db'}"
    return request.getfixturevalue("postgres").url


def test_only_one_replica_continues_a_match(place):
    async def play():
        one, other = store_at(place), store_at(place)
        match = {**MATCH, "id": os.urandom(4).hex()}
        await one.add("ada", match)
        (seen, state), (same, _) = (
            await one.read("ada", match["id"]), await other.read("ada", match["id"]),
        )  # fmt: skip
        assert state == match
        await one.change("ada", {**match, "moves": [1]}, seen)
        with pytest.raises(Refused, match="continued elsewhere"):
            await other.change("ada", {**match, "moves": [2]}, same)
        changes, state = await other.read("ada", match["id"])
        assert (changes, state["moves"]) == (1, [1])
        for store in (one, other):
            store.close()

    asyncio.run(play())


def test_a_match_belongs_to_the_key_that_began_it(place):
    async def play():
        store = store_at(place)
        match = {**MATCH, "id": os.urandom(4).hex()}
        await store.add("ada", match)
        for owner, name in (("eve", match["id"]), ("ada", "another")):
            with pytest.raises(Refused) as refused:
                await store.read(owner, name)
            assert refused.value.status == 404
        with pytest.raises(Refused):
            await store.change("eve", match, 0)
        store.close()

    asyncio.run(play())


def test_a_database_that_restarts_costs_no_match(postgres):
    async def play():
        store = store_at(postgres.url)
        match = {**MATCH, "id": os.urandom(4).hex()}
        await store.add("ada", match)
        postgres.restart()
        assert (await store.read("ada", match["id"]))[1] == match
        postgres.restart()
        with pytest.raises(Refused) as refused:
            await store.change("ada", {**match, "moves": [1]}, 0)
        assert refused.value.status == 503
        await store.change("ada", {**match, "moves": [1]}, 0)
        store.close()

    asyncio.run(play())


def test_a_database_that_is_away_is_told_as_a_problem_and_found_again(postgres):
    """A restart takes a while, in which nobody can connect."""

    async def play():
        store = store_at(postgres.url)
        match = {**MATCH, "id": os.urandom(4).hex()}
        await store.add("ada", match)
        postgres.stop()
        try:
            for ask in (store.read("ada", match["id"]), store.change("ada", match, 0)):
                with pytest.raises(Refused) as refused:
                    await ask
                assert refused.value.status == 503
                assert refused.value.retry_after_ms
        finally:
            postgres.start()
        assert (await store.read("ada", match["id"]))[1] == match
        store.close()

    asyncio.run(play())


def test_replicas_that_start_together_share_a_new_table(postgres):
    """Two that make a table at once can both find none, and one of them fails."""
    import psycopg

    with psycopg.connect(postgres.url) as connection:
        connection.execute("DROP TABLE IF EXISTS plyglass_matches")
    with ThreadPoolExecutor(8) as many:
        for store in many.map(store_at, [postgres.url] * 8):
            store.close()


def test_a_place_that_is_no_store_is_refused():
    with pytest.raises(ValueError, match="A store is written sqlite:"):
        store_at("mysql://somewhere")
