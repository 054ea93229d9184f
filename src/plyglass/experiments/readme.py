"""Write a reproduced artifact as a Markdown table, a figure, and a section of a README."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

from plyglass.experiments.figures import draw
from plyglass.experiments.reproduction import Reproduction
from plyglass.experiments.results import Listing, RowResult
from plyglass.experiments.study import Artifact
from plyglass.experiments.verdicts import Finding

TABLE, FIGURE, README = "table.md", "figure.png", "README.md"
COLUMNS = 120
TIMED = (
    "Agents with a time limit took part, so this result also depends on the machine and on the "
    "speed of the code at that commit."
)
CLAIM_COLUMNS = (
    "claim", "where", "tested by", "decided by", "verdict", "estimate", "95 % interval",
    "adjusted p", "deals",
)  # fmt: skip


def write(done: Reproduction, folder: Path) -> list[Path]:
    """Write the table and figure into `folder`, and the section into the README one folder up.

    Return the files that were written. Without matplotlib, there is no figure.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table, figure = folder / TABLE, folder / FIGURE
    table.write_text(table_of(done), encoding="utf-8")
    drawn = draw(done, figure)
    picture = f"![{done.artifact.title}]({folder.name}/{FIGURE})\n\n" if drawn else ""
    readme = update_readme(done, folder.parent / README, picture)
    return [table, *([figure] if drawn else []), readme]


def update_readme(done: Reproduction, path: Path, picture: str = "") -> Path:
    """Write the section into the README, in alphabetical order; it replaces an earlier version."""
    text = path.read_text(encoding="utf-8") if path.is_file() else f"# {done.artifact.study}\n"
    head, *sections = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    kept = {_key(section): section for section in sections}
    kept[done.artifact.key] = section_of(done, picture)
    parts = [head, *(kept[key] for key in sorted(kept))]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(part.rstrip("\n") + "\n" for part in parts), encoding="utf-8")
    return path


def recorded_readme(artifact: Artifact) -> Path:
    """Return the path of the README in the study's own folder, which shows the recorded results."""
    return artifact.folder / README


def section_of(done: Reproduction, picture: str = "") -> str:
    """Return the section of the README that shows the results, their origin and the verdict."""
    artifact = done.artifact
    source = f"{wrapped(artifact.source)}\n" if artifact.source else ""
    cheating = (
        "An agent of this artifact cheats: its belief sees more than the agent's views.\n\n"
        if done.cheats
        else ""
    )
    played = "" if all(result.exact for result in done.results) else f" from {done.games} games"
    commit = f" at commit {done.code.commit}" if done.code.commit else ""
    made = wrapped(f"`{done.command}` made this result{played}{commit}.")
    timed = f"\n{wrapped(TIMED)}" if artifact.timed else ""
    return (
        f"## {artifact.key}\n\n### {artifact.title}\n\nVerdict: **{done.verdict}**.\n\n"
        f"{table_of(done)}\n{picture}{source}{cheating}"
        f"{made}{_more(done)}{timed}"
    )


def _more(done: Reproduction) -> str:
    """Return a text about the run that gave some rows more games, with the run's command."""
    if done.more is None:
        return ""
    said = (
        f"The rows of these agents have more games: {'; '.join(done.more.agents)}. Claims use the "
        "deals that all agents played."
    )
    return f"\n{wrapped(said)}\n```sh\n{done.more.command(done.artifact.name)}\n```\n"


def table_of(done: Reproduction) -> str:
    """Return the table, as Markdown."""
    ours = f"ours, {done.artifact.quantity}" if done.artifact.quantity else "ours"
    errors = any(result.error is not None for result in done.results)
    reported = "reported ± standard error" if errors else "reported"
    head = (
        f"| | {ours} | 95 % interval | games | {reported} | verdict |\n"
        "|---|---:|---:|---:|---:|---|\n"
    )
    rows = "".join(_row(result) for result in done.results)
    claims = f"\n{_claims_table(done.findings)}" if done.findings else ""
    return head + rows + claims + "".join(map(_listing, done.listings))


def _row(result: RowResult) -> str:
    ours, reported = result.shown
    if result.error is not None:
        reported += f" ± {result.error:g}"
    cells = (result.name, ours, result.interval, result.games, reported, result.verdict)
    return f"| {' | '.join(cells)} |\n"


def _claims_table(findings: Sequence[Finding]) -> str:
    rows = [CLAIM_COLUMNS, ("---",) * 5 + ("---:",) * 4]
    rows += [
        (each.claim.told, each.claim.where, each.claim.tested, each.rows, *each.cells)
        for each in findings
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _listing(listing: Listing) -> str:
    rows = [listing.columns, ("---", *("---:" for _ in listing.columns[1:])), *listing.rows]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return f"\n{wrapped(f'{listing.title}:')}\n{table}"


def wrapped(text: str, bullet: str = "") -> str:
    """Wrap prose into lines, indented below a bullet, without breaking words."""
    lines = textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines) + "\n"


def _key(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ").strip()
