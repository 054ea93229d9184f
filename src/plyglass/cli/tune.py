"""Tuning: good parameters for an agent, found by playing and confirmed on fresh deals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from plyglass.cli.output import AsJson, console, errors, explained, print_json, table

if TYPE_CHECKING:
    from plyglass.arena.tuning.tune import Tuned, Tuning


def tune(
    game: Annotated[str, typer.Argument(help="A game, as name or name:parameter=value,...")],
    agent: Annotated[str, typer.Argument(help="The agent to tune, as planner:parameter=value,...")],
    opponent: Annotated[
        str | None, typer.Argument(help="Whom it meets; none in a game for one player.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(help="exploration=0.1..2.0, trees=1..8 or reuse=true|false; repeatable."),
    ] = None,
    trials: Annotated[
        int, typer.Option(help="How many candidates are tried; they come in fours.")
    ] = 20,
    games: Annotated[int, typer.Option(help="How many games each candidate plays.")] = 100,
    confirm: Annotated[
        int,
        typer.Option(help="How many games the best plays against the original, on fresh deals."),
    ] = 400,
    seed: Annotated[
        int, typer.Option(help="Where all luck comes from; the same seed finds the same.")
    ] = 0,
    runner: Annotated[
        Literal["serial", "processes", "ray"], typer.Option(help="Who plays the matches.")
    ] = "serial",
    workers: Annotated[int, typer.Option(help="How many matches are played at a time.")] = 2,
    out: Annotated[
        Path,
        typer.Option(help="The folder of the results; the same command goes on where it stopped."),
    ] = Path("tuning"),
    as_json: AsJson = False,
) -> None:
    """Find good parameters of an agent, write them as settings of a tournament, and confirm them
    on fresh deals.
    """
    with explained():
        from plyglass.arena.tuning.space import space_from
        from plyglass.arena.tuning.tune import Tuning

        tuning = Tuning(
            game, agent, opponent, space_from(parameter or []), trials, games, confirm, seed
        )
        found = _run(tuning, out, runner, workers)
    return (
        print_json({**asdict(found), "settings": str(found.settings)})
        if as_json
        else _print(tuning, found)
    )


def _run(tuning: Tuning, out: Path, runner: str, workers: int) -> Tuned:
    from plyglass.arena.tuning.tune import tune as search

    columns = (
        BarColumn(24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[best]}"),
    )
    with Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal) as bar:
        task = bar.add_task("", total=tuning.trials, best="")
        try:
            return search(
                tuning, out, runner=runner, workers=workers,
                on_batch=lambda done,
                best: bar.update(task, completed=done, best=f"best {best:.3f}"),
            )  # fmt: skip
        except KeyboardInterrupt:
            errors.print("Stopped; the same command goes on where it stopped.")
            raise typer.Exit(130) from None


def _print(tuning: Tuning, found: Tuned) -> None:
    listing = table(
        "candidate", "in the search", title=f"{tuning.game} against {tuning.opponent or 'nobody'}"
    )
    for text, worth in sorted(found.tried, key=lambda each: -each[1])[:10]:
        listing.add_row(text, f"{worth:.3f}")
    console.print(listing, "")
    interval = (
        "no spread seen"
        if found.low is None
        else f"95 % interval {found.low:.3f} to {found.high:.3f}"
    )
    console.print(
        f"Confirmation of {found.agent} against {tuning.agent} on fresh deals: "
        f"[bold]{found.rate:.3f}[/] ({interval}, {found.games} games)"
    )
    console.print(f"Settings: {found.settings}")
