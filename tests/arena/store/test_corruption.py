"""Stores whose writer is killed, whose disk is full, or whose files are damaged.

No row is ever wrong, and only rows that were damaged or not yet stored are missing. Every kind of
file gets 200 flipped bits and 50 truncations, and writers die at every named step.
"""

import os
import random
import re
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from plyglass.arena.store import ParquetStore, SqliteStore, StoreError, write_steps
from plyglass.arena.tournament.match_row import digest_of_rows
from tests.arena.store import crash
from tests.arena.store.test_store import (
    TOTAL,
    both,
    finish,
    forks,
    in_another_process,
    opened,
    some_rows,
)
from tests.sizes import sized

pytest.importorskip("pyarrow")

BATCH = 3
ROWS = 120
FLIPS, TRUNCATIONS = sized(50, 200), sized(15, 50)
FILES = {  # kind of file -> (kind of store, which files)
    "database": ("sqlite", "results.sqlite"),
    "log": ("sqlite", "results.sqlite-wal"),
    "shard": ("parquet", "results/shard-*.parquet"),
    "manifest": ("parquet", "results/manifest.json"),
}


# Killed at every point


def add_and_die(kind, directory, point, passed):
    """Add batch by batch what is missing, write down what was acknowledged, and die at a point."""
    rows = some_rows()
    crash.arm(point, passed)
    with (
        (Path(directory) / "acknowledged").open("a") as acknowledged,
        opened(kind, directory) as store,
    ):
        missing = list(store.numbers().missing(TOTAL))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            store.add([rows[number] for number in batch])
            acknowledged.write("".join(f"{number}\n" for number in batch))
            acknowledged.flush()


POINTS = {
    "sqlite": ["before-write", "mid-write", "written-not-acknowledged"],
    "parquet": [
        "before-write", "mid-write", "mid-rename", "after-rename", "mid-manifest",
        "mid-manifest-rename", "mid-merge",
        "written-not-acknowledged",
    ],
}  # fmt: skip
REPAIRS = ["mid-salvage", "mid-repair"]


def acknowledged_in(directory):
    return {int(line) for line in (Path(directory) / "acknowledged").read_text().split()}


@pytest.mark.parametrize(
    ("kind", "point"), [(kind, point) for kind, points in POINTS.items() for point in points]
)
def test_whatever_point_a_writer_dies_at_nothing_acknowledged_is_lost_and_the_rest_is_played(
    kind, point, tmp_path
):
    rows = some_rows()
    # the sixteenth shard is followed by a merge
    for passed in [1] if point == "mid-merge" else sized([2, 17], [1, 2, 16, 17, 18]):
        directory = tmp_path / str(passed)
        directory.mkdir()
        assert in_another_process(add_and_die, kind, directory, point, passed) == crash.KILLED
        with opened(kind, directory) as store:
            assert store.check() == []
            stored = {row.number: row for row in store.rows()}
            assert acknowledged_in(directory) <= set(stored)
            assert all(row == rows[number] for number, row in stored.items())
            finish(store, rows)
            assert digest_of_rows(store.rows()) == digest_of_rows(rows)
        assert not list(directory.rglob("*.tmp"))


@both
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_rows(kind, tmp_path):
    luck, deaths = random.Random(3), 0
    while (
        in_another_process(
            add_and_die, kind, tmp_path, luck.choice(POINTS[kind][1:]), luck.randint(2, 6)
        )
        == crash.KILLED
    ):
        deaths += 1
    with opened(kind, tmp_path) as store:
        assert digest_of_rows(store.rows()) == digest_of_rows(some_rows())
    assert deaths >= 3


def check_and_die(directory, point):
    crash.arm(point)
    opened("sqlite", directory).check()


@pytest.mark.parametrize("point", REPAIRS)
def test_a_repair_that_is_killed_is_finished_by_the_next_who_opens(point, tmp_path):
    rows = some_rows()
    with opened("sqlite", tmp_path) as store:
        store.add(rows)
        store._database.execute("UPDATE matches SET steps = steps + 1 WHERE number = 7")
    assert in_another_process(check_and_die, tmp_path, point) == crash.KILLED
    with opened("sqlite", tmp_path) as store:
        store.check()
        assert list(store.numbers().missing(TOTAL)) == [7]
        finish(store, rows)
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)


def test_every_step_is_explained_and_tried():
    package = Path(write_steps.__file__).parent
    text = "".join(path.read_text() for path in package.glob("*.py"))
    named = set(re.findall(r'(?:reached\(|halfway=|before_rename=)"([a-z-]+)"', text))
    assert (
        named
        == {*POINTS["sqlite"], *POINTS["parquet"], *REPAIRS}
        == set(re.findall(r"^\| ([a-z-]+) \|", write_steps.__doc__, re.M)) - {"step"}
    )


def reach_twice_and_die(said):
    crash.arm("here", 2)
    for step in ("here", "elsewhere", "here"):
        said.append(step)
        write_steps.reached(step)
    said.append("still alive")


def test_a_process_dies_when_a_step_is_reached_for_the_given_time():
    with forks.Manager() as manager:
        said = manager.list()
        assert in_another_process(reach_twice_and_die, said) == crash.KILLED
        assert list(said) == ["here", "elsewhere", "here"]
    write_steps.reached("here")  # nobody has armed it here


# What cannot be written


def fill_the_disk(kind, directory, said):
    import resource

    rows = some_rows(2000)
    with opened(kind, directory) as store:
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (15_000, limits[1]))
        try:
            for start in range(0, 2000, 500):
                store.add(rows[start : start + 500])
        except StoreError as error:
            said.put(str(error))
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        finish(store, rows[:1500])


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are POSIX")
@both
def test_a_full_disk_is_an_error_that_names_the_file_and_the_run_goes_on_when_there_is_room(
    kind, tmp_path
):
    said, rows = forks.Queue(), some_rows(2000)
    assert in_another_process(fill_the_disk, kind, tmp_path, said) == 0
    assert re.search(r"results.* cannot be read or written: ", said.get(timeout=60))
    with opened(kind, tmp_path) as store:
        assert store.check() == []
        finish(store, rows)
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)


def open_as_nobody(kind, directory, said):
    if os.geteuid() == 0:
        os.setuid(65534)  # the superuser may write anywhere
    try:
        opened(kind, directory).close()
    except StoreError as error:
        said.put(str(error))


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of directories are POSIX")
@both
def test_a_read_only_directory_is_an_error_that_names_the_file(kind):
    said = forks.Queue()
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o555)
        assert in_another_process(open_as_nobody, kind, directory, said) == 0
        Path(directory).chmod(0o755)
    assert re.search(
        r"results.* cannot be read or written: Permission denied", said.get(timeout=60)
    )


# Damaged


@pytest.fixture
def in_memory():
    """A directory in memory, if the system has that: waiting for a disk takes most of the time."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory)


def written(file, directory):
    """A store as it lies on disk: closed, or for its log as a killed process leaves it."""
    kind = FILES[file][0]
    rows, work = some_rows(ROWS), directory / "work"
    work.mkdir()
    with opened(kind, work) as store:
        for start in range(0, ROWS, 40):
            store.add(rows[start : start + 40])
        if file == "log":
            shutil.copytree(work, directory / "sound")
    if file != "log":
        shutil.copytree(work, directory / "sound")
    return directory / "sound"


def flip(path, luck):
    data = bytearray(path.read_bytes())
    data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
    path.write_bytes(data)


def truncate(path, luck):
    data = path.read_bytes()
    path.write_bytes(data[: luck.randrange(len(data))])


def outcome(kind, directory, rows):
    """What became of a damaged store.

    Nothing it returns may be wrong, and playing what is missing must make it whole for good.
    """
    with opened(kind, directory) as store:
        found = store.check()
        kept = list(store.rows())
        assert all(
            row == rows[row.number] and row.seconds == rows[row.number].seconds for row in kept
        )
        assert [row.number for row in kept] == list(store.numbers())
        lost = finish(store, rows)
        assert lost == ROWS - len(kept)
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)
    with opened(kind, directory) as store:
        assert store.check() == []
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)
    return ("detected" if found or lost else "harmless"), lost


@pytest.mark.parametrize("file", FILES)
def test_every_flipped_bit_and_every_truncation_is_detected_or_harmless(file, in_memory, capsys):
    kind, pattern = FILES[file]
    sound, rows, luck = written(file, in_memory), some_rows(ROWS), random.Random(file)
    outcomes, most_lost = {"detected": 0, "harmless": 0}, 0
    for damage in [flip] * FLIPS + [truncate] * TRUNCATIONS:
        directory = in_memory / "case"
        shutil.copytree(sound, directory)
        damage(luck.choice(sorted(directory.glob(pattern))), luck)
        verdict, lost = outcome(kind, directory, rows)
        outcomes[verdict] += 1
        if damage is flip:
            most_lost = max(most_lost, lost)
        shutil.rmtree(directory)
    with capsys.disabled():
        print(
            f"\n{file}: {outcomes['detected']} detected, {outcomes['harmless']} harmless; a flip "
            f"cost at most {most_lost} of {ROWS} rows"
        )
    assert sum(outcomes.values()) == FLIPS + TRUNCATIONS
    assert most_lost <= {"database": 30, "log": 25, "shard": 40, "manifest": 0}[file]


@pytest.mark.parametrize("file", FILES)
def test_a_sound_store_is_not_taken_for_a_damaged_one(file, in_memory):
    assert outcome(FILES[file][0], written(file, in_memory), some_rows(ROWS)) == ("harmless", 0)


# The key of a run is among its settings, and a repair must not lose it.


def test_a_repaired_database_keeps_the_settings_it_was_made_with(tmp_path):
    path = tmp_path / "results.sqlite"
    with SqliteStore(path, "run", "settings with a key") as store:
        store.add(some_rows())
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE matches SET offender = offender + 1 WHERE number = 3")
        database.commit()
    with SqliteStore(path, "run", "settings with another key") as store:
        assert store.check()
        assert store.settings == "settings with a key"
    with SqliteStore(path, "run", "settings with another key") as store:
        assert store.settings == "settings with a key"


def test_a_manifest_made_again_keeps_the_settings_of_the_shards(tmp_path):
    with ParquetStore(tmp_path / "results", "run", "settings with a key") as store:
        store.add(some_rows())
    (tmp_path / "results" / "manifest.json").unlink()
    with ParquetStore(tmp_path / "results", "run", "settings with another key") as store:
        store.check()
        assert store.settings == "settings with a key"
    with ParquetStore(tmp_path / "results", "run", "settings with another key") as store:
        assert store.settings == "settings with a key"
