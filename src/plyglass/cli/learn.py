"""`plyglass learn`: learn the weights of an evaluator, or a net, by self-play."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from plyglass.cli.learn_net import learn_net, lesson_of
from plyglass.cli.output import SEED, AsJson, console, explained, print_json, progress_bar

if TYPE_CHECKING:
    from plyglass.arena.learning import Learned
    from plyglass.arena.learning_by_play import Found

CANDIDATES = 36  # of a search by play, in a round
CALIBRATION = 1000  # games after a search by play

Variants = Annotated[
    list[str],
    typer.Argument(
        metavar="GAME...",
        help="A game with features, or several variants of one game, which are played in turn.",
    ),
]
Evaluator = Annotated[
    str,
    typer.Option(
        help="The evaluator that plays against itself; by default the game's first. With --net, "
        "several are joined by +."
    ),
]
Rounds = Annotated[
    int,
    typer.Option(
        min=0,
        help="Number of rounds. After round one, the learned evaluator plays. With --by play, 0 "
        "only calibrates the weights.",
    ),
]
Spread = Annotated[
    float, typer.Option(help="Relative noise added to the weights in each game after round one.")
]
Beam = Annotated[
    int, typer.Option(help="Number of best positions kept after each action of a turn; 0 for all.")
]
Draws = Annotated[
    int,
    typer.Option(
        help="Samples of each chance action before a turn is planned; 0 for none. More samples "
        "make turns better but slower."
    ),
]
NetFile = Annotated[
    Path | None,
    typer.Option(help="Learn a net from the state itself instead, and write the net to this file."),
]
WorkFolder = Annotated[
    Path | None,
    typer.Option(help="Folder of a net's games and curve; a stopped run continues from there."),
]
User = Annotated[
    str, typer.Option(help="Agent that will use the net, with {} in place of its evaluator.")
]
Pairs = Annotated[
    int, typer.Option(min=0, help="Most pairs of matches in the test of a new net; 0 for no test.")
]
Seconds = Annotated[
    float,
    typer.Option(help="Seconds per decision in the test of a new net, unless --agent is given."),
]
Kind = Annotated[
    str,
    typer.Option(
        help="What a net judges: world (the complete position) or view (what a player sees)."
    ),
]
Features = Annotated[
    bool, typer.Option(help="Whether a net also takes the game's features as inputs.")
]

By = Annotated[
    Literal["regression", "play"],
    typer.Option(
        help="How weights are learned: from the results of games, or by a search for the weights "
        "that score most."
    ),
]
Aim = Annotated[
    str,
    typer.Option(
        help="With --by play: an evaluator that says how near to a win the end of a game was."
    ),
]
Engine = Annotated[
    str, typer.Option(help="What fits a net: numpy or torch; by default PyTorch if installed.")
]


def learn(
    variants: Variants,
    evaluator: Evaluator = "",
    by: By = "regression",
    aim: Aim = "",
    games: Annotated[int, typer.Option(min=1, help="Number of games in a round.")] = 4000,
    dice: Annotated[float, typer.Option(help="Probability of playing a random turn.")] = 0.15,
    rounds: Rounds = 1,
    spread: Spread = 0.0,
    beam: Beam = 0,
    draws: Draws = 0,
    seed: Annotated[int, typer.Option(help=SEED)] = 1,
    out: Annotated[Path, typer.Option(help="File to write the weights to.")] = Path("weights.json"),
    net: NetFile = None,
    work: WorkFolder = None,
    agent: User = "",
    against: Annotated[str, typer.Option(help="Agent that the first net has to beat.")] = "",
    pairs: Pairs = 200,
    seconds: Seconds = 0.02,
    kind: Kind = "world",
    features: Features = True,
    units: Annotated[int, typer.Option(min=2, max=1024, help="Units of a net.")] = 32,
    engine: Engine = "",
    workers: Annotated[int, typer.Option(min=1, help="Processes that play games for a net.")] = 1,
    runner: Annotated[
        Literal["processes", "ray"], typer.Option(help="What runs the processes for a net.")
    ] = "processes",
    as_json: AsJson = False,
) -> None:
    """Let an evaluator play against itself, and learn weights for the features of a position.

    With --by play, candidates with other weights play the same games, and the best of them decide
    the next candidates. Opponents play with the weights that the game has. --games is then the
    number of games of a candidate in a round, and --dice is not used.

    With --net, learn a net from the state itself. A new net is accepted if the agent with this net
    beats the last accepted agent.
    """
    how: dict[str, Any] = {"seed": seed, "dice": dice, "rounds": rounds, "beam": beam}
    if by == "play":
        with explained():
            _refuse_with_play({"--net": net, "--evaluator": evaluator, "--spread": spread})
        how = {"seed": seed, "rounds": rounds, "beam": beam, "draws": draws, "aim": aim}
        return _learn_by_play(variants, games, how, out, as_json)
    if net is None:
        how |= {"spread": spread, "draws": draws}
        return _learn_weights(variants, evaluator, games, how, out, as_json)
    how |= {"games": games, "pairs": pairs, "features": features, "units": units}
    how |= {"evaluator": evaluator, "engine": engine}
    with explained():
        lesson = lesson_of(variants, agent, against, seconds, kind, how)
    folder = work or net.with_suffix(".work")
    return learn_net(lesson, net, folder, workers=workers, runner=runner, as_json=as_json)


def _learn_weights(
    variants: list[str], evaluator: str, games: int, how: dict[str, Any], out: Path, as_json: bool
) -> None:
    """Learn the weights of an evaluator, and write them to a file together with the command."""
    with explained():
        found = _learned(variants, evaluator, games, how)
    options = " ".join(f"--{name} {value}" for name, value in {"games": games, **how}.items())
    command = f"plyglass learn {' '.join(variants)} --evaluator {evaluator or repr('')} {options}"
    says = (
        f"from {found.samples:,} positions of {found.games:,} games. Log-loss "
        f"{found.log_loss:.4f}, on held-out games {found.held_out:.4f}."
    )
    return _keep(found, command, says, out, as_json)


def _learn_by_play(
    variants: list[str], games: int, how: dict[str, Any], out: Path, as_json: bool
) -> None:
    """Search for the weights that score most, and write them to a file with the command."""
    from plyglass.arena.learning_by_play import learn_by_play
    from plyglass.arena.specs import game_from

    options = " ".join(
        f"--{name} {value}"
        for name, value in {"games": games, **how}.items()
        if value or name == "rounds"
    )
    command = f"plyglass learn {' '.join(variants)} --by play {options}"
    with explained(), progress_bar(CANDIDATES * games * how["rounds"] + CALIBRATION) as show:
        done = itertools.count(1)
        found = learn_by_play(
            [game_from(each) for each in variants],
            games,
            **how,
            candidates=CANDIDATES,
            calibration=CALIBRATION,
            played=lambda last: show(next(done), "" if last is None else f"mean value {last:.3f}"),
            improved=lambda found: _write(found, command, out),
        )
    says = f"from {found.games:,} games, and calibrated them by {CALIBRATION:,} games."
    if found.curve:
        first, last = found.curve[0], found.curve[-1]
        says += (
            f" Mean value of candidates: {first:.3f} in the first round, {last:.3f} in the last."
        )
    return _keep(found, command, says, out, as_json)


def _keep(found: Learned | Found, command: str, says: str, out: Path, as_json: bool) -> None:
    """Write weights to a file, and say so."""
    _write(found, command, out)
    if as_json:
        return print_json(asdict(found))
    return console.print(
        f"Learned {len(found.weights)} weights {says} Written: {out}", markup=False
    )


def _write(found: Learned | Found, command: str, out: Path) -> None:
    """Write weights to a file together with the command that made them."""
    out.write_text(json.dumps({"command": command, **asdict(found)}, indent=1) + "\n")


def _refuse_with_play(options: dict[str, Any]) -> None:
    given = [name for name, value in options.items() if value]
    if given:
        raise ValueError(
            f"{given[0]} is not for --by play, which searches for weights of the evaluator "
            "`learned`, beginning with those of the game."
        )


def _learned(variants: list[str], evaluator: str, games: int, how: dict[str, Any]) -> Learned:
    from plyglass.arena import learning
    from plyglass.arena.specs import game_from

    with progress_bar(games * how["rounds"]) as show:
        done = itertools.count(1)
        return learning.learn(
            [game_from(each) for each in variants],
            evaluator,
            games,
            **how,
            played=lambda: show(next(done)),
        )
