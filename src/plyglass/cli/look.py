"""What there is: games and planners."""

from __future__ import annotations

import inspect
from dataclasses import is_dataclass
from typing import Annotated

import typer
from rich.markdown import Markdown

from plyglass.cli.output import AsJson, console, explained, print_json, summary_of, table


def games(
    name: Annotated[str | None, typer.Argument(help="A game: its rules and parameters.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show the rules of one."""
    from plyglass import games as catalogue

    if name is None:
        summaries = {each: catalogue.summary(each) for each in catalogue.names()}
        if as_json:
            return print_json(summaries)
        listing = table("game", "")
        listing.columns[1].justify = "left"
        for each, summary in summaries.items():
            listing.add_row(f"[bold cyan]{each}[/]", summary.partition(": ")[2] or summary)
        return console.print(listing)
    with explained():
        parameters = _parameters(catalogue.find(name))
    if as_json:
        return print_json(
            {"name": name, "summary": catalogue.summary(name), "parameters": parameters}
        )
    console.print(Markdown(catalogue.readme(name)))
    return _print_parameters(parameters)


def planners(
    name: Annotated[
        str | None, typer.Argument(help="A planner: its parameters, source and limits.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the planners, or show the parameters, source and limits of one."""
    from plyglass.planners import PLANNERS

    if name is None:
        summaries = {each: summary_of(planner) for each, planner in sorted(PLANNERS.items())}
        if as_json:
            return print_json(summaries)
        listing = table("planner", "")
        listing.columns[1].justify = "left"
        for each, summary in summaries.items():
            listing.add_row(f"[bold cyan]{each}[/]", summary)
        return console.print(listing)
    with explained():
        if name not in PLANNERS:
            raise ValueError(
                f"There is no planner {name!r}; there are {', '.join(sorted(PLANNERS))}."
            )
    planner = PLANNERS[name]
    about = inspect.getdoc(inspect.getmodule(planner)) or ""
    parameters = _parameters(planner)
    if as_json:
        return print_json({"name": name, "about": about, "parameters": parameters})
    console.print(about, "\n", inspect.getdoc(planner), "", sep="\n")
    return _print_parameters(parameters)


def _parameters(cls: type) -> dict[str, object]:
    """The parameters of a game or a planner with their defaults; what has parameters itself is
    written as within an agent.
    """
    from plyglass.arena.specs import text_of_part

    signature = inspect.signature(vars(cls).get("__init__", cls))
    defaults = {
        name: parameter.default
        for name, parameter in signature.parameters.items()
        if name != "self"
    }
    return {
        name: text_of_part(default) if is_dataclass(default) else default
        for name, default in defaults.items()
    }


def _print_parameters(parameters: dict[str, object]) -> None:
    if not parameters:
        return console.print("No parameters.")
    listing = table("parameter", "default")
    for name, default in parameters.items():
        listing.add_row(name, str(default))
    return console.print(listing)
