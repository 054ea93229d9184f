"""`plyglass games` and `planners`: list the games and planners of Plyglass and of packages."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.text import Text

from plyglass.cli.output import AsJson, console, errors, explained, print_json, summary_of, table

if TYPE_CHECKING:
    from plyglass.extensions import Kind


def games(
    name: Annotated[
        str | None,
        typer.Argument(help="The game to show, by name or as file.py@Class."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the games, or show the rules of one game."""
    from plyglass import games as catalogue

    if name is None:
        own = {each: catalogue.summary(each) for each in catalogue.names()}
        summaries, problems = with_packages("game", own)
        if as_json:
            return print_json(summaries)
        _print_summaries(
            "game", {each: text.partition(": ")[2] or text for each, text in summaries.items()}
        )
        return print_problems(problems)
    with explained():
        parameters = _parameters(catalogue.find(name))
    if as_json:
        return print_json(
            {"name": name, "summary": catalogue.summary(name), "parameters": parameters}
        )
    from rich.markdown import Markdown  # takes longer to import than everything else here

    console.print(Markdown(catalogue.readme(name)))
    return _print_parameters(parameters)


def planners(
    name: Annotated[
        str | None,
        typer.Argument(help="The planner to show, by name or as file.py@Class."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the planners, or show the parameters, source and limits of one planner."""
    with explained():
        from plyglass import planners as catalogue

        planner = None if name is None else catalogue.find(name)
    if planner is None:
        own = {each: summary_of(cls) for each, cls in sorted(catalogue.PLANNERS.items())}
        summaries, problems = with_packages("planner", own)
        if as_json:
            return print_json(summaries)
        _print_summaries("planner", summaries)
        return print_problems(problems)
    about = inspect.getdoc(inspect.getmodule(planner)) or ""
    parameters = _parameters(planner)
    if as_json:
        return print_json({"name": name, "about": about, "parameters": parameters})
    console.print(about, "\n", inspect.getdoc(planner), "", sep="\n", markup=False)
    return _print_parameters(parameters)


def with_packages(kind: Kind, own: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the summary of each game or planner by name, and sentences about faulty packages.

    Games and planners of installed packages are included, and their summaries name the package. A
    package that cannot be loaded is only reported as a problem.
    """
    from plyglass.extensions import offered, refused

    summaries, clashes = dict(own), refused(kind, own)
    problems = list(clashes.values())
    for each in offered(kind):
        if each in clashes:
            continue
        try:
            summaries[each.name] = f"{summary_of(each.load())} (from {each.package})"
        except ValueError as error:
            problems.append(str(error))
    return summaries, problems


def print_problems(problems: Iterable[str]) -> None:
    """Print a sentence on standard error for each package that could not be listed."""
    for problem in problems:
        errors.print(f"[yellow]note:[/] {escape(problem)}")


def _print_summaries(kind: Kind, summaries: Mapping[str, str]) -> None:
    listing = table(kind, "")
    listing.columns[1].justify = "left"
    for name, summary in summaries.items():
        listing.add_row(Text(name, style="bold cyan"), summary)
    console.print(listing)


def _parameters(cls: type) -> dict[str, object]:
    """The parameters of a game or a planner with their defaults.

    A parameter that is a planner is shown as the planner's spec. If a parameter has parameters of
    its own, these are listed instead, such as `turn.beam`.
    """
    from plyglass.arena.specs import text_of_part

    found: dict[str, object] = {}
    for name, parameter in inspect.signature(cls.__init__).parameters.items():  # type: ignore[misc]
        default = parameter.default
        if hasattr(default, "begin"):
            found[name] = text_of_part(default)
        elif is_dataclass(default):
            inside = {each.name: getattr(default, each.name) for each in fields(default)}
            found |= {f"{name}.{each}": _shown(value) for each, value in inside.items()}
        elif default is not parameter.empty:
            found[name] = default
    return found


def _shown(value: object) -> object:
    """The default of a nested parameter; shown as a spec if the default itself has parameters."""
    from plyglass.arena.specs import text_of_part

    return text_of_part(value) if is_dataclass(value) else value


def _print_parameters(parameters: dict[str, object]) -> None:
    if not parameters:
        return console.print("No parameters.")
    listing = table("parameter", "default")
    for name, default in parameters.items():
        listing.add_row(name, str(default))
    return console.print(listing)
