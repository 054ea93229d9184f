"""`plyglass learn`: weights of an evaluator or a net, learned from games against itself."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from plyglass.cli.learn_net import learn_net
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
    net: Annotated[
        Path | None,
        typer.Option(help="Learn a net instead, from the state itself, and write it to this file."),
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option(help="Folder of a net's games and curve; a stopped run goes on from there."),
    ] = None,
    agent: Annotated[
        str,
        typer.Option(help="Agent that will use the net, with {} in place of its evaluator."),
    ] = "",
    against: Annotated[str, typer.Option(help="Agent that the first net has to beat.")] = "",
    pairs: Annotated[
        int, typer.Option(min=0, help="Pairs of matches in a net's gate, at most; 0 for no gate.")
    ] = 200,
    seconds: Annotated[
        float, typer.Option(help="Seconds per decision in the gate, unless --agent says more.")
    ] = 0.02,
    kind: Annotated[
        str, typer.Option(help="What a net judges: world, or view for what its player sees.")
    ] = "world",
    features: Annotated[
        bool, typer.Option(help="Whether a net also takes the game's features as inputs.")
    ] = True,
    units: Annotated[int, typer.Option(min=2, max=1024, help="Units of a net.")] = 32,
    engine: Annotated[
        str,
        typer.Option(help="What fits a net: numpy or torch; by default PyTorch if installed."),
    ] = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes that play games for a net.")] = 1,
    runner: Annotated[
        Literal["processes", "ray"], typer.Option(help="What runs these processes.")
    ] = "processes",
    as_json: AsJson = False,
) -> None:
    """Let an evaluator play against itself, and learn weights for the features of a position.

    With --net, learn a net from the state itself; it is kept if it wins its gate.
    """
    if net is not None:
        lesson = _lesson(
            variants, evaluator, agent, against, seconds, kind,
            {"games": games, "rounds": rounds, "pairs": pairs, "features": features, "units": units,
             "dice": dice, "beam": beam, "seed": seed, "engine": engine},
        )  # fmt: skip
        folder = work or net.with_suffix(".work")
        return learn_net(lesson, net, folder, workers=workers, runner=runner, as_json=as_json)
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


def _lesson(
    variants: list[str],
    evaluator: str,
    agent: str,
    against: str,
    seconds: float,
    kind: str,
    how: dict[str, Any],
) -> Any:
    """The lesson of a net; agents that were not given are the usual ones."""
    with explained():
        from plyglass.arena.nets.engines import ENGINES, usual_engine
        from plyglass.arena.nets.loop import Lesson, usual_agents
        from plyglass.arena.specs import game_from
        from plyglass.core.refusals import refuse_other

        if len(variants) > 1:
            raise ValueError(f"A net is learned for one game, but {len(variants)} were given.")
        refuse_other("kind", kind, ("world", "view"))
        how = {**how, "engine": how["engine"] or usual_engine()}
        refuse_other("engine", how["engine"], ENGINES)
        usual, opponent = usual_agents(game_from(variants[0]), seconds)
        if agent and not against:
            raise ValueError(
                "With --agent, also give --against, the agent that the first net has to beat."
            )
        return Lesson(
            variants[0],
            agent or usual,
            against or opponent,
            kind="view" if kind == "view" else "world",
            evaluator=evaluator,
            **how,
        )
