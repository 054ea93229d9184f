"""The page needs no other file, and the command writes it."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plyglass.arena.runners import runner_named
from plyglass.arena.store import open_store
from plyglass.arena.tournament.driver import Tournament
from plyglass.arena.tournament.settings import Settings
from plyglass.cli.report import report
from plyglass.report.folder import write_report
from plyglass.report.page import page
from plyglass.report.run import code_version, load
from tests.report.hand_made import ladder, small_run, three_agents

VOID = {"meta", "use", "path", "rect", "br", "image"}


class Reader(HTMLParser):
    """Notes what a page links to and whether its tags close."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.tags = [], [], [], set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values[name] for name in ("href", "src", "srcset", "data") if name in values]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def read(text):
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    return reader


@pytest.fixture(scope="module")
def of_ladder(tmp_path_factory):
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("report")
    return write_report(ladder(), folder)


def test_the_page_asks_nothing_of_any_other_place(of_ladder):
    text = of_ladder.page.read_text(encoding="utf-8")
    reader = read(text)
    assert "http" not in text
    assert "url(" not in re.sub(r"url\(#", "", text)
    assert "@import" not in text
    assert not reader.tags & {"script", "link", "img", "iframe", "object"}
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in reader.links)


def test_links_and_figures_of_the_page_find_what_they_name_and_no_name_is_used_twice(of_ladder):
    reader = read(of_ladder.page.read_text(encoding="utf-8"))
    assert len(reader.ids) == len(set(reader.ids))
    assert {link[1:] for link in reader.links if link.startswith("#")} <= set(reader.ids)


def test_the_page_has_settings_command_version_digest_and_figures(of_ladder):
    text, run = of_ladder.page.read_text(encoding="utf-8"), ladder()
    for word in (
        run.digest,
        run.settings.run_id,
        code_version(),
        "plyglass tournament settings.toml",
        "uct:iterations=400",
    ):
        assert word in text
    assert text.count("<figure") == 7
    assert "prefers-color-scheme: dark" in text


def test_names_are_escaped_wherever_they_appear():
    run = ladder(names=("<script>alert(1)</script>", '"><img src=x>', "a&b --> c"))
    pytest.importorskip("matplotlib")
    from plyglass.report.figures import pictures

    text = page(run, pictures(run))
    assert not read(text).tags & {"script", "img"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_without_matplotlib_there_is_a_page_and_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    written = write_report(small_run(), tmp_path)
    assert "pip install 'plyglass[plot]'" in written.missing
    assert "<figure" not in written.page.read_text(encoding="utf-8")
    monkeypatch.delitem(sys.modules, "plyglass.report.style", raising=False)
    with pytest.raises(RuntimeError, match="pip install"):
        __import__("plyglass.report.style")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tiny tournament, as its command leaves it."""
    settings = three_agents(
        games=("tic-tac-toe", "pig:goal=10"),
        agents={"random": "random", "a": "uct:iterations=5", "b": "uct:iterations=20"},
        deals=2,
    )
    path = tmp_path_factory.mktemp("results") / f"{settings.run_id}.sqlite"
    with open_store(path, settings.run_id, settings.canonical) as store:
        outcome = Tournament(settings, store, runner_named("serial", 1, 60.0)).run()
    return path, settings, outcome


def command(*words):
    app = typer.Typer()
    app.command()(report)
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_stored_run_is_loaded_with_its_settings_and_digest(played):
    path, settings, outcome = played
    run = load(path)
    assert run.settings == settings
    assert (run.digest, len(run.rows)) == (outcome.digest, outcome.counted)


def test_a_folder_of_parquet_shards_is_loaded_like_a_database(played, tmp_path):
    pytest.importorskip("pyarrow")
    pytest.importorskip("duckdb")
    path, settings, outcome = played
    rows = load(path).rows
    with open_store(tmp_path / "shards", settings.run_id, settings.canonical) as store:
        store.add(rows)
    assert load(tmp_path / "shards").digest == outcome.digest


def test_the_command_writes_page_tables_and_figures(played, tmp_path):
    pytest.importorskip("matplotlib")
    path, _, outcome = played
    done = command(path, "--out", tmp_path / "report", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["digest"], told["matches"]) == (outcome.digest, 24)
    assert {line["agent"] for line in told["tables"]["ratings"]} == {"random", "a", "b"}
    for name in (
        "report.html",
        "report.md",
        "tables/cross.csv",
        "figures/ratings.svg",
        "figures/budget-uct.png",
    ):
        assert (tmp_path / "report" / name).stat().st_size > 100
    assert "report.html" in command(path, "--out", tmp_path / "again").stdout


def test_results_that_are_none_are_answered_with_a_sentence(tmp_path):
    missing = command(tmp_path / "nothing.sqlite")
    assert missing.exit_code == 2
    assert not (tmp_path / "nothing.sqlite").exists()
    (tmp_path / "odd.sqlite").write_text("this is not a database")
    assert command(tmp_path / "odd.sqlite").exit_code == 2
    with pytest.raises(ValueError, match="is not a store of results"):
        load(tmp_path / "odd.sqlite")


def test_a_run_without_matches_has_nothing_to_report(tmp_path):
    settings = three_agents()
    with open_store(tmp_path / "empty.sqlite", settings.run_id, settings.canonical):
        pass
    with pytest.raises(ValueError, match="nothing to report yet"):
        write_report(load(tmp_path / "empty.sqlite"), tmp_path)


def test_the_round_robin_of_the_documentation_can_be_read():
    settings = Settings.load(Path(__file__).parents[2] / "measurements" / "round-robin.toml")
    assert (len(settings.agents), len(settings.games)) == (6, 3)
