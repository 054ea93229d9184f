"""The page of a benchmark, its tables as CSV and Markdown, and its figures, in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from plyglass.benchmark.ratings import Board, Place, board, frontier
from plyglass.benchmark.result import Result
from plyglass.benchmark.suite import MODES, Suite
from plyglass.benchmark.tables import (
    belief_table,
    exploit_table,
    frontier_table,
    missing_table,
    pace_table,
    point_table,
    rating_grid,
    rating_list,
    regret_table,
)
from plyglass.report.page import Section, document
from plyglass.report.tables import Table

if TYPE_CHECKING:
    from plyglass.report.style import Picture


@dataclass(frozen=True)
class Found:
    """Ratings at equal time and at equal iterations, and speed against strength, from results."""

    boards: tuple[Board, ...]
    places: tuple[Place, ...]


def found_in(suite: Suite, results: Sequence[Result]) -> Found:
    """Compute ratings at equal time and at equal iterations, and speed against strength."""
    boards = [each for mode in MODES if (each := board(suite, results, mode))]
    equal = next((each for each in boards if each.mode == "iterations"), None)
    return Found(tuple(boards), tuple(frontier(results, equal)) if equal else ())


def sections(suite: Suite, results: Sequence[Result], found: Found) -> list[Section]:
    """The sections of the page."""
    rated = [
        Section(f"Ratings at {name}", (f"ratings-{each.mode}",), (rating_grid(each),), folded=True)
        for each, name in ((each, f"equal {each.mode}") for each in found.boards)
    ]
    return [
        *rated,
        Section("Speed and strength", ("frontier",), (frontier_table(found.places),), folded=True),
        Section("Exploitability", (), (exploit_table(results),)),
        Section("Regret in solved games", (), (regret_table(suite, results),)),
        Section("Calibration of beliefs", (), (belief_table(results),)),
        Section("CPU time of decisions", (), (pace_table(results),)),
        Section("Points against each reference", (), (point_table(suite, results),)),
        Section("What is missing", (), (missing_table(suite, results),)),
    ]


def page(
    suite: Suite, results: Sequence[Result], found: Found, pictures: Sequence[Picture] = ()
) -> str:
    """The page, as the text of an HTML file."""
    parts = [
        part for part in sections(suite, results, found) if any(table.rows for table in part.tables)
    ]
    lead = (
        f"{suite.name}, digest {suite.digest}: {sum(each.games for each in results):,} matches "
        f"against {' and '.join(suite.references)}. At equal time, an agent has the iterations "
        "that cost as much CPU time as the first reference takes. At equal iterations, everybody "
        f"has {suite.iterations} a decision."
    )
    title = f"{len(results)} agents, {suite.name}"
    return document(title, lead, parts, pictures, ("Agents", _record(results)))


def _record(results: Sequence[Result]) -> str:
    rows = "".join(
        f"<dt>{escape(each.name)}</dt><dd><code>{escape(each.agent)}</code>, "
        f"{escape(each.made_by)}</dd>"
        for each in results
    )
    texts = " ".join(f"'{each.agent}'" for each in results)
    return f"""<dl class="record">{rows}</dl>
<pre>{escape(f"plyglass benchmark {texts}")}</pre>"""


def all_tables(suite: Suite, results: Sequence[Result], found: Found) -> list[Table]:
    """All tables for programs."""
    return [
        rating_list(found.boards),
        frontier_table(found.places),
        exploit_table(results),
        regret_table(suite, results),
        belief_table(results),
        pace_table(results),
        point_table(suite, results),
        missing_table(suite, results),
    ]


def write_page(suite: Suite, results: Sequence[Result], folder: Path) -> tuple[list[Path], Found]:
    """Write the page, tables and, if matplotlib is installed, figures into a folder."""
    found = found_in(suite, results)
    drawn = _drawn(found)
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    files = []
    for table in all_tables(suite, results, found):
        files.append(folder / "tables" / f"{table.name}.csv")
        files[-1].write_text(table.csv(), encoding="utf-8")
    for picture in drawn:
        (folder / "figures").mkdir(exist_ok=True)
        files += picture.write(folder / "figures")
    shown = [table for part in sections(suite, results, found) for table in part.tables]
    text = "\n".join(table.markdown() for table in shown if table.rows)
    (folder / "benchmark.md").write_text(f"# {suite.name}\n\n{text}", encoding="utf-8")
    (folder / "benchmark.html").write_text(page(suite, results, found, drawn), encoding="utf-8")
    return [*files, folder / "benchmark.md", folder / "benchmark.html"], found


def _drawn(found: Found) -> list[Picture]:
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        return []
    from plyglass.benchmark.figures import pictures

    return pictures(found.boards, found.places)
