"""`plyglass tune`: find good parameters of an agent by playing, and confirm them on fresh deals."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.markup import escape

from plyglass.cli.output import (
    GAME,
    RESULTS,
    RUNNER,
    SEED,
    WORKERS,
    AsJson,
    console,
    explained,
    print_json,
    progress_bar,
    resumable,
    table,
)

if TYPE_CHECKING:
    from plyglass.arena.tuning.tune import Tuned, Tuning


def tune(
    game: Annotated[str, typer.Argument(help=GAME)],
    agent: Annotated[str, typer.Argument(help="The agent to tune, as planner:parameter=value,...")],
    opponent: Annotated[
        str | None, typer.Argument(help="The agent's opponent. Name none in a game for one player.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            help="A parameter and its values: exploration=0.1..2.0, trees=1..8 or "
            "reuse=true|false. Repeatable."
        ),
    ] = None,
    trials: Annotated[
        int, typer.Option(min=1, help="Number of candidates, rounded up to a multiple of four.")
    ] = 20,
    games: Annotated[int, typer.Option(min=1, help="Games that each candidate plays.")] = 100,
    confirm: Annotated[
        int,
        typer.Option(min=1, help="Games between the best candidate and the original agent."),
    ] = 400,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    runner: Annotated[Literal["serial", "processes", "ray"], typer.Option(help=RUNNER)] = "serial",
    workers: Annotated[int, typer.Option(min=1, help=WORKERS)] = 2,
    out: Annotated[Path, typer.Option(help=RESULTS)] = Path("tuning"),
    as_json: AsJson = False,
) -> None:
    """Find good parameters of an agent, and confirm them on fresh deals.

    The settings of the confirming tournament are written to a file.
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

    with resumable(), progress_bar(tuning.trials) as show:
        return search(
            tuning,
            out,
            runner=runner,
            workers=workers,
            on_batch=lambda done, best: show(done, f"best {best:.3f}"),
        )


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
        f"Confirmation of {escape(found.agent)} against {escape(tuning.agent)} on fresh deals: "
        f"[bold]{found.rate:.3f}[/] ({interval}, {found.games} games)"
    )
    console.print(f"Settings: {found.settings}", markup=False)
