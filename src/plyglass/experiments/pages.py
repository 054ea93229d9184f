"""Fill in blocks of Markdown pages from recorded results, so nobody types numbers by hand.

A block begins with `<!-- recorded: NAME -->` and ends with `<!-- end of recorded -->`. If NAME is a
study, the block shows how often the study's results agree with the paper. If NAME is
STUDY/ARTIFACT, the block shows the artifact's table. `plyglass reproduce --page FILE` fills in the
blocks of a page. A test fails if a page does not show what is recorded.
"""

from __future__ import annotations

import re
from pathlib import Path

from plyglass.experiments.agreement import COLUMNS, Summary, summary_of
from plyglass.experiments.readme import table_of, wrapped
from plyglass.experiments.recorded import recorded
from plyglass.experiments.study import artifact_named, study_named

BLOCK = re.compile(
    r"(?P<head>^<!-- recorded: (?P<name>\S+) -->\n).*?(?P<foot>^<!-- end of recorded -->$)",
    re.MULTILINE | re.DOTALL,
)


def filled(page: str) -> str:
    """Return the text of a page, with every block filled in from recorded results."""
    return BLOCK.sub(
        lambda found: f"{found['head']}\n{shown(found['name'])}\n{found['foot']}", page
    )


def fill(path: Path) -> list[str]:
    """Fill in the blocks of a file, and return the names of the blocks."""
    text = path.read_text(encoding="utf-8")
    names = [found["name"] for found in BLOCK.finditer(text)]
    if not names:
        raise ValueError(
            f"{path} has no block to fill in; a block is `<!-- recorded: STUDY -->`, its text and "
            "`<!-- end of recorded -->`, each on its own line."
        )
    path.write_text(filled(text), encoding="utf-8")
    return names


def shown(name: str) -> str:
    """Return the text that a block of this name shows."""
    if "/" in name:
        return table_of(recorded(artifact_named(name)))
    return counts_of(summary_of(study_named(name)))


def counts_of(summary: Summary) -> str:
    """Return the counts of a study's verdicts as Markdown: a table, and the total in words."""
    rows = [
        COLUMNS,
        ("---", *("---:",) * (len(COLUMNS) - 1)),
        *(each.cells for each in (*summary.counts, summary.total)),
    ]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return table + "\n" + "".join(wrapped(each, "- ") for each in summary.sentences)
