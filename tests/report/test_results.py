"""The matches of a run as a table of pandas or Arrow."""

import importlib
import sys
from dataclasses import replace

import pytest

import plyglass as pg
from plyglass.arena.store import open_store
from tests.report.hand_made import LOSS, WIN, row, three_agents

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def store(tmp_path):
    settings = three_agents()
    rows = [row(number, WIN if number % 2 else LOSS, depth=2.0 + number) for number in range(6)]
    rows[5] = replace(rows[5], status="crashed", offender=1, scores=(), seat_seconds=())
    path = tmp_path / "run.sqlite"
    with open_store(path, settings.run_id, settings.canonical) as opened:
        opened.add(rows)
    return path


def test_each_seat_of_each_match_is_a_row_with_names(store):
    table = pg.results(store, "arrow").to_pylist()
    assert len(table) == 12
    first, second = table[:2]
    assert (first["game"], first["agent"], first["seat"]) == ("tic-tac-toe", "a", 1)
    assert (second["agent"], second["seat"], second["match"]) == ("b", 2, 0)
    assert (first["score"], second["score"]) == LOSS
    assert (first["iterations"], second["iterations"]) == (60.0, 40.0)  # a measure of the seat
    assert {each["depth"] for each in table[:2]} == {2.0}  # a measure of the match
    last = table[-1]
    assert (last["status"], last["offender"], last["score"], last["agent"]) == (
        "crashed", "b", None, "b",
    )  # fmt: skip


def test_pandas_gives_means_by_agent(store):
    pytest.importorskip("pandas")
    frame = pg.results(store)
    assert frame.groupby("agent").score.count().to_dict() == {"a": 4, "b": 3, "c": 3}


def test_without_pandas_it_is_a_table_of_arrow(store, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "pandas" else found(name)
    )
    assert isinstance(pg.results(store), pyarrow.Table)


def test_a_missing_library_is_named_in_a_sentence(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        RuntimeError, match=r"needs pandas or pyarrow: pip install 'plyglass\[table"
    ):
        pg.results(store, "pandas")


def test_no_store_is_no_table(tmp_path):
    with pytest.raises(ValueError, match="There are no results at"):
        pg.results(tmp_path / "nothing.sqlite", "arrow")


def test_standings_are_shown_with_bars_and_intervals(store):
    found = pg.standings(store)
    assert [each.agent for each in found.entries] == ["a", "c", "b"] or len(found.entries) == 3
    shown = found._repr_html_()
    assert shown.startswith("<h4>Standings, tic-tac-toe</h4><table>")
    best = found.entries[0]
    assert f"<td>{best.agent}</td>" in shown
    assert f"width:{100 * best.rate:.0f}%" in shown
    assert f"<td>{best.low:.1%}</td><td>{best.high:.1%}</td>" in shown
