"""Stores: a row that is delivered twice counts once, and a resumed run plays only the rest."""

import json
import multiprocessing
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plyglass.arena.store import ParquetStore, Ranges, SqliteStore, Store, StoreError, open_store
from plyglass.arena.tournament.match_row import MatchRow, digest_of_rows

pytest.importorskip("pyarrow")
pytest.importorskip("duckdb")

KINDS = {"sqlite": "results.sqlite", "parquet": "results"}
SETTINGS = '{"games":["hex:size=5"]}'
TOTAL = 60

forks = multiprocessing.get_context("forkserver" if sys.platform != "win32" else "spawn")
if sys.platform != "win32":
    forks.set_forkserver_preload([__name__, "tests.arena.store.test_corruption", "pyarrow.parquet"])


def a_row(number):
    luck = random.Random(number)
    if number % 17 == 5:
        return MatchRow(number, "crashed", number % 2, (), 3, "", luck.random())
    measures = (
        {"depth": luck.random() * 10, "nodes": float(luck.randrange(10**6))} if number % 3 else {}
    )
    return MatchRow(
        number,
        "played",
        -1,
        (luck.random(), -1.0, 0.0),
        luck.randrange(200),
        luck.randbytes(16).hex(),
        luck.random(),
        measures,
    )


def some_rows(total=TOTAL):
    return [a_row(number) for number in range(total)]


def opened(kind, directory, run_id="run-1", **options) -> Store:
    return {"sqlite": SqliteStore, "parquet": ParquetStore}[kind](
        Path(directory) / KINDS[kind], run_id, SETTINGS, **options
    )


def finish(store, rows):
    """Play what is missing."""
    return store.add([rows[number] for number in store.numbers().missing(len(rows))])


def in_another_process(target, *arguments):
    process = forks.Process(target=target, args=arguments)
    process.start()
    process.join()
    return process.exitcode


both = pytest.mark.parametrize("kind", KINDS)


# What is stored


@both
def test_rows_come_back_as_they_were_in_order_of_their_numbers(kind, tmp_path):
    rows = some_rows()
    with opened(kind, tmp_path) as store:
        assert store.add(rows[30:]) == 30
        assert store.add(rows[:30]) == 30
        assert list(store.rows()) == rows
        assert [row.seconds for row in store.rows()] == [row.seconds for row in rows]
    with opened(kind, tmp_path) as store:
        assert list(store.rows()) == rows
        assert (store.settings, store.numbers().spans, store.check()) == (
            SETTINGS,
            ((0, TOTAL - 1),),
            [],
        )


@both
def test_each_result_delivered_up_to_three_times_and_shuffled_changes_nothing(kind, tmp_path):
    rows, luck = some_rows(), random.Random(7)
    delivered = [row for row in rows for _ in range(luck.randint(1, 3))]
    luck.shuffle(delivered)
    with opened(kind, tmp_path) as store:
        new = sum(store.add(delivered[start : start + 7]) for start in range(0, len(delivered), 7))
        assert new == TOTAL
        assert store.add(reversed(rows)) == 0
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)


@both
def test_the_first_result_of_a_match_counts(kind, tmp_path):
    with opened(kind, tmp_path) as store:
        other = MatchRow(3, "hung", 1, (), 0, "")
        assert store.add([a_row(3), other]) == 1
        assert store.add([other]) == 0
        assert list(store.rows()) == [a_row(3)]


@both
def test_a_run_resumes_with_what_is_missing(kind, tmp_path):
    rows = some_rows()
    with opened(kind, tmp_path) as store:
        store.add(rows[10:20] + rows[40:41])
    with opened(kind, tmp_path) as store:
        assert list(store.numbers().missing(45)) == [*range(10), *range(20, 40), *range(41, 45)]
        assert finish(store, rows) == TOTAL - 11
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)


@both
def test_another_run_is_refused_in_a_sentence(kind, tmp_path):
    opened(kind, tmp_path).close()
    with pytest.raises(
        StoreError, match=r"results.* holds the results of run run-1, not of run run-2"
    ):
        opened(kind, tmp_path, run_id="run-2")


@both
def test_integers_and_numbers_that_are_none_survive_the_same_way_in_both_stores(kind, tmp_path):
    with opened(kind, tmp_path) as store:
        store.add(
            [
                MatchRow(
                    0,
                    "played",
                    -1,
                    (1, float("inf"), -0.0),
                    2,
                    "ä'\\",
                    3,
                    {"ünits": 4, "none": float("nan")},
                )
            ]
        )
        text = next(store.rows()).canonical
    assert (
        text == '[0,"played",-1,[1.0,Infinity,-0.0],2,"\\u00e4\'\\\\",'
        '[["none",NaN],["\\u00fcnits",4.0]]]'
    )


@both
def test_an_empty_store_is_empty(kind, tmp_path):
    with opened(kind, tmp_path) as store:
        assert (store.add([]), list(store.rows()), len(store.numbers()), store.check()) == (
            0,
            [],
            0,
            [],
        )


def test_the_name_decides_which_store_is_opened(tmp_path):
    with (
        open_store(tmp_path / "a.sqlite", "run", "") as one,
        open_store(tmp_path / "a", "run", "") as other,
    ):
        assert (type(one), type(other)) == (SqliteStore, ParquetStore)


def test_ranges_are_the_set_of_their_numbers():
    luck = random.Random(1)
    for _ in range(300):
        one, other = ({luck.randrange(30) for _ in range(luck.randrange(25))} for _ in range(2))
        ranges = Ranges.of(luck.sample(sorted(one), len(one)))
        assert list(ranges) == sorted(one)
        assert len(ranges) == len(one)
        assert list(ranges | Ranges.of(sorted(other))) == sorted(one | other)
        assert [number for number in range(-2, 33) if number in ranges] == sorted(one)
        assert list(ranges.missing(20)) == [number for number in range(20) if number not in one]


# SQLite


def add_in_any_order(directory, seed, new):
    luck, rows = random.Random(seed), some_rows(600)
    starts = list(range(0, 600, 5))
    luck.shuffle(starts)
    with opened("sqlite", directory) as store:
        new.put(sum(store.add(rows[start : start + 5]) for start in starts))


def test_two_processes_write_one_database_and_count_every_match_once(tmp_path):
    new = forks.Queue()
    writers = [
        forks.Process(target=add_in_any_order, args=(tmp_path, seed, new)) for seed in range(2)
    ]
    for writer in writers:
        writer.start()
    assert new.get(timeout=60) + new.get(timeout=60) == 600
    for writer in writers:
        writer.join()
    with opened("sqlite", tmp_path) as store:
        assert store.check() == []
        assert digest_of_rows(store.rows()) == digest_of_rows(some_rows(600))


def test_another_program_that_looks_into_an_open_store_takes_nothing_away(tmp_path):
    """SQLite deletes the log when its last user leaves, so it must see that there is another."""
    look = (
        "import sqlite3, sys; found = sqlite3.connect(sys.argv[1]); print(found.execute('SELECT "
        "count(*) FROM matches').fetchone()[0])"
    )

    def seen_by_another():
        done = subprocess.run(
            [sys.executable, "-c", look, str(tmp_path / KINDS["sqlite"])],
            capture_output=True,
            text=True,
            check=True,
        )
        return int(done.stdout)

    with opened("sqlite", tmp_path) as store:
        store.add(some_rows()[:20])
        assert store.check() == []
        with opened("sqlite", tmp_path) as second:  # in the same process
            assert second.check() == []
        assert seen_by_another() == 20
        store.add(some_rows()[20:])
        assert seen_by_another() == TOTAL
    with opened("sqlite", tmp_path) as store:
        assert digest_of_rows(store.rows()) == digest_of_rows(some_rows())


def test_a_damaged_database_that_is_open_elsewhere_is_not_repaired_under_its_user(tmp_path):
    with opened("sqlite", tmp_path) as other:
        other.add(some_rows())
        other._database.execute("UPDATE matches SET steps = steps + 1 WHERE number = 7")
        with opened("sqlite", tmp_path) as store:
            with pytest.raises(StoreError, match="open elsewhere"):
                store.check()
            with pytest.raises(StoreError, match="row of match 7 is damaged"):
                list(store.rows())
            other.close()
            assert [list(each.numbers) for each in store.check()] == [[7]]
            assert finish(store, some_rows()) == 1
            assert digest_of_rows(store.rows()) == digest_of_rows(some_rows())


@pytest.mark.parametrize(
    "content", [b"a shopping list, and not a short one\n" * 9, None], ids=["text", "database"]
)
def test_a_file_that_is_something_else_is_refused_and_left_alone(content, tmp_path):
    path = tmp_path / KINDS["sqlite"]
    if content is None:
        database = sqlite3.connect(path)
        database.execute("CREATE TABLE recipes (name)")
        database.close()
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="is not a store of results"):
        opened("sqlite", tmp_path)
    assert path.read_bytes() == before


def test_a_closed_store_is_not_taken_for_a_damaged_one(tmp_path):
    store = opened("sqlite", tmp_path)
    store.add(some_rows())
    store.close()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        store.check()
    assert not list(tmp_path.glob("*damaged*"))


def test_a_row_longer_than_a_page_is_salvaged_too(tmp_path):
    rows = some_rows()
    rows[8] = MatchRow(
        8,
        "played",
        -1,
        tuple(float(n) for n in range(3000)),
        1,
        "",
        0.0,
        {f"measure {n}": n / 7 for n in range(500)},
    )
    with opened("sqlite", tmp_path) as store:
        store.add(rows)
        store._database.execute("UPDATE matches SET steps = steps + 1 WHERE number = 7")
        assert [list(each.numbers) for each in store.check()] == [[7]]
        finish(store, rows)
        assert digest_of_rows(store.rows()) == digest_of_rows(rows)


# Parquet


def test_many_small_shards_become_few(tmp_path):
    rows = some_rows(300)
    with opened("parquet", tmp_path, shard_rows=100) as store:
        for start in range(0, 300, 2):
            store.add(rows[start : start + 2])
        assert len(list(store.path.glob("shard-*"))) <= 40
        assert list(store.rows()) == rows
    with opened("parquet", tmp_path) as store:
        assert (list(store.rows()), store.check()) == (rows, [])


def test_duckdb_answers_over_all_shards(tmp_path):
    rows = some_rows()
    with opened("parquet", tmp_path) as store:
        assert store.query("SELECT count(*) FROM matches") == [(0,)]
        for start in range(0, TOTAL, 20):
            store.add(rows[start : start + 20])
        best = sum(row.scores[0] for row in rows if row.scores)
        assert store.query(
            "SELECT count(*), sum(scores[1]) FROM matches WHERE status = 'played'"
        ) == [(56, pytest.approx(best))]
        depths = sum(row.measures.get("depth", 0) for row in rows)
        assert store.query("SELECT sum(measures['depth']) FROM matches") == [
            (pytest.approx(depths),)
        ]


def test_a_directory_has_one_writer(tmp_path):
    with opened("parquet", tmp_path), pytest.raises(StoreError, match="open elsewhere"):
        opened("parquet", tmp_path)


def test_a_missing_library_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StoreError, match=r"pip install 'plyglass\[archive\]'"):
        opened("parquet", tmp_path)


# Speed


@both
def test_a_hundred_rows_are_committed_at_speed(kind, tmp_path, capsys):
    total = {"sqlite": 20_000, "parquet": 2_000}[kind]
    rows = some_rows(total)
    with opened(kind, tmp_path) as store:
        start = time.perf_counter()
        for first in range(0, total, 100):
            store.add(rows[first : first + 100])
        rate = total / (time.perf_counter() - start)
    with capsys.disabled():
        print(
            f"\n{kind}: {rate:,.0f} rows/s by the hundred",
            json.dumps({"kind": kind, "rows_per_second": round(rate)}),
        )
    assert rate > 500
