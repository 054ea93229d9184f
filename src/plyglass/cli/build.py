"""`plyglass build`: compile Plyglass, or a user's own game, before the first use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from plyglass.cli.output import console, explained


def build(
    game: Annotated[
        str,
        typer.Argument(
            metavar="[GAME]",
            help="A game, such as my_game.py; by default everything that comes with Plyglass.",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(help="File for the shared library of a game; by default GAME.so."),
    ] = None,
    processor: Annotated[
        str,
        typer.Option(
            help="Processor to compile a game for, by its LLVM name; by default this machine's."
        ),
    ] = "",
    jobs: Annotated[
        int,
        typer.Option(min=0, help="Number of libraries to compile at a time; 0 for one per core."),
    ] = 0,
    again: Annotated[
        bool, typer.Option("--again", help="Also rebuild libraries that are up to date.")
    ] = False,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="First record the argument types with which Python calls kernels."
        ),
    ] = False,
) -> None:
    """Compile Plyglass before the first use, or compile a game into a shared library for C."""
    with explained():
        from plyglass.native import build as native

        if game:
            from plyglass.arena.specs import game_from

            found = game_from(game)
            path = out or Path(f"{found.name}.so")
            native.build_game(found, path, processor)
            console.print(f"{path}: {', '.join(sorted(found.functions.roots))}")
            return
        if record:
            from plyglass.native.record import record as record_kernels

            console.print(f"{record_kernels()} kernels recorded")
        built = native.build_all(console.print, jobs or os.cpu_count() or 1, again)
        console.print(f"{built} libraries built; the others were up to date")
