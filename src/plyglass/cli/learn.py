"""Learning what positions are worth."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from plyglass.cli.output import AsJson, console, errors, explained, print_json


def learn(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="A game that describes positions by features, or variants of it in turn.",
        ),
    ],
    evaluator: Annotated[
        str,
        typer.Option(help="The evaluator that plays against itself; by default the game's first."),
    ] = "",
    games: Annotated[int, typer.Option(help="How many games to learn from.")] = 4000,
    dice: Annotated[
        float, typer.Option(help="How often a turn is any that can be made instead of the best.")
    ] = 0.15,
    rounds: Annotated[
        int,
        typer.Option(
            help="How often: after the first round, what was learned plays and learns from that."
        ),
    ] = 1,
    spread: Annotated[
        float,
        typer.Option(
            help="How far off weights are in each game after the first round, as a share."
        ),
    ] = 0.0,
    beam: Annotated[
        int,
        typer.Option(
            help="How many positions within a turn to look beyond after each action; 0 for all."
        ),
    ] = 0,
    draws: Annotated[
        int,
        typer.Option(
            help="How often to draw luck before a turn is planned, which makes better turns, and "
            "costs."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(help="Where all luck comes from.")] = 1,
    out: Annotated[Path, typer.Option(help="Where to write the weights.")] = Path("weights.json"),
    as_json: AsJson = False,
) -> None:
    """Let an evaluator play against itself, and learn weights of the game's features from who
    wins.
    """
    with explained():
        from plyglass.arena import learning
        from plyglass.arena.specs import game_from

        with Progress(
            BarColumn(24),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=errors,
            transient=True,
        ) as bar:
            task = bar.add_task("", total=games * rounds)
            how: dict[str, Any] = {
                "seed": seed,
                "dice": dice,
                "rounds": rounds,
                "spread": spread,
                "beam": beam,
                "draws": draws,
            }
            found = learning.learn(
                [game_from(each) for each in variants],
                evaluator,
                games,
                **how,
                played=lambda: bar.advance(task),
            )
    options = " ".join(f"--{name} {value}" for name, value in {"games": games, **how}.items())
    command = f"plyglass learn {' '.join(variants)} --evaluator {evaluator or repr('')} {options}"
    out.write_text(json.dumps({"command": command, **asdict(found)}, indent=1) + "\n")
    if as_json:
        print_json(asdict(found))
    else:
        console.print(f"Learned {len(found.weights)} weights from {found.samples:,} positions of "
                      f"{found.games:,} games: log-loss "
                      f"{found.log_loss:.4f}, in games that were held out {found.held_out:.4f}. "
                      f"Written: {out}")  # fmt: skip
