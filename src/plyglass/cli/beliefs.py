"""`plyglass beliefs`: list the beliefs, or measure how well calibrated a belief is."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from plyglass.cli.look import print_problems, with_packages
from plyglass.cli.output import SEED, AsJson, console, explained, print_json, summary_of, table
from plyglass.cli.places import where, write_numbers

if TYPE_CHECKING:
    from plyglass.report.calibration import Calibration


def beliefs(
    game: Annotated[
        str | None,
        typer.Argument(help="A game with hidden information: name or name:parameter=value,..."),
    ] = None,
    belief: Annotated[
        list[str] | None,
        typer.Option(help="A belief: name or name(parameter=value,...). Repeatable with --places."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Number of games to play.")] = 200,
    play: Annotated[
        str, typer.Option(help="How the games are played: random, or a policy of the game.")
    ] = "random",
    places: Annotated[
        bool,
        typer.Option(
            "--places",
            help="Measure the probability that beliefs give to the places of hidden things.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(help=SEED)] = 0,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write the numbers and the figure to.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the beliefs, or measure how reliable a belief is in a game.

    The measurement compares predicted probabilities with the truth.
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
                "Give one --belief to measure its reliability; only --places compares several."
            )
        found = calibration(game_from(game), belief_from(belief[0]), games, seed, play=play)
        numbers = {"game": game, "belief": belief[0], "play": play, "seed": seed, **_numbers(found)}
        files = _write(found, numbers, out) if out else []
    if as_json:
        return print_json({**numbers, "files": [str(file) for file in files]})
    return _print(numbers, files)


def _list(as_json: bool) -> None:
    from plyglass.beliefs import BELIEFS, find

    own = {name: summary_of(each) for name, each in sorted(BELIEFS.items())}
    summaries, problems = with_packages("belief", own)
    if as_json:
        return print_json(summaries)
    listing = table("belief", "", "parameters")
    listing.columns[1].justify = listing.columns[2].justify = "left"
    for name, summary in summaries.items():
        parameters = inspect.signature(find(name)).parameters.values()
        listing.add_row(
            Text(name, style="bold cyan"),
            summary,
            ", ".join(f"{each.name}={each.default}" for each in parameters),
        )
    console.print(listing)
    return print_problems(problems)


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
    from plyglass.report.belief_figures import reliability_picture

    file = write_numbers(numbers, out, f"reliability {numbers['game']} {numbers['belief']}")
    title = f"{numbers['belief']} in {numbers['game']}, Brier score {numbers['brier']:.4f}"
    return [
        file,
        *reliability_picture(found.predicted, found.happened, title, file.stem).write(out),
    ]


def _print(numbers: dict[str, Any], files: list[Path]) -> None:
    listing = table("predicted", "true", "95 % interval", "predictions")
    for each in numbers["bins"]:
        listing.add_row(
            f"{each['predicted']:.1%}",
            f"{each['rate']:.1%}",
            f"{each['low']:.1%} to {each['high']:.1%}",
            f"{each['count']:,}",
        )
    console.print(listing)
    console.print(
        f"{numbers['predictions']:,} predictions in {numbers['games']:,} games. Brier score "
        f"{numbers['brier']:.4f}; {numbers['brier_if_right']:.4f} if every probability were right, "
        f"{numbers['brier_of_rate']:.4f} if the base rate were always predicted."
    )
    for file in files:
        console.print(str(file), markup=False, soft_wrap=True)
