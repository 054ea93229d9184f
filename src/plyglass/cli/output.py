"""How commands speak: tables for people, JSON for programs, one sentence for a mistake."""

from __future__ import annotations

import contextlib
import inspect
import json
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def print_json(value: Any) -> None:
    """One JSON value on standard output."""
    typer.echo(json.dumps(value))


def summary_of(thing: object) -> str:
    """What a class says of itself in its first line."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def table(*columns: str, title: str | None = None) -> Table:
    """A table in the house style."""
    made = Table(title=title, box=None, header_style="bold", title_justify="left", pad_edge=False)
    for number, column in enumerate(columns):
        made.add_column(column, justify="left" if number == 0 else "right")
    return made


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Turn a mistake of the user into its sentence and exit code 2."""
    try:
        yield
    except typer.Exit:
        raise
    except (ValueError, TypeError, RuntimeError, OSError) as error:
        errors.print(f"[red]error:[/red] {escape(str(error))}")
        raise typer.Exit(2) from None
