"""200 flipped bits and 50 truncations of every kind of file: no row is ever wrong, and only what is damaged is missing."""

import random
import shutil
import tempfile
from pathlib import Path

import pytest

from plyglass.arena.rows import digest_of_rows

from .test_store import finish, opened, some_rows

pytest.importorskip("pyarrow")

TOTAL = 120
FLIPS, TRUNCATIONS = 200, 50
FILES = {  # kind of file -> (kind of store, which files)
    "database": ("sqlite", "results.sqlite"),
    "log": ("sqlite", "results.sqlite-wal"),
    "shard": ("parquet", "results/shard-*.parquet"),
    "manifest": ("parquet", "results/manifest.json"),
}


@pytest.fixture
def in_memory():
    """A directory, in memory where the system has that: nothing here loses power, and waiting for a disk takes most of the time."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory)


def written(file, directory):
    """A store as it lies on disk: closed, or for its log as a killed process leaves it."""
    kind = FILES[file][0]
    rows, work = some_rows(TOTAL), directory / "work"
    work.mkdir()
    with opened(kind, work) as store:
        for start in range(0, TOTAL, 40):
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
    """What became of a damaged store. Nothing it returns may be wrong, and playing what is missing must make it whole for good."""
    with opened(kind, directory) as store:
        found = store.check()
        kept = list(store.rows())
        assert all(row == rows[row.number] and row.seconds == rows[row.number].seconds for row in kept)
        assert [row.number for row in kept] == list(store.numbers())
        lost = finish(store, rows)
        assert lost == TOTAL - len(kept)
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)
    with opened(kind, directory) as store:
        assert store.check() == []
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)
    return ("detected" if found or lost else "harmless"), lost


@pytest.mark.parametrize("file", FILES)
def test_every_flipped_bit_and_every_truncation_is_detected_or_harmless(file, in_memory, capsys):
    kind, pattern = FILES[file]
    sound, rows, luck = written(file, in_memory), some_rows(TOTAL), random.Random(file)
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
            f"\n{file}: {outcomes['detected']} detected, {outcomes['harmless']} harmless; a flip cost at most {most_lost} of {TOTAL} rows"
        )
    assert sum(outcomes.values()) == FLIPS + TRUNCATIONS
    assert most_lost <= {"database": 30, "log": 25, "shard": 40, "manifest": 0}[file]


@pytest.mark.parametrize("file", FILES)
def test_a_sound_store_is_not_taken_for_a_damaged_one(file, in_memory):
    assert outcome(FILES[file][0], written(file, in_memory), some_rows(TOTAL)) == ("harmless", 0)
