"""`plyglass learn`: weights of an evaluator, learned from games against itself."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from plyglass.cli.output import SEED, AsJson, console, explained, print_json, progress_bar


def learn(
    variants: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME...",
            help="A game with features, or several variants of it, which are played in turn.",
        ),
    ],
    evaluator: Annotated[
        str,
        typer.Option(help="The evaluator that plays against itself; by default the game's first."),
    ] = "",
    games: Annotated[int, typer.Option(min=1, help="Number of games in a round.")] = 4000,
    dice: Annotated[float, typer.Option(help="Probability of playing a random turn.")] = 0.15,
    rounds: Annotated[
        int,
        typer.Option(min=1, help="Number of rounds; after the first, the learned evaluator plays."),
    ] = 1,
    spread: Annotated[
        float,
        typer.Option(help="Relative noise added to the weights in each game after round one."),
    ] = 0.0,
    beam: Annotated[
        int,
        typer.Option(help="Number of best positions kept after each action of a turn; 0 for all."),
    ] = 0,
    draws: Annotated[
        int,
        typer.Option(
            help="Samples of each chance action before a turn is planned; 0 for none. More "
            "samples make turns better but slower."
        ),
    ] = 0,
    seed: Annotated[int, typer.Option(help=SEED)] = 1,
    out: Annotated[Path, typer.Option(help="File to write the weights to.")] = Path("weights.json"),
    as_json: AsJson = False,
) -> None:
    """Let an evaluator play against itself, and learn weights for the features of a position."""
    how: dict[str, Any] = {
        "seed": seed,
        "dice": dice,
        "rounds": rounds,
        "spread": spread,
        "beam": beam,
        "draws": draws,
    }
    with explained():
        from plyglass.arena import learning
        from plyglass.arena.specs import game_from

        with progress_bar(games * rounds) as show:
            done = itertools.count(1)
            found = learning.learn(
                [game_from(each) for each in variants],
                evaluator,
                games,
                **how,
                played=lambda: show(next(done)),
            )
    options = " ".join(f"--{name} {value}" for name, value in {"games": games, **how}.items())
    command = f"plyglass learn {' '.join(variants)} --evaluator {evaluator or repr('')} {options}"
    out.write_text(json.dumps({"command": command, **asdict(found)}, indent=1) + "\n")
    if as_json:
        return print_json(asdict(found))
    return console.print(
        f"Learned {len(found.weights)} weights from {found.samples:,} positions of "
        f"{found.games:,} games. Log-loss {found.log_loss:.4f}, on held-out games "
        f"{found.held_out:.4f}. Written: {out}",
        markup=False,
    )
