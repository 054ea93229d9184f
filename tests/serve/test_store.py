"""Kept matches: nobody overwrites what another replica has played."""

import asyncio
import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from plyglass.serve.protocol import Refused
from plyglass.serve.store import store_at

MATCH = {"id": "m1", "moves": []}


def binary(name):
    """A program of PostgreSQL, which Debian keeps apart."""
    found = [*Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), shutil.which(name)]
    return next((str(each) for each in found if each), None)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """A database of PostgreSQL on a free port, run by an unprivileged user."""
    if not binary("initdb") or not binary("pg_ctl"):
        pytest.skip("PostgreSQL is not installed")
    folder = tmp_path_factory.mktemp("postgres") / "data"
    folder.mkdir()
    for each in (folder, *folder.parents[:3]):
        each.chmod(0o755)
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = {"check": True, "capture_output": True, "cwd": folder}
    subprocess.run([*user, binary("initdb"), "-D", folder, "-A", "trust", "-U", "me"], **run)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder}"
    control = [*user, binary("pg_ctl"), "-D", folder, "-w"]
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*control, "-o", options, "-l", folder / "log", "start"], **quiet)

    def restart():
        subprocess.run([*control, "-o", options, "-l", folder / "log", "restart"], **quiet)

    yield f"postgresql://me@127.0.0.1:{port}/postgres", restart
    subprocess.run([*control, "-m", "immediate", "stop"], **quiet)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    if request.param == "sqlite":
        return f"sqlite:{tmp_path / 'matches.db'}"
    return request.getfixturevalue("postgres")[0]


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
    place, restart = postgres

    async def play():
        store = store_at(place)
        match = {**MATCH, "id": os.urandom(4).hex()}
        await store.add("ada", match)
        restart()
        assert (await store.read("ada", match["id"]))[1] == match
        restart()
        with pytest.raises(Refused) as refused:
            await store.change("ada", {**match, "moves": [1]}, 0)
        assert refused.value.status == 503
        await store.change("ada", {**match, "moves": [1]}, 0)
        store.close()

    asyncio.run(play())


def test_a_place_that_is_no_store_is_refused():
    with pytest.raises(ValueError, match="A store is written sqlite:"):
        store_at("mysql://somewhere")
