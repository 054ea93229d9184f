"""Beliefs: which there are, and whether what they say is so."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyglass.cli.output import AsJson, console, explained, print_json, summary_of, table
from plyglass.cli.places import where, write_numbers

if TYPE_CHECKING:
    from plyglass.report.calibration import Calibration


def beliefs(
    game: Annotated[
        str | None,
        typer.Argument(help="A game with hidden information, as name or name:parameter=value,..."),
    ] = None,
    belief: Annotated[
        list[str] | None,
        typer.Option(help="As name or name(parameter=value,...); several for --places."),
    ] = None,
    games: Annotated[int, typer.Option(help="How many games to play.")] = 200,
    play: Annotated[
        str, typer.Option(help="How they are played: random, or a policy of the game.")
    ] = "random",
    places: Annotated[
        bool,
        typer.Option(
            "--places", help="Ask where hidden things are, by how long ago they were seen."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help="Where all luck comes from.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The folder that the numbers and the figure are written to.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the beliefs; or, for a game, see whether what a belief holds likely is so:
    reliability and Brier score.
    """
    if game is None:
        return _list(as_json)
    belief = belief or ["particles"]
    if places:
        return where(game, belief, games, seed, play, out, as_json)
    with explained():
        from plyglass.arena.specs import belief_from, game_from
        from plyglass.report.calibration import calibration

        if len(belief) > 1:
            raise ValueError(
                "The reliability of one belief is found at a time; several can be compared with "
                "--places."
            )
        found = calibration(game_from(game), belief_from(belief[0]), games, seed, play=play)
        numbers = {"game": game, "belief": belief[0], "play": play, "seed": seed, **_numbers(found)}
        files = _write(found, numbers, out) if out else []
    if as_json:
        return print_json({**numbers, "files": [str(file) for file in files]})
    return _print(numbers, files)


def _list(as_json: bool) -> None:
    from plyglass.beliefs import BELIEFS

    summaries = {name: summary_of(each) for name, each in sorted(BELIEFS.items())}
    if as_json:
        return print_json(summaries)
    listing = table("belief", "", "parameters")
    listing.columns[1].justify = listing.columns[2].justify = "left"
    for name, summary in summaries.items():
        parameters = inspect.signature(BELIEFS[name]).parameters.values()
        listing.add_row(
            f"[bold cyan]{name}[/]",
            summary,
            ", ".join(f"{each.name}={each.default}" for each in parameters),
        )
    return console.print(listing)


def _numbers(found: Calibration) -> dict[str, Any]:
    bins = [{key: round(value, 6) for key, value in vars(each).items()} for each in found.bins()]
    return {
        "games": found.games,
        "predictions": len(found.predicted),
        "brier": round(found.brier, 6),
        "brier_if_right": round(found.expected_brier, 6),
        "brier_of_rate": round(found.brier_of_rate, 6),
        "refilled": found.refilled,
        "bins": bins,
    }


def _write(found: Calibration, numbers: dict[str, Any], out: Path) -> list[Path]:
    from plyglass.report.reliability import reliability_picture

    file = write_numbers(numbers, out, f"reliability {numbers['game']} {numbers['belief']}")
    title = f"{numbers['belief']} in {numbers['game']}, Brier score {numbers['brier']:.4f}"
    return [
        file,
        *reliability_picture(found.predicted, found.happened, title, file.stem).write(out),
    ]


def _print(numbers: dict[str, Any], files: list[Path]) -> None:
    listing = table("said", "was so", "95 % interval", "predictions")
    for each in numbers["bins"]:
        listing.add_row(
            f"{each['predicted']:.1%}",
            f"{each['rate']:.1%}",
            f"{each['low']:.1%} to {each['high']:.1%}",
            f"{each['count']:,}",
        )
    console.print(listing)
    console.print(
        f"{numbers['predictions']:,} predictions in {numbers['games']:,} games: Brier score "
        f"{numbers['brier']:.4f}; it would be "
        f"{numbers['brier_if_right']:.4f} if every probability were right, and "
        f"{numbers['brier_of_rate']:.4f} for always saying the rate."
    )
    for file in files:
        console.print(str(file), markup=False, soft_wrap=True)
