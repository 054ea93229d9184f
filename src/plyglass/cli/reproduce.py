"""Studies: the documents' tables and figures, redone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table

if TYPE_CHECKING:
    from plyglass.experiments.lines import Listing
    from plyglass.experiments.reproduction import Reproduction
    from plyglass.experiments.studies import Artifact
    from plyglass.experiments.testing import Finding


def reproduce(
    artifact: Annotated[
        str | None, typer.Argument(help="STUDY/ARTIFACT; without it, all are listed.")
    ] = None,
    scale: Annotated[
        float,
        typer.Option(help="How many times the games of the study are played; 0.1 is a quick look."),
    ] = 1.0,
    runner: Annotated[
        Literal["serial", "processes", "ray"], typer.Option(help="Who plays the matches.")
    ] = "processes",
    workers: Annotated[int, typer.Option(help="How many matches are played at a time.")] = 2,
    out: Annotated[
        Path,
        typer.Option(help="The folder of the results; the same command goes on where it stopped."),
    ] = Path("results"),
    record: Annotated[
        bool, typer.Option("--record", help="Keep the result beside the study, in the repository.")
    ] = False,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Draw the recorded result again; nothing is played.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Redo a table or figure of a document: our value, its interval and the number of games
    beside the document's value.
    """
    if artifact is None:
        return _list(as_json)
    with explained():
        from plyglass.experiments.studies import artifact_named

        if record and recorded:
            raise ValueError("Either record a new result or draw the recorded one, not both.")
        chosen = artifact_named(artifact)
        folder = out / chosen.study / chosen.key
        done = _recorded(chosen) if recorded else _run(chosen, folder, scale, runner, workers)
        files = _write(done, folder, record)
    return print_json(done.as_json()) if as_json else _print(done, files)


def _list(as_json: bool) -> None:
    from plyglass.experiments.studies import artifacts, studies

    if as_json:
        return print_json(
            {"artifacts": [{"name": each.name, "ready": each.ready} for each in artifacts()]}
        )
    for study in studies():
        listing = table("artifact", "state", "", title=f"{study.title}\n[dim]{study.document}[/]")
        listing.columns[2].justify = "left"
        for each in study.artifacts:
            listing.add_row(each.name, "[green]ready[/]" if each.ready else "to come", each.title)
        console.print(listing, "")
    return None


def _recorded(artifact: Artifact) -> Reproduction:
    from plyglass.experiments.recorded import is_stale, recorded

    done = recorded(artifact)
    if is_stale(done):
        errors.print(
            f"[yellow]The settings of {artifact.name} have changed since this was recorded.[/]"
        )
    return done


def _run(artifact: Artifact, folder: Path, scale: float, runner: str, workers: int) -> Reproduction:
    from plyglass.experiments.reproduction import reproduce as redo

    columns = (BarColumn(24), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=None)
        try:
            return redo(
                artifact, folder, scale=scale, runner=runner, workers=workers,
                on_progress=lambda progress: bar.update(task, total=progress.total,
                    completed=progress.stored),
            )  # fmt: skip
        except KeyboardInterrupt:
            errors.print("Stopped; the same command goes on where it stopped.")
            raise typer.Exit(130) from None


def _write(done: Reproduction, folder: Path, record: bool) -> list[Path]:
    from plyglass.experiments import recorded, writing

    files = writing.write(done, folder)
    if record:
        files += [
            recorded.record(done),
            writing.update_readme(done, writing.recorded_readme(done.artifact)),
        ]
    return files


def _print(done: Reproduction, files: list[Path]) -> None:
    from plyglass.experiments.figure import MISSING
    from plyglass.experiments.writing import FIGURE

    listing = table(
        "", "ours", "95 % interval", "games", "document", "verdict", title=done.artifact.title
    )
    for line in done.lines:
        ours, document = line.shown
        listing.add_row(line.name, ours, line.interval, line.games, document, line.verdict)
    console.print(listing, "")
    for each in done.listings:
        console.print(_listed(each), "")
    if done.findings:
        console.print(_claims(done.findings), "")
    for sentence in done.sentences:
        console.print(sentence.replace("**", ""), markup=False)
    console.print(
        f"[bold]{done.verdict}[/], {done.games} games; written: {', '.join(map(str, files))}"
    )
    if all(path.name != FIGURE for path in files):
        console.print(MISSING, style="yellow", markup=False)


def _listed(listing: Listing) -> Table:
    shown = table(*listing.columns, title=listing.title)
    for row in listing.rows:
        shown.add_row(*row)
    return shown


def _claims(findings: Sequence[Finding]) -> Table:
    listing = table(
        "claim",
        "verdict",
        "estimate",
        "95 % interval",
        "adjusted p",
        "deals",
        title="What the document claims",
    )
    for each in findings:
        listing.add_row(each.claim.says, *each.cells)
    return listing
