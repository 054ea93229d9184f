"""Names with markup or control characters are shown as text, and have no other effect."""

import csv
import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
import typer
from typer.testing import CliRunner

import plyglass as pg
from plyglass.arena.runners import runner_named
from plyglass.arena.tournament.driver import Tournament, open_run
from plyglass.arena.tournament.settings import Settings
from plyglass.cli.match import match
from plyglass.cli.output import SafeConsole, table
from plyglass.cli.report import report
from plyglass.cli.tournament import tournament
from plyglass.report.drawing.frames import frames_of_match
from plyglass.report.drawing.player import page
from plyglass.report.run import toml_of
from tests.sizes import sized

HOSTILE = (
    "<script>alert(1)</script>'\"><img src=x onerror=alert(1)>",
    '=HYPERLINK("http://evil")',
    "[/b]",
    "$\\frac{1}{$",
    "+1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "[bold red]x",
    "]]> --> <!--",
    "a&b;",
)
UNPRINTABLE = ("\x1b[31mred", "a\x00b", "a\nb", "a\u202eb", "\x9b31m", "a\rb", "\ud800")


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    agents = dict.fromkeys(HOSTILE[: sized(4, len(HOSTILE))], "random")
    settings = Settings(("tic-tac-toe",), agents, deals=2)
    place = folder / f"{settings.run_id}.sqlite"
    with open_run(place, settings) as store:
        Tournament(settings, store, runner_named("serial", 1, 60.0)).run()
    return place, settings


def command(function, *words):
    app = typer.Typer()
    app.command()(function)
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)


def test_pages_figures_and_tables_show_hostile_names_as_they_are(stored, tmp_path):
    place, _ = stored
    assert command(report, place, "--out", tmp_path).exit_code == 0
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<img" not in text
    for picture in (tmp_path / "figures").glob("*.svg"):
        tags = {each.tag.rpartition("}")[2] for each in ET.parse(picture).iter()}
        assert not tags & {"script", "img", "a", "foreignObject"}
    cells = [
        cell
        for file in (tmp_path / "tables").glob("*.csv")
        for row in csv.reader(io.StringIO(file.read_text(encoding="utf-8")))
        for cell in row
    ]
    assert not [cell for cell in cells if cell[:1] in "=@+" and cell]
    assert all(_is_number(cell) for cell in cells if cell.startswith("-"))
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)


def test_the_terminal_shows_hostile_names_as_they_are(stored, tmp_path):
    place, settings = stored
    (tmp_path / "settings.toml").write_text(toml_of(settings), encoding="utf-8")
    words = (tmp_path / "settings.toml", "--out", place.parent, "--runner", "serial")
    said = command(tournament, *words)
    assert said.exit_code == 0
    assert "[/b]" in said.output
    assert "<script>" in said.output


@pytest.mark.parametrize("name", UNPRINTABLE)
def test_names_that_do_not_print_are_refused_wherever_they_come_from(name, tmp_path):
    with pytest.raises(ValueError, match="does not print"):
        Settings(("tic-tac-toe",), {name: "random", "b": "random"})
    with pytest.raises(ValueError, match="does not print"):
        pg.agent_from(f"random:{name}=3")
    agents = [pg.agent_from("random")] * 2
    record = pg.record_of(pg.play(pg.games.TicTacToe(), agents, seed=1))
    path = tmp_path / "match.json"

    replace(record, players=(f"person:{name}", "random")).save(path)
    with pytest.raises(ValueError, match="does not print"):
        pg.Record.load(path)


def test_an_error_does_not_act_on_the_terminal():
    said = command(match, "tic-tac-toe", "uct\x1b]0;owned\x07[/b]", "random")
    assert said.exit_code == 2
    assert "\x1b" not in said.output
    assert "\x07" not in said.output


def test_cells_and_titles_of_tables_are_no_markup():
    console, listing = SafeConsole(file=io.StringIO(), width=80), table("[/b]", title="[/i]")
    listing.add_row("[/b]\x1b[31m")
    console.print(listing)
    assert console.file.getvalue().count("[/b]") == 2
    assert "\x1b" not in console.file.getvalue()


def test_the_page_of_a_match_shows_hostile_names_as_they_are():
    players = [pg.agent_from("random")] * 2
    _, frames = frames_of_match(pg.games.Skirmish(size=3, units=1), players, seed=1)
    for name in HOSTILE:
        text = page(frames, name, f"played by {name}", False)
        assert "<img" not in text
        assert "<script>alert" not in text


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
