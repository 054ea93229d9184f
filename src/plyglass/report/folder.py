"""The report of a run in a folder: `report.html`, `report.md`, `tables/*.csv` and `figures/`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from plyglass.arena.code_version import described
from plyglass.report.budgets import budget_table
from plyglass.report.course import fault_table, length_table, seat_table
from plyglass.report.effort import effort_table
from plyglass.report.measurements import measurement_table
from plyglass.report.page import page
from plyglass.report.people import people_table
from plyglass.report.run import Run, code_version
from plyglass.report.standings import standings_list, standings_tables
from plyglass.report.strength import cross_grids, cross_table, rating_table
from plyglass.report.tables import Table

if TYPE_CHECKING:
    from plyglass.report.style import Picture


@dataclass(frozen=True)
class Written:
    """The files that were written, and a sentence if figures are missing (else an empty text)."""

    page: Path
    files: tuple[Path, ...]
    missing: str = ""


def tables_of(run: Run) -> list[Table]:
    """All tables for programs, with one value or rate per row."""
    course = (
        seat_table(run),
        length_table(run),
        effort_table(run),
        measurement_table(run),
        fault_table(run),
    )
    people = people_table(run.people, run.settings)
    return [
        standings_list(run.settings, run.rows),
        rating_table(run),
        cross_table(run),
        budget_table(run),
        *course,
        people,
    ]


def markdown_of(run: Run) -> str:
    """All tables for people, as Markdown."""
    shown = (
        rating_table(run),
        *cross_grids(run),
        budget_table(run),
        seat_table(run),
        length_table(run),
        effort_table(run),
        measurement_table(run),
        fault_table(run),
        people_table(run.people, run.settings),
    )
    told = [table for table in (*standings_tables(run.settings, run.rows), *shown) if table.rows]
    made = f"played by {described(run.codes)}, reported by {code_version()}"
    head = (
        f"# {len(run.rows):,} matches\n\nRun `{run.settings.run_id}`, {run.decision}; digest "
        f"`{run.digest}`; {made}.\n"
    )
    return "\n".join([head, *(table.markdown() for table in told)])


def write_report(run: Run, folder: str | Path) -> Written:
    """Write the report into a folder; without matplotlib, the report has no figures."""
    if not run.rows:
        raise ValueError("There is nothing to report yet, as no match has been played.")
    top = Path(folder)
    (top / "tables").mkdir(parents=True, exist_ok=True)
    files = []
    for table in tables_of(run):
        files.append(top / "tables" / f"{table.name}.csv")
        files[-1].write_text(table.csv(), encoding="utf-8")
    found, missing = _pictures(run)
    (top / "figures").mkdir(exist_ok=True)
    for picture in found:
        files += picture.write(top / "figures")
    (top / "report.md").write_text(markdown_of(run), encoding="utf-8")
    (top / "report.html").write_text(page(run, found), encoding="utf-8")
    return Written(top / "report.html", (*files, top / "report.md", top / "report.html"), missing)


def _pictures(run: Run) -> tuple[list[Picture], str]:
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        return [], "There are no figures: they need matplotlib, pip install 'plyglass[plot]'."
    from plyglass.report.figures import pictures

    return pictures(run), ""
