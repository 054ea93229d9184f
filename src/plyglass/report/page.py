"""The page of a run: one HTML file, which contains style and figures and loads no other file.

Names of agents and games may be any text. These names are escaped wherever they appear.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import TYPE_CHECKING

from plyglass.arena.code_version import described
from plyglass.report.budgets import budget_table
from plyglass.report.course import fault_table, length_table, seat_table
from plyglass.report.effort import effort_table
from plyglass.report.measurements import measurement_table
from plyglass.report.people import people_table
from plyglass.report.run import Run, code_version, toml_of
from plyglass.report.standings import standings_tables
from plyglass.report.strength import cross_grids, rating_table
from plyglass.report.tables import Table

if TYPE_CHECKING:
    from plyglass.report.style import Picture

THEMED = {"#1c2127": "var(--ink)", "#5f6b76": "var(--muted)", "#d9dee3": "var(--faint)",
    "#ffffff": "var(--paper)",
          "#0072b2": "var(--blue)", "#7a5c00": "var(--brown)"}  # fmt: skip


@dataclass(frozen=True)
class Section:
    """A section of the page.

    Attributes:
        title: the heading of the section.
        figures: the section shows all figures whose names begin with one of these prefixes.
        tables: the tables of the section.
        folded: whether the tables are folded away below the figures.
    """

    title: str
    figures: tuple[str, ...]
    tables: tuple[Table, ...]
    folded: bool = False


def page(run: Run, pictures: Sequence[Picture] = ()) -> str:
    """The page, as the text of an HTML file."""
    sections = [
        part for part in _sections(run) if any(table.rows or table.note for table in part.tables)
    ]
    again = ("How to run it again", _record(run))
    title = (
        f"{_count(len(run.settings.agents), 'agent')}, {_count(len(run.settings.games), 'game')}, "
        f"{_count(len(run.rows), 'match', 'es')}"
    )
    return document(title, _lead(run), sections, pictures, again, _facts(run))


def document(
    title: str,
    lead: str,
    sections: Sequence[Section],
    pictures: Sequence[Picture],
    last: tuple[str, str],
    facts: str = "",
) -> str:
    """A page as the text of an HTML file.

    `last` is the title and the HTML of the last section. `facts` is HTML that follows the lead.
    """
    links = "".join(
        f'<a href="#part-{number}">{escape(part.title)}</a>' for number, part in enumerate(sections)
    )
    body = "\n".join(_section(number, part, pictures) for number, part in enumerate(sections))
    style = resources.files("plyglass.report").joinpath("page.css").read_text(encoding="utf-8")
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plyglass: {escape(title)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<header>
<h1>{escape(title)}</h1>
<p class="lead">{escape(lead)}</p>
{facts}
<nav aria-label="Sections">{links}<a href="#record">{escape(last[0])}</a></nav>
</header>
{body}
<section id="record">
<h2>{escape(last[0])}</h2>
{last[1]}
</section>
</main>
</body>
</html>
"""


def _sections(run: Run) -> list[Section]:
    return [
        Section("Standings", ("scores-",), tuple(standings_tables(run.settings, run.rows))),
        Section("Ratings", ("ratings",), (rating_table(run),), folded=True),
        Section("Cross tables", ("cross-",), tuple(cross_grids(run)), folded=True),
        Section("Budgets", ("budget-",), (budget_table(run),), folded=True),
        Section("Seats", ("seats",), (seat_table(run),), folded=True),
        Section("Game length", ("lengths",), (length_table(run),), folded=True),
        Section("Time and iterations", (), (effort_table(run),)),
        Section("Measures", (), (measurement_table(run),)),
        Section("Faults", (), (fault_table(run),)),
        Section("People", (), (people_table(run.people, run.settings),)),
    ]


def _section(number: int, part: Section, pictures: Sequence[Picture]) -> str:
    """A section as HTML, with the pictures that belong to it."""
    figures = (
        [picture for picture in pictures if picture.name.startswith(part.figures)]
        if part.figures
        else []
    )
    tables = "\n".join(
        _table(table, heading=len(part.tables) > 1)
        for table in part.tables
        if table.rows or table.note
    )
    if part.folded and figures:
        tables = f"<details><summary>The numbers as a table</summary>{tables}</details>"
    drawn = "".join(map(_figure, figures))
    title = f"<h2>{escape(part.title)}</h2>"
    return f'<section id="part-{number}">\n{title}\n{drawn}{tables}\n</section>'


def _table(table: Table, heading: bool) -> str:
    kinds = [
        ' class="number"' if table.is_number(column) else "" for column in range(len(table.columns))
    ]
    head = "".join(
        f'<th scope="col"{kind}>{escape(_column(name))}</th>'
        for kind, name in zip(kinds, table.columns, strict=True)
    )
    rows = "\n".join(_row(kinds, row) for row in table.shown())
    title = f"<h3>{escape(table.title)}</h3>" if heading else ""
    whole = f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"
    grid = f'<div class="scroll">{whole}</div>' if table.rows else ""
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f"{title}{grid}{note}"


def _row(kinds: Iterable[str], cells: Iterable[str]) -> str:
    return (
        "<tr>"
        + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, cells, strict=True))
        + "</tr>"
    )


def _column(name: str) -> str:
    return name.replace("_", " ")


def _figure(picture: Picture) -> str:
    wide = ' class="wide"' if picture.figure.get_figwidth() > 8 else ""
    label = escape(f"{picture.title}. {picture.subtitle}", quote=True)
    drawn = inline_svg(picture.svg(), picture.name, label)
    caption = f"<figcaption>{escape(picture.caption)}</figcaption>"
    return f"<figure{wide}>{drawn}{caption}</figure>\n"


def inline_svg(text: str, name: str, label: str) -> str:
    """Prepare an SVG figure for a page with other figures.

    The figure gets unique ids, the colours of the page, and no references to other files.
    """
    body = text[text.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", body).replace("xlink:href=", "href=")
    body = re.sub(r'\bid="', f'id="{name}-', body)
    body = body.replace('href="#', f'href="#{name}-').replace("url(#", f"url(#{name}-")
    for color, variable in THEMED.items():
        body = body.replace(color, variable)
    body = re.sub(
        r"<svg [^>]*?(viewBox=\"[^\"]*\")[^>]*>",
        lambda found: f'<svg role="img" aria-label="{label}" {found[1]}>',
        body,
        count=1,
    )
    return re.sub(r"<!--.*?-->\s*", "", body, flags=re.DOTALL)


def _lead(run: Run) -> str:
    meeting = {
        "round-robin": "All meet all",
        "gauntlet": "The first agent meets all others",
        "pairs": "Agents meet in pairs",
    }
    deals = _count(run.settings.deals, "deal")
    return (
        f"{meeting[run.settings.meeting]} on {deals} of every game, each deal once in every order "
        "of the seats. Every rate has its 95 % interval and number of games."
    )


def _facts(run: Run) -> str:
    faults = sum(row.status != "played" for row in run.rows)
    seconds = sum(row.seconds for row in run.rows)
    facts = {"matches": f"{len(run.rows):,}", "deals": f"{run.settings.deals:,}",
        "CPU time": _duration(seconds), "faults": f"{faults:,}",
             "ended": run.decision}  # fmt: skip
    return (
        '<dl class="facts">'
        + "".join(
            f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items()
        )
        + "</dl>"
    )


def _record(run: Run) -> str:
    command = (
        f"plyglass tournament settings.toml --out results\nplyglass report "
        f"results/{run.settings.run_id}.sqlite --out report"
    )
    facts = {
        "run": run.settings.run_id,
        "digest of all rows": run.digest,
        "played by": described(run.codes),
        "report made by": code_version(),
    }
    listed = "".join(
        f"<dt>{name}</dt><dd><code>{escape(value)}</code></dd>" for name, value in facts.items()
    )
    return f"""<p>Save the settings as <code>settings.toml</code> and run these commands. The same
code plays the same matches on any number of workers, and gives the same digest. Times are not part
of the digest.</p>
<pre>{escape(command)}</pre>
<pre>{escape(toml_of(run.settings))}</pre>
<dl class="record">{listed}</dl>"""


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def _count(count: int, noun: str, ending: str = "s") -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}{ending}"
