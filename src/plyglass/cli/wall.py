"""The glass wall: does any planner know what it cannot see?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table

if TYPE_CHECKING:
    from plyglass.arena.audit.glass_wall import Cell, Findings
    from plyglass.arena.match.agent import Agent

CELL_WIDTH = 16  # of a column, with the space before it


def wall(
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game with hidden information; by default all of them."),
    ] = None,
    planner: Annotated[
        list[str] | None,
        typer.Option(help="A planner, as name or name(parameter=value,...); by default all."),
    ] = None,
    points: Annotated[
        int, typer.Option(help="Decision points to compare for each planner, belief and game.")
    ] = 1000,
    iterations: Annotated[
        int, typer.Option(help="How long a planner thinks at each of them.")
    ] = 12,
    seed: Annotated[int, typer.Option(help="Where all luck comes from.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="A JSON file of findings; the same command goes on where it stopped."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Swap the hidden truth behind equal views, and count the decisions that are not the same to
    the last bit: it must be none.
    """
    with explained():
        from plyglass.arena.audit.glass_wall import HIDDEN, Findings, agents, all_planners
        from plyglass.arena.specs import planner_from

        chosen = [planner_from(each) for each in planner] if planner else all_planners()
        cells = _examine_all(
            tuple(game or HIDDEN), agents(chosen, iterations), points, seed, Findings(out)
        )
    if as_json:
        print_json([asdict(cell) for cell in cells])
    else:
        _print(cells)
    raise typer.Exit(1 if any(cell.differences for cell in cells) else 0)


def _examine_all(
    games: Sequence[str], players: Sequence[Agent], points: int, seed: int, findings: Findings
) -> list[Cell]:
    """All cells, with a progress bar; those that are known are taken as they are."""
    from plyglass.arena.audit.glass_wall import examine

    pairs, cells = list(itertools.product(games, players)), []
    columns = (
        BarColumn(24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=len(pairs) * points)
        for number, (name, agent) in enumerate(pairs):
            bar.update(
                task,
                completed=number * points,
                description=f"{name}, {agent.planner.name}, {agent.belief.name}",
            )
            cell = findings.find(name, agent, points)
            if cell is None:
                cell = examine(name, agent, points, seed, lambda: bar.advance(task))
                findings.add(cell)
            cells.append(cell)
    return cells


def _print(cells: Sequence[Cell]) -> None:
    """A table for each belief, in as many parts as the terminal is narrow, then why some
    planners do not play some games.
    """
    for belief in dict.fromkeys(cell.belief for cell in cells):
        of_belief = [cell for cell in cells if cell.belief == belief]
        planners = list(dict.fromkeys(cell.planner for cell in of_belief))
        fitting = max(1, (console.width - max(len(cell.game) for cell in cells)) // CELL_WIDTH)
        for first in range(0, len(planners), fitting):
            _print_part(belief, planners[first : first + fitting], of_belief)
    console.print("Each cell: decisions that differed / decisions compared.")
    for sentence in dict.fromkeys(
        f"- {cell.planner}: {cell.refusal}" for cell in cells if cell.refusal
    ):
        console.print(sentence, markup=False)


def _print_part(belief: str, planners: Sequence[str], cells: Sequence[Cell]) -> None:
    found = {(cell.game, cell.planner): cell for cell in cells}
    listing = table(f"belief {belief}", *(planner.replace("-", "-\n", 1) for planner in planners))
    for game in dict.fromkeys(cell.game for cell in cells):
        listing.add_row(game, *(_differences(found[game, planner]) for planner in planners))
    console.print(listing, "")


def _differences(cell: Cell) -> str:
    return "-" if cell.refusal else f"{cell.differences} / {cell.points:,}"
