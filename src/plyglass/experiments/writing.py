"""A reproduction on paper: a table in Markdown, a figure, and a section of the study's README."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from plyglass.experiments.figure import draw
from plyglass.experiments.lines import Line, Listing
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.studies import Artifact
from plyglass.experiments.testing import Finding

TABLE, FIGURE, README = "table.md", "figure.png", "README.md"


def write(done: Reproduction, folder: Path) -> list[Path]:
    """Write table and figure into `folder` and the section into the README above it; returns the
    files. Without matplotlib, no figure.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table, figure = folder / TABLE, folder / FIGURE
    table.write_text(table_of(done), encoding="utf-8")
    drawn = draw(done, figure)
    picture = f"![{done.artifact.title}]({folder.name}/{FIGURE})\n\n" if drawn else ""
    readme = update_readme(done, folder.parent / README, picture)
    return [table, *([figure] if drawn else []), readme]


def table_of(done: Reproduction) -> str:
    """The table, as Markdown."""
    ours = f"ours, {done.artifact.quantity}" if done.artifact.quantity else "ours"
    head = (
        f"| | {ours} | 95 % interval | games | document | verdict "
        f"|\n|---|---:|---:|---:|---:|---|\n"
    )
    claims = f"\n{_claims_table(done.findings)}" if done.findings else ""
    return (
        head
        + "".join(_row(line) for line in done.lines)
        + claims
        + "".join(map(_listing, done.listings))
    )


def _row(line: Line) -> str:
    ours, document = line.shown
    return (
        f"| {line.name} | {ours} | {line.interval} | {line.games} | {document} | {line.verdict} |\n"
    )


def _listing(listing: Listing) -> str:
    lines = [listing.columns, ("---", *("---:" for _ in listing.columns[1:])), *listing.rows]
    return f"\n{listing.title}:\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _claims_table(findings: Sequence[Finding]) -> str:
    columns = (
        "claim",
        "where",
        "tested by",
        "decided by",
        "verdict",
        "estimate",
        "95 % interval",
        "adjusted p",
        "deals",
    )
    lines = [columns, ("---",) * 5 + ("---:",) * 4]
    lines += [
        (each.claim.says, each.claim.where, each.claim.tested, each.rows, *each.cells)
        for each in findings
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def section_of(done: Reproduction, picture: str = "") -> str:
    """The section of the README: what was measured, how, and what to make of it."""
    artifact = done.artifact
    said = "".join(f"- {line.sentence}\n" for line in done.told) + ("\n" if done.told else "")
    source = f"{artifact.source}\n\n" if artifact.source else ""
    cheating = (
        "An agent was given more than its views: this result used a cheating belief.\n\n"
        if done.cheats
        else ""
    )
    played = "" if all(line.exact for line in done.lines) else f": {done.games} games"
    return (
        f"## {artifact.key}\n\n{artifact.title}. **{done.verdict.capitalize()}.**\n\n"
        f"{table_of(done)}\n{picture}{said}{source}{cheating}"
        f"Made with `{done.command}`{played}.\n"
    )


def update_readme(done: Reproduction, path: Path, picture: str = "") -> Path:
    """Put the section in its place among those of the README, in alphabetical order, or replace
    it.
    """
    text = path.read_text(encoding="utf-8") if path.is_file() else f"# {done.artifact.study}\n"
    head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = {_key(section): section for section in sections}
    kept[done.artifact.key] = section_of(done, picture)
    parts = [head, *(kept[key] for key in sorted(kept))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(part.rstrip("\n") + "\n" for part in parts), encoding="utf-8")
    return path


def recorded_readme(artifact: Artifact) -> Path:
    """The README in the study's own folder, which shows what is recorded."""
    return artifact.folder / README


def _key(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ").strip()
