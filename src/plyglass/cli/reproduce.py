"""`plyglass reproduce`: compute tables and figures of papers again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from rich.table import Table
from rich.text import Text

from plyglass.cli.output import (
    RESULTS,
    RUNNER,
    WORKERS,
    AsJson,
    console,
    errors,
    explained,
    print_json,
    progress_bar,
    resumable,
    table,
)

if TYPE_CHECKING:
    from plyglass.arena.tournament.driver import Progress
    from plyglass.experiments.reproduction import Reproduction
    from plyglass.experiments.results import Listing
    from plyglass.experiments.study import Artifact
    from plyglass.experiments.verdicts import Finding


ArtifactName = Annotated[
    str | None,
    typer.Argument(
        help="Artifact to reproduce, as STUDY/ARTIFACT; by default, all artifacts are listed. "
        "With --recorded, STUDY alone counts the verdicts of a study."
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(
        help="Play only agents with this name, to give their table rows more games; * matches "
        "anything. Repeatable."
    ),
]


def reproduce(
    artifact: ArtifactName = None,
    scale: Annotated[
        float,
        typer.Option(help="Factor for the study's number of games; 0.1 gives a quick look."),
    ] = 1.0,
    runner: Annotated[
        Literal["serial", "processes", "ray"], typer.Option(help=RUNNER)
    ] = "processes",
    workers: Annotated[int, typer.Option(min=1, help=WORKERS)] = 2,
    out: Annotated[Path, typer.Option(help=RESULTS)] = Path("results"),
    record: Annotated[
        bool, typer.Option("--record", help="Store the result in the repository, with the study.")
    ] = False,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="Show the recorded result; nothing is played.")
    ] = False,
    only: Only = None,
    page: Annotated[
        Path | None,
        typer.Option(help="Fill in the recorded blocks of this Markdown file; nothing is played."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compute a table or figure of a paper again.

    Each value is shown with its interval and number of games, beside the value that the paper
    reports.
    """
    if page is not None:
        return _fill(page)
    if artifact is None:
        return _list(as_json)
    if recorded and "/" not in artifact:
        return _count(artifact, as_json)
    with explained():
        from plyglass.experiments.study import artifact_named

        if record and recorded:
            raise ValueError(
                "Give --record to store a new result or --recorded to show the old, not both."
            )
        chosen = artifact_named(artifact)
        folder = out / chosen.study / chosen.key
        if recorded:
            done = _recorded(chosen)
        else:
            done = _run(chosen, folder, only or (), scale=scale, runner=runner, workers=workers)
        files = _write(done, folder, record)
    return print_json(done.as_json()) if as_json else _print(done, files)


def _list(as_json: bool) -> None:
    from plyglass.experiments.study import artifacts, studies

    if as_json:
        return print_json(
            {"artifacts": [{"name": each.name, "ready": each.ready} for each in artifacts()]}
        )
    for study in studies():
        listing = table(
            "artifact", "state", "", title=Text.assemble(f"{study.title}\n", (study.source, "dim"))
        )
        listing.columns[2].justify = "left"
        for each in study.artifacts:
            listing.add_row(
                each.name, Text("ready", style="green") if each.ready else "to come", each.title
            )
        console.print(listing, "")
    return None


def _fill(page: Path) -> None:
    with explained():
        from plyglass.experiments.pages import fill

        names = fill(page)
    console.print(f"Filled in {page}: {', '.join(names)}", markup=False, soft_wrap=True)


def _count(name: str, as_json: bool) -> None:
    with explained():
        from plyglass.experiments.agreement import COLUMNS, summary_of
        from plyglass.experiments.study import study_named

        summary = summary_of(study_named(name))
    if as_json:
        return print_json(summary.as_json())
    listing = table(*COLUMNS, title=f"{name}: tables and figures of the paper")
    for each in (*summary.counts, summary.total):
        listing.add_row(*each.cells)
    console.print(listing, "")
    for sentence in summary.sentences:
        console.print(sentence, markup=False)
    return None


def _recorded(artifact: Artifact) -> Reproduction:
    from plyglass.experiments.recorded import recorded, remarks

    done = recorded(artifact)
    for remark in remarks(done):
        errors.print(remark, style="yellow", markup=False)
    return done


def _run(artifact: Artifact, folder: Path, only: Sequence[str], **how: Any) -> Reproduction:
    from plyglass.experiments.extension import extend
    from plyglass.experiments.reproduction import reproduce as redo

    with resumable(), progress_bar(None) as show:

        def progressed(progress: Progress) -> None:
            show(progress.stored, total=progress.total)

        if only:
            return extend(artifact, folder, only, **how, on_progress=progressed)
        return redo(artifact, folder, **how, on_progress=progressed)


def _write(done: Reproduction, folder: Path, record: bool) -> list[Path]:
    from plyglass.experiments import readme as writing
    from plyglass.experiments import recorded

    files = writing.write(done, folder)
    if record:
        files += [
            recorded.record(done),
            writing.update_readme(done, writing.recorded_readme(done.artifact)),
        ]
    return files


def _print(done: Reproduction, files: list[Path]) -> None:
    from plyglass.experiments.figures import MISSING
    from plyglass.experiments.readme import FIGURE

    listing = table(
        "", "ours", "95 % interval", "games", "reported", "verdict", title=done.artifact.title
    )
    for line in done.results:
        ours, reported = line.shown
        listing.add_row(line.name, ours, line.interval, line.games, reported, line.verdict)
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
        title="What the paper claims",
    )
    for each in findings:
        listing.add_row(each.claim.told, *each.cells)
    return listing
