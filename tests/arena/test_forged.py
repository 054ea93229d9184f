"""Files from strangers: nothing that a record or a store names is imported, opened or run."""

import importlib.metadata
import json
import shutil
import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import plyglass as pg
from plyglass import extensions
from plyglass.arena.match.record import moves_of, position
from plyglass.arena.match.starts import start_from
from plyglass.arena.store import ParquetStore, StoreError
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.settings import Settings
from plyglass.cli.session import resumed_session
from plyglass.report.drawing.frames import frames_of_record
from plyglass.report.folder import markdown_of, tables_of, write_report
from plyglass.report.page import page
from plyglass.report.results import results
from plyglass.report.run import load
from tests.arena.forgery import (
    FUNCTIONS,
    GAMES,
    PLAYERS,
    Watch,
    forged_record,
    forged_store,
    plant,
    ran,
)
from tests.sizes import sized

watch = Watch()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with an attacker's files, one of which is an installed package's."""
    _ = pg.games.Pig().table  # Plyglass opens its own library once, which is no trap
    plant(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = importlib.metadata.EntryPoint("evil-offer", "evil_module:Evil", "plyglass.games")
    monkeypatch.setattr(
        extensions,
        "_offered",
        lambda kind, path: (extensions.Offer(kind, "evil-offer", "", entry),),
    )
    return tmp_path


def refused(*calls):
    """Call all, each of which is refused in a sentence, and return what they said."""
    said = []
    with watch():
        for call in calls:
            with pytest.raises((ValueError, pg.RecordMismatch)) as caught:
                call()
            said.append(str(caught.value))
    assert not watch.traps()
    return said


@pytest.mark.parametrize("text", GAMES.values(), ids=GAMES)
def test_no_game_of_a_record_is_imported_or_opened(folder, text):
    record = pg.Record.load(forged_record(folder / "match.json", game=text))
    saved = forged_record(folder / "saved.json", game=text, scores=[], players=["person", "random"])
    said = refused(
        lambda: pg.verify(record),
        lambda: pg.replay(record),
        lambda: position(record, 2),
        lambda: moves_of(record, pg.games.Pig()),
        lambda: frames_of_record(record),
        lambda: resumed_session(saved, None),
        lambda: start_from("match.json@2")(pg.games.Pig(), 0),
    )
    assert not ran(folder)
    assert "Records and stores are data" in said[0]


@pytest.mark.parametrize("text", PLAYERS.values(), ids=PLAYERS)
def test_no_player_of_a_record_is_imported(folder, text):
    record = pg.Record.load(forged_record(folder / "match.json", players=[text, "random"]))
    advised = ["person:Ada advised by " + text, "random"]
    saves = [
        forged_record(folder / f"{number}.json", scores=[], players=players)
        for number, players in enumerate(([text, "person"], advised))
    ]
    refused(
        lambda: pg.verify(record),
        lambda: pg.replay(record),
        lambda: frames_of_record(record),
        *(lambda save=save: resumed_session(save, None) for save in saves),
    )
    assert not ran(folder)


def test_a_start_of_a_record_runs_only_if_it_is_a_position(folder):
    game = pg.games.TicTacToe()
    right = game.start(0).row().tobytes()
    with suppress(pg.RecordMismatch):  # so that nothing has to be compiled below
        pg.verify(pg.Record.load(forged_record(folder / "match.json", start=right.hex())))
    for data in (b"\xff" * len(right), right[:-1], right + b"\0", bytes([255]) + right[1:]):
        record = pg.Record.load(forged_record(folder / "match.json", start=data.hex()))
        with suppress(ValueError, pg.RecordMismatch), watch():
            pg.verify(record)
        assert not watch.traps()


@pytest.mark.parametrize("kind", ["sqlite", "parquet"])
@pytest.mark.parametrize(
    "changes",
    [
        *({"games": [text]} for text in GAMES.values()),
        *({"agents": {"one": text, "two": "random"}} for text in PLAYERS.values()),
        {"agents": {"one": "evil.py@Evil", "two": "random"}, "isolate": True},
        *FUNCTIONS.values(),
    ],
    ids=[*GAMES, *PLAYERS, "an isolated player", *FUNCTIONS],
)
def test_a_report_of_a_forged_store_imports_and_opens_nothing(folder, kind, changes):
    name = "run.sqlite" if kind == "sqlite" else "run"
    place = forged_store(folder / name, **changes)
    (folder / "records").mkdir()
    forged_record(folder / "records" / "a.json", players=["person", "evil.py@Evil"])
    before = contents(place)
    drawn = sized(changes == {"games": ["evil.py"]} and kind == "sqlite", True)
    with watch():
        run = load(place, folder / "records")
        if drawn:
            write_report(run, folder / "report")
        assert page(run) and markdown_of(run) and tables_of(run)
        results(place)
    assert len(run.rows) == 4
    assert not watch.traps()
    assert not ran(folder)
    assert contents(place) == before


def test_a_store_without_facts_of_a_users_game_asks_for_its_settings(folder):
    place = forged_store(folder / "run.sqlite", facts=False, games=["evil.py"])
    (said,) = refused(lambda: load(place))
    assert "--settings settings.toml" in said
    assert not ran(folder)


def test_a_resumed_run_takes_only_the_key_from_its_store(folder):
    settings = Settings(("tic-tac-toe",), {"one": "random", "two": "random"}, deals=2)
    place = folder / "run.sqlite"
    with open_run(place, settings):
        pass
    kept = json.dumps({**json.loads(settings.canonical), "measures": ["evil.py@evil"]})
    reseal(place, settings.run_id, kept)
    with open_run(place, settings) as store, watch():
        Tournament(settings, store, Quiet()).run()
    assert not watch.traps()


def test_a_manifest_cannot_make_a_store_rename_or_remove_other_files(folder):
    secret = folder / "secret.txt"
    secret.write_text("mine")
    forged_store(folder / "run")
    manifest = folder / "run" / "manifest.json"
    for name in ("../secret.txt", str(secret), "shard-0-../secret.txt"):
        forged = json.loads(manifest.read_text())["content"]
        forged["shards"] = [{"name": name, "digest": "0" * 32, "rows": 1, "numbers": [[0, 0]]}]
        from plyglass.arena.store.manifest import _digest

        manifest.write_text(json.dumps({"content": forged, "digest": _digest(forged)}))
        with pytest.raises(ValueError, match="lists a file that is no shard"):
            load(folder / "run")
        with ParquetStore(folder / "run", forged["run_id"], forged["settings"]) as store:
            assert len(store.numbers()) == 4  # found again by the shards
        assert secret.read_text() == "mine"


@pytest.mark.parametrize(
    "schema",
    [
        "CREATE VIEW run AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT count(*) AS id, '' AS settings, '' AS seal FROM n",
        "CREATE TABLE run (id TEXT, settings TEXT DEFAULT (load_extension('evil.so')), seal BLOB)",
        "CREATE VIRTUAL TABLE run USING fts5(id, settings, seal)",
    ],
)
def test_a_database_with_other_tables_is_refused_before_they_are_read(folder, schema):
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute(schema)
    database.close()
    (said,) = refused(lambda: load(folder / "run.sqlite"))
    assert "is not a store of results" in said


@pytest.mark.parametrize("name", ["run", "matches"])
def test_a_run_is_not_resumed_from_a_table_that_computes_for_ever(folder, name):
    columns = {"run": "id, settings, seal", "matches": "number, status"}[name]
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
    empty = ", ".join(f"'' AS {column.strip()}" for column in columns.split(",")[1:])
    first = columns.split(",")[0]
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute(
            f"CREATE VIEW {name} AS {endless} SELECT count(*) AS {first}, {empty} FROM n"
        )
    database.close()
    settings = Settings(("tic-tac-toe",), {"one": "random", "two": "random"}, deals=2)
    with pytest.raises(StoreError, match="it has views"):
        open_run(folder / "run.sqlite", settings)


def test_a_run_is_not_resumed_with_rows_that_no_match_can_have(folder):
    place = forged_store(folder / "run.sqlite")
    settings = load(place).settings
    with open_run(place, replace(settings, trusted=True)) as store:
        store._database.execute("DELETE FROM matches WHERE number = 3")
        store.add([MatchRow(99, "played", -1, (1.0, 2.0, 3.0), 5, "0" * 32)])
        with pytest.raises(ValueError, match="the match number 99 is wrong here"):
            Tournament(replace(settings, trusted=True), store, Quiet()).run()


class Quiet:
    """A runner that plays nothing."""

    def events(self, canonical, next_chunk):
        return iter(())


def reseal(place, run_id, settings):
    """Give a store other settings, with their seal."""
    from plyglass.arena.store.columns import Seal

    with sqlite3.connect(place) as database:
        seal = Seal("run")((run_id, settings))
        database.execute("UPDATE run SET settings = ?, seal = ?", (settings, seal))
    database.close()


def contents(place: Path) -> dict[str, bytes]:
    """The bytes of a store's files."""
    files = place.rglob("*") if place.is_dir() else [place]
    return {file.name: file.read_bytes() for file in files if file.is_file()}


def test_the_watch_notices_an_import(folder):
    with watch(), suppress(Exception):
        pg.game_from("evil.py")
    assert watch.traps()
    assert ran(folder)
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
