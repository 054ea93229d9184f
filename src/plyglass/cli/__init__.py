"""The command line, `plyglass`: each file holds the commands of one purpose."""

from __future__ import annotations

import typer

from plyglass.cli import (
    beliefs,
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
    wall,
)

app = typer.Typer(
    help="Planning in games with hidden information, chance and turns of many actions.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
)
for command in (
    look.games,
    look.planners,
    beliefs.beliefs,
    play.play,
    match.match,
    draw.draw,
    tournament.tournament,
    report.report,
    reproduce.reproduce,
    tune.tune,
    learn.learn,
    examine.check,
    wall.wall,
    examine.golden,
    examine.bench,
    examine.cache,
):
    app.command()(command)

__all__ = ["app"]
