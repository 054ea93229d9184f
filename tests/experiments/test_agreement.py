"""Counts of verdicts over a study, and the blocks of pages that show these counts."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from plyglass.cli.reproduce import reproduce as command
from plyglass.experiments import pages, recorded
from plyglass.experiments.agreement import Tolerance, summary_of
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import RowResult
from plyglass.experiments.study import study_named
from plyglass.experiments.verdicts import Finding

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *ROOT.glob("docs/**/*.md")])
PLANTED = """
title = "Planted"
source = "None"
[artifacts.table-1]
title = "Numbers"
kind = "table"
protocol = "none"
rows = [
    { name = "near", reported = 0.3, error = 0.04 },
    { name = "far", reported = 0.9, error = 0.04 },
    { name = "never", reported = 0, error = 0.01 },
    { name = "unspread", quantity = "mean", reported = 3.0 },
    { name = "ours", quantity = "mean" },
]
[[artifacts.table-1.claims]]
says = "One is better."
kind = "order"
first = "near"
second = "far"
[artifacts.champion]
title = "A question of our own"
kind = "table"
protocol = "none"
rows = [{ name = "won", reported = 0.1 }]
[artifacts.table-2]
title = "Not recorded"
kind = "table"
protocol = "none"
rows = [{ name = "won", reported = 0.1 }]
"""
TOLERANCE = 3 * ((0.2 / (2 * 1.959964)) ** 2 + 0.04**2) ** 0.5

app = Typer()
app.command()(command)


@pytest.fixture
def planted(tmp_path):
    folder = tmp_path / "planted"
    folder.mkdir()
    (folder / "study.toml").write_text(PLANTED)
    numbers, ours, _ = (study := study_named("planted", tmp_path)).artifacts
    measured = (
        RowResult("near", 0.4, 0.3, 0.5, 40, 0.3, 0.04),
        RowResult("far", 0.4, 0.3, 0.5, 40, 0.9, 0.04),
        RowResult("never", 0.0, 0.0, 0.1, 100, 0.0, 0.01),
        RowResult("unspread", 2.0, None, None, 7, 3.0),
        RowResult("ours", 2.0, 1.0, 3.0, 2),
    )
    claimed = Finding(
        numbers.claims[0], "undecided", ("near", "far"), 1, -0.5, None, None, None, 40
    )
    recorded.record(Reproduction(numbers, measured, 1.0, 40, findings=(claimed,)))
    recorded.record(Reproduction(ours, (RowResult("won", 0.9, 0.8, 1.0, 50, 0.1),), 1.0, 50))
    return study


def test_numbers_are_counted_by_verdict_in_tables_and_figures_of_the_paper_only(planted):
    found = summary_of(planted)
    assert [each.name for each in found.counts] == ["table-1"]
    assert replace(found.counts[0], name="all") == found.total
    total = found.total
    assert (total.numbers, total.agree, total.undecided, total.differ) == (4, 2, 1, 1)
    assert (total.claims, total.hold, total.open, total.fail) == (1, 0, 1, 0)
    assert (total.fewest, total.most, total.games) == (7, 100, "7 to 100")


def test_the_tolerance_is_that_of_reported_rates_between_0_and_1(planted):
    (found,) = summary_of(planted).tolerances
    assert found == Tolerance(40, 2, pytest.approx(TOLERANCE))
    assert summary_of(planted).sentences[-1] == (
        "With 40 games, a reported rate agrees if it differs from ours by at most "
        f"{100 * TOLERANCE:.0f} points (median of 2 rates)."
    )


def test_at_its_tolerance_a_reported_value_still_agrees():
    near = RowResult("a", 0.4, 0.3, 0.5, 40, 0.4 + TOLERANCE - 1e-9, 0.04)
    assert near.tolerance == pytest.approx(TOLERANCE)
    assert near.verdict == "agrees"
    assert replace(near, reported=0.4 + TOLERANCE + 1e-9).verdict == "differs"
    assert replace(near, error=None).tolerance == pytest.approx(0.1)
    assert replace(near, low=None).tolerance is None


def test_a_study_without_recorded_tables_or_an_unknown_one_is_answered_with_a_sentence():
    with pytest.raises(ValueError, match="The study reference-games has no recorded table"):
        summary_of(study_named("reference-games"))
    with pytest.raises(ValueError, match="There is no study 'chess'; the studies are duelyst, "):
        study_named("chess")


def test_the_command_counts_the_verdicts_of_a_study():
    shown = CliRunner().invoke(app, ["pandemic", "--recorded", "--json"])
    total = json.loads(shown.output)["total"]
    found = summary_of(study_named("pandemic")).total
    assert (total["numbers"], total["agree"]) == (found.numbers, found.agree)
    assert total["numbers"] == sum(
        row.reported is not None
        for artifact in study_named("pandemic").artifacts
        if artifact.printed
        for row in artifact.rows
    )
    printed = " ".join(CliRunner().invoke(app, ["pandemic", "--recorded"]).output.split())
    assert f"{found.agree} of {found.numbers} numbers agree" in printed


def test_blocks_are_filled_in_and_the_rest_stays(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "Before.\n\n<!-- recorded: pandemic -->\nstale\n<!-- end of recorded -->\n\nAfter.\n"
    )
    assert pages.fill(page) == ["pandemic"]
    text = page.read_text()
    assert text.startswith("Before.\n\n<!-- recorded: pandemic -->\n")
    assert text.endswith("<!-- end of recorded -->\n\nAfter.\n")
    assert "stale" not in text
    assert pages.filled(text) == text
    page.write_text("Nothing here.\n")
    assert CliRunner().invoke(app, ["--page", str(page)]).exit_code == 2


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_pages_show_what_is_recorded_and_count_nowhere_else(page):
    text = page.read_text(encoding="utf-8")
    assert pages.filled(text) == text, f"plyglass reproduce --page {page.relative_to(ROOT)}"
    outside = pages.BLOCK.sub("", text)
    typed = re.search(r"\d+ of (?:\d+ )?numbers|\d+ numbers (?:that|agree|differ)", outside)
    assert typed is None


def test_a_page_has_the_counts_of_the_pandemic_thesis():
    text = (ROOT / "docs" / "pandemic.md").read_text(encoding="utf-8")
    assert {found["name"] for found in pages.BLOCK.finditer(text)} >= {"pandemic"}
