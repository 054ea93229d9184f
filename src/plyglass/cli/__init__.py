"""The command line, `plyglass`; each file has the commands for one purpose."""

from __future__ import annotations

from typing import Annotated

import typer

from plyglass.cli import (
    beliefs,
    build,
    draw,
    examine,
    learn,
    look,
    match,
    play,
    report,
    reproduce,
    tournament,
    tune,
    verify,
    wall,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,  # with boxes, help takes twice as long to appear
)
for command in (
    look.games,
    look.planners,
    beliefs.beliefs,
    play.play,
    match.match,
    draw.draw,
    verify.verify,
    tournament.tournament,
    report.report,
    reproduce.reproduce,
    tune.tune,
    learn.learn,
    examine.check,
    wall.wall,
    examine.golden,
    examine.bench,
    build.build,
    examine.cache,
):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        from plyglass import __version__

        typer.echo(f"plyglass {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Planning in games with hidden information, chance and turns of many actions."""


__all__ = ["app"]
