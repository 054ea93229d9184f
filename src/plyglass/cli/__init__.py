"""The command line, `plyglass`; each file contains the commands for one purpose.

A command is imported only when it is used, so `plyglass --help` imports no command.
"""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

# The file of each command, and what the command does, in at most 60 characters.
COMMANDS = {
    "games": ("look", "List the games, or show the rules of a game."),
    "planners": ("look", "List the planners, or show a planner's parameters."),
    "beliefs": ("beliefs", "List the beliefs, or measure how reliable a belief is."),
    "play": ("play", "Play against an agent."),
    "match": ("match", "Play agents against each other, and print the result."),
    "draw": ("draw", "Draw a match as one of its players saw it."),
    "verify": ("verify", "Play a recorded match again, and compare every decision."),
    "review": ("review", "Find the mistakes and the luck in a recorded match."),
    "tournament": ("tournament", "Play a tournament, or resume one."),
    "report": ("report", "Write the page, tables and figures of a tournament."),
    "benchmark": ("benchmark", "Measure planners with a frozen suite, and compare results."),
    "reproduce": ("reproduce", "Compute a table or figure of a paper again."),
    "choose": ("choose", "Choose an agent for a game by its rules and by matches."),
    "tune": ("tune", "Find good parameters of an agent, and confirm them."),
    "learn": ("learn", "Learn the weights of an evaluator by self-play."),
    "serve": ("serve", "Serve agents and matches over HTTP."),
    "check": ("examine", "Check that a game stays in its bounds and leaks nothing."),
    "wall": ("wall", "Count decisions that depend on hidden information."),
    "bound": ("bound", "Bound what any honest player of a game can score."),
    "golden": ("examine", "Compare games with their recorded playthroughs."),
    "bench": ("examine", "Measure speed, and compare decisions with recorded ones."),
    "build": ("build", "Compile Plyglass, or your own game, before the first use."),
    "cache": ("examine", "Show the size of the cache of compiled code, or clear it."),
}
SETTINGS: dict[str, Any] = {
    "add_completion": False,
    "pretty_exceptions_show_locals": False,
    "rich_markup_mode": None,  # boxes around help would double the time until it appears
}


class Commands(TyperGroup):
    """All commands, by name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command; None if no command has this name."""
        if cmd_name not in COMMANDS:
            return None
        file, _ = COMMANDS[cmd_name]
        alone = typer.Typer(**SETTINGS)
        alone.command(cmd_name)(getattr(importlib.import_module(f"plyglass.cli.{file}"), cmd_name))
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


app = typer.Typer(cls=Commands, no_args_is_help=True, **SETTINGS)


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
