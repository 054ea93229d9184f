"""`plyglass report`: the results of a tournament as a page, tables and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plyglass.cli.output import AsJson, console, errors, explained, print_json


def report(
    results: Annotated[
        Path,
        typer.Argument(
            help="Results of a tournament: the folder of the run, a .sqlite file in this folder, "
            "or a folder of Parquet shards."
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder to write the report to.")] = Path("report"),
    records: Annotated[
        Path | None,
        typer.Option(
            help="Folder of records that people saved with `plyglass play --save`. These matches "
            "are added to the cross table and the ratings."
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            help="Settings of the tournament, if you trust the code that they name. The results "
            "alone are data, and nothing that they name is imported."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report on a tournament: one page, tables (CSV, Markdown) and figures (SVG, PNG)."""
    with explained():
        from plyglass.arena.tournament.settings import Settings
        from plyglass.report.folder import tables_of, write_report
        from plyglass.report.run import load

        run = load(results, records, Settings.load(settings) if settings else None)
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
