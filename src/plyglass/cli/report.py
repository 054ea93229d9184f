"""Reports: what a tournament's results say, as a page, tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyglass.cli.output import AsJson, console, errors, explained, print_json


def report(
    results: Annotated[
        Path,
        typer.Argument(
            help="The results of a tournament: its .sqlite file, or a folder of Parquet shards."
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder that the report is written to.")] = Path(
        "report"
    ),
    records: Annotated[
        Path | None,
        typer.Option(
            help="A folder of games that people played (`plyglass play --save`): they join cross "
            "table and ratings."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report on a tournament: a page that stands alone, tables (CSV, Markdown) and figures (SVG,
    PNG).
    """
    with explained():
        from plyglass.report.run import load
        from plyglass.report.writing import tables_of, write_report

        run = load(results, records)
        written = write_report(run, out)
        if as_json:
            tables = {
                table.name: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
                for table in tables_of(run)
            }
            print_json({"run": run.settings.run_id, "digest": run.digest, "matches": len(run.rows),
                "decision": run.decision,
                        "page": str(written.page), "files": [str(file) for file in written.files],
                        "tables": tables})  # fmt: skip
        else:
            console.print(
                f"{len(run.rows)} matches, {run.decision}; digest {run.digest}", markup=False
            )
            console.print(
                f"{written.page}, and {len(written.files) - 1} files of tables and figures beside "
                "it",
                markup=False,
                soft_wrap=True,
            )
        for file, reason in run.people.left_out:
            errors.print(f"{file} does not count: {reason}", markup=False, soft_wrap=True)
        if written.missing:
            errors.print(written.missing, markup=False)
