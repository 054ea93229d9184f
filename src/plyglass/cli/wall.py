"""The glass wall tests whether a planner or belief uses what its player cannot see."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plyglass.cli.output import (
    AsJson,
    console,
    explained,
    print_json,
    progress_bar,
    table,
)

if TYPE_CHECKING:
    from plyglass.arena.audit.glass_wall import Cell, Findings
    from plyglass.arena.match.agent import Agent
    from plyglass.cli.output import Show

CELL_WIDTH = 16  # width of a column, including the space before it


def wall(
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game with hidden information; by default all."),
    ] = None,
    planner: Annotated[
        list[str] | None,
        typer.Option(help="A planner: name or name(parameter=value,...); by default all."),
    ] = None,
    belief: Annotated[
        list[str] | None,
        typer.Option(
            help="A belief, as name or name(parameter=value,...); by default all that do not cheat."
        ),
    ] = None,
    points: Annotated[
        int,
        typer.Option(min=1, help="Number of decisions compared per planner, belief and game."),
    ] = 1000,
    seconds: Annotated[
        float,
        typer.Option(
            min=0.001,
            help="CPU seconds after which the test of a planner, belief and game stops early.",
        ),
    ] = math.inf,
    iterations: Annotated[int, typer.Option(help="Iterations of a planner per decision.")] = 12,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(help="JSON file for the findings; the same command resumes from it."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Exchange the hidden part of positions without changing views, and count changed decisions.

    No decision may change, not even in the last bit of a value. The default
    opponents of games are also examined, each with its own settings.
    """
    with explained():
        from plyglass.arena.audit import glass_wall
        from plyglass.arena.specs import belief_from, game_from, planner_from

        planners = [planner_from(each) for each in planner or ()] or glass_wall.all_planners()
        beliefs = [belief_from(each) for each in belief or ()] or glass_wall.honest_beliefs()
        players = glass_wall.agents(planners, beliefs, iterations)
        names = tuple(game or glass_wall.hidden_games())
        pairs = list(itertools.product(names, players))
        if not planner and not belief:
            whole = dict.fromkeys(name.partition(":")[0] for name in names)
            hiding = [name for name in whole if game_from(name).hides]
            budget = players[0].budget
            pairs += [(name, glass_wall.shipped(name, budget)) for name in hiding]
        cells = _examine_all(pairs, points, seconds, seed, glass_wall.Findings(out))
    if as_json:
        print_json([asdict(cell) for cell in cells])
    else:
        _print(cells)
    raise typer.Exit(1 if any(cell.differences for cell in cells) else 0)


def _examine_all(
    pairs: Sequence[tuple[str, Agent]],
    points: int,
    seconds: float,
    seed: int,
    findings: Findings,
) -> list[Cell]:
    """Examine all agents in all games, except those whose findings are already recorded."""
    from plyglass.arena.audit.glass_wall import examine

    cells = []
    with progress_bar(len(pairs) * points) as show:
        for number, (name, agent) in enumerate(pairs):
            done = itertools.count(number * points)
            advance = functools.partial(_advance, show, done, name, agent)
            advance()
            cell = findings.find(name, agent, points, seconds)
            if cell is None:
                cell = examine(name, agent, points, seed, advance, seconds)
                findings.add(cell)
            cells.append(cell)
    return cells


def _advance(show: Show, done: Iterator[int], game: str, agent: Agent) -> None:
    show(next(done), f"{game}, {agent.planner.name}, {agent.belief.name}")


def _print(cells: Sequence[Cell]) -> None:
    """Print a table for each belief, one for the games' opponents, and the reasons for refusals."""
    opponents = [cell for cell in cells if cell.shipped]
    for belief in dict.fromkeys(cell.belief for cell in cells if not cell.shipped):
        of_belief = [cell for cell in cells if cell.belief == belief]
        planners = list(dict.fromkeys(cell.planner for cell in of_belief if not cell.shipped))
        fitting = max(1, (console.width - max(len(cell.game) for cell in cells)) // CELL_WIDTH)
        for first in range(0, len(planners), fitting):
            _print_part(belief, planners[first : first + fitting], of_belief)
    if opponents:
        listing = table("opponents that games come with", "planner", "belief", "decisions")
        for cell in opponents:
            listing.add_row(cell.game, cell.planner, cell.belief, _differences(cell))
        console.print(listing, "")
    console.print("Each cell: decisions that differed / decisions compared.")
    refusals: dict[str, list[str]] = {}
    for cell in cells:
        if cell.refusal:
            refusals.setdefault(cell.refusal, []).append(f"{cell.planner} with {cell.belief}")
    for refusal, refusing in refusals.items():
        several = f", and {len(refusing) - 1} more" if len(refusing) > 1 else ""
        console.print(f"- {refusing[0]}{several}: {refusal}", markup=False)


def _print_part(belief: str, planners: Sequence[str], cells: Sequence[Cell]) -> None:
    # a game's opponent may be the plain planner; other opponents have settings of their own
    found = {(cell.game, cell.planner): cell for cell in sorted(cells, key=_is_plain)}
    listing = table(f"belief {belief}", *(planner.replace("-", "-\n", 1) for planner in planners))
    for game in dict.fromkeys(cell.game for cell in cells):
        listing.add_row(game, *(_differences(found.get((game, planner))) for planner in planners))
    console.print(listing, "")


def _is_plain(cell: Cell) -> bool:
    return not cell.shipped


def _differences(cell: Cell | None) -> str:
    if cell is None or (cell.refusal and not cell.points):
        return "-"
    return f"{cell.differences} / {cell.points:,}"
