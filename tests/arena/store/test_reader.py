"""Reading never changes a store, notices edits, and works on a read-only disk."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile

import pytest

from plyglass.arena.store import open_store
from plyglass.arena.store.columns import Columns, Seal, columns_of
from plyglass.arena.store.manifest import _digest
from plyglass.report.run import load
from tests.arena.forgery import forged_store

READ = """
import os, sys
from plyglass.report.run import load
load(sys.argv[2])  # imports all that is needed while this is allowed
if os.geteuid() == 0:
    os.setuid(65534)
print(len(load(sys.argv[1]).rows))
"""


@pytest.fixture(params=["run.sqlite", "run"])
def place(request, tmp_path):
    return forged_store(tmp_path / "results" / request.param)


def files_in(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_report_changes_nothing(place):
    before = files_in(place.parent)
    assert len(load(place).rows) == 4
    after = files_in(place.parent)
    assert before.items() <= after.items()
    assert {str(name) for name in after.keys() - before.keys()} <= {
        "run.sqlite-shm",
        "run.sqlite-wal",
    }


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions are those of POSIX")
@pytest.mark.parametrize("with_log", [False, True])
def test_a_store_that_nobody_may_write_to_is_read(place, with_log, tmp_path):
    if with_log and place.is_dir():
        pytest.skip("shards have no log")
    rows = leave_log(place) if with_log else 4
    for path in (*place.parent.rglob("*"), place.parent):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert read_without_rights(place, tmp_path / place.name) == str(rows)
    finally:
        for path in (place.parent, *place.parent.rglob("*")):
            path.chmod(stat.S_IRWXU if path.is_dir() else 0o644)


def leave_log(place):
    """Leave the removal of a row in the log of the database, as a killed writer does."""
    database = sqlite3.connect(place)
    database.execute("PRAGMA wal_autocheckpoint=0")
    database.execute("DELETE FROM matches WHERE number = 3")
    database.commit()
    log = place.with_name(place.name + "-wal")
    kept = place.read_bytes(), log.read_bytes()
    database.close()
    place.write_bytes(kept[0])
    log.write_bytes(kept[1])
    return 3


def read_without_rights(place, copy):
    """Read a store in a process that is not allowed to write to it, whoever runs the tests."""
    forged_store(copy)
    for folder in place.parents:
        if os.geteuid() == 0 and folder.is_relative_to(tempfile.gettempdir()):
            folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(place), str(copy)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


EDITS = [
    "UPDATE run SET settings = replace(settings, 'random', 'uct')",
    "UPDATE run SET id = '0000000000000000'",
    "UPDATE matches SET scores = '[-1.0,1.0]' WHERE number = 2",
    "UPDATE matches SET status = 'crashed' WHERE number = 2",
    "UPDATE matches SET number = 7 WHERE number = 2",
    "INSERT INTO matches SELECT 9, status, offender, scores, steps, digest, seconds, measures, "
    "seat_seconds, code, seal FROM matches WHERE number = 1",
    "DROP TABLE run",
    "DELETE FROM run",
    "CREATE TABLE more (a)",
    "CREATE TRIGGER t AFTER INSERT ON matches BEGIN DELETE FROM matches; END",
]


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_database_is_refused(tmp_path, edit):
    place = forged_store(tmp_path / "run.sqlite")
    with sqlite3.connect(place) as database:
        database.execute(edit)
    database.close()
    with pytest.raises(ValueError, match=r"run\.sqlite"):
        load(place)


def test_a_removed_row_is_told(tmp_path):
    place = forged_store(tmp_path / "run.sqlite")
    with sqlite3.connect(place) as database:
        database.execute("DELETE FROM matches WHERE number = 2")
    database.close()
    assert load(place).decision == "3 of 4 matches played so far"


def test_settings_with_a_seal_that_are_not_those_of_the_run_are_refused(tmp_path):
    place = forged_store(tmp_path / "run.sqlite")
    with sqlite3.connect(place) as database:
        ((run_id, settings),) = database.execute("SELECT id, settings FROM run").fetchall()
        other = settings.replace('"random"', '"greedy"')
        seal = Seal("run")((run_id, other))
        database.execute("UPDATE run SET settings = ?, seal = ?", (other, seal))
    database.close()
    with pytest.raises(ValueError, match="so the settings were edited"):
        load(place)


ODD = [
    {"number": 99},
    {"number": -1},
    {"status": "won"},
    {"offender": 5},
    {"scores": "[1.0]"},
    {"scores": "[5.0,5.0]"},
    {"scores": '{"a":1}'},
    {"scores": "[NaN,1.0]"},
    {"scores": "1],[2"},
    {"scores": "[" * 5000},
    {"scores": None},
    {"steps": -1},
    {"steps": "many"},
    {"seconds": float("inf")},
    {"measures": "[]"},
    {"measures": "{}"},
    {"measures": '{"iterations@7":1.0}'},
    {"measures": '{"a\\u001bb":1.0}'},
    {"measures": '{"x@y":1.0}'},
    {"seat_seconds": "[1.0]"},
    {"code": b"bytes"},
    {"digest": "\x1b[31m"},
]


@pytest.mark.parametrize("changes", ODD, ids=str)
def test_a_row_that_no_match_can_have_is_refused_though_it_has_its_seal(tmp_path, changes):
    place = forged_store(tmp_path / "run.sqlite")
    with sqlite3.connect(place) as database:
        ((run_id,),) = database.execute("SELECT id FROM run").fetchall()
        values = database.execute("SELECT * FROM matches WHERE number = 3").fetchone()[:-1]
        forged = tuple(Columns(*values)._replace(**changes))
        marks = ",".join("?" * (len(forged) + 1))
        database.execute("DELETE FROM matches WHERE number = 3")
        database.execute(f"INSERT INTO matches VALUES ({marks})", (*forged, Seal(run_id)(forged)))
    database.close()
    with pytest.raises(ValueError, match=r"run\.sqlite: "):
        load(place)


@pytest.mark.parametrize("what", ["settings", "run_id", "rows", "numbers", "shards"])
def test_an_edited_manifest_is_refused(tmp_path, what):
    place = forged_store(tmp_path / "run")
    manifest = place / "manifest.json"
    values = json.loads(manifest.read_text())
    part = values["content"] if what in values["content"] else values["content"]["shards"][0]
    part[what] = {"settings": "{}", "run_id": "1", "rows": 3, "numbers": [[0, 2]], "shards": []}[
        what
    ]
    manifest.write_text(json.dumps(values))
    with pytest.raises(ValueError, match="does not have its digest"):
        load(place)
    values["digest"] = _digest(values["content"])
    manifest.write_text(json.dumps(values))
    if what == "shards":
        assert load(place).decision == "0 of 4 matches played so far"
    else:
        with pytest.raises(ValueError, match="run"):
            load(place)


def test_a_store_is_opened_by_its_run_after_a_report(place):
    run = load(place)
    with open_store(place, run.settings.run_id, run.settings.canonical) as store:
        assert [columns_of(row) for row in store.rows()] == [columns_of(row) for row in run.rows]
