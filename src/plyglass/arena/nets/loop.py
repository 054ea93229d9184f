"""The loop that learns a net: play games, fit a net to all games so far, test it in a gate, repeat.

One folder holds everything: shards of games, a net and a verdict for each round, and `curve.csv`.
An interrupted run continues from this folder.
"""

from __future__ import annotations

import csv
import json
import os
import shlex
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from plyglass.arena.nets.fit import Fit, fit_net, linear_loss
from plyglass.arena.nets.games import Source
from plyglass.arena.nets.gate import Verdict, gate
from plyglass.arena.nets.shards import Samples, make_shards, read_samples, together
from plyglass.arena.specs import game_from
from plyglass.core.game import Game
from plyglass.core.nets.encoding import encoding_of
from plyglass.core.nets.file import Kind, read_net, write_net
from plyglass.core.refusals import refuse_less
from plyglass.core.seeds import derive
from plyglass.stats.elo import elo_of_rate

SAMPLED = 10_000  # the most positions from which an encoding is derived
FADING = 0.5  # the weight of a round's games, relative to the weight of the next round's games
RECENT = 3  # accepted nets that play in later rounds
Told = Callable[[str], object]


@dataclass(frozen=True)
class Lesson:
    """The task of learning a net: the game, the agents and the parameters.

    Attributes:
        game: the game, as text.
        agent: the agent that will use the net, with `{}` in place of its evaluator.
        against: the agent that the first net has to beat. In a game with hidden information or
            without evaluators, this agent also plays the first games.
        rounds, games: the number of rounds, and the number of games in each round.
        pairs: the most pairs of matches in a gate; 0 accepts every net.
        kind: whether nets judge worlds or views.
        features: whether the game's features are inputs too.
        units, epochs: the size of the net, and the number of passes over all samples.
        dice: the mean probability of a random turn or action.
        beam: the number of positions of a turn that are kept after each action; 0 for all.
        seed: the random seed.
        evaluator: in a game with perfect information, the evaluator that plays the games of the
            first round and some later games; "" is the game's first evaluator. Several, joined by
            "+", make the games more varied; the last of them plays most games of the first round.
        engine: the library that fits the net, "numpy" or "torch".
    """

    game: str
    agent: str
    against: str
    rounds: int = 3
    games: int = 4000
    pairs: int = 200
    kind: Kind = "world"
    features: bool = True
    units: int = 32
    epochs: int = 8
    dice: float = 0.15
    beam: int = 0
    seed: int = 1
    evaluator: str = ""
    engine: str = "numpy"

    def __post_init__(self) -> None:
        refuse_less("rounds", self.rounds, 1)
        if "{}" not in self.agent:
            raise ValueError(
                f"The agent {self.agent!r} has no {{}} in place of its evaluator, such as "
                "plan-tournament:evaluator={},seconds=0.02."
            )


@dataclass(frozen=True)
class Round:
    """A point of the learning curve.

    `linear` and `net` are log-losses on held-out games. `elo` is the Elo difference from the last
    accepted player.
    """

    round: int
    games: int
    positions: int
    cpu_seconds: float
    linear: float
    net: float
    apart: bool
    pairs: int
    points: float
    low: float
    high: float
    elo: float
    accepted: bool


def usual_agents(game: Game, seconds: float) -> tuple[str, str]:
    """Return two agents: one with `{}` in place of its evaluator, and one for a net to beat."""
    if game.hides:
        tree = "so-ismcts" if game.players > 1 else "pomcp"
    elif game.evaluators and game.has_turns:
        agent = f"plan-tournament:seconds={seconds:g},evaluator={{}}"
        return agent, agent.format(next(iter(game.evaluators)))
    else:
        tree = "uct"
    playout = "playout.at_leaf=true,playout.evaluator={}"
    return f"{tree}:seconds={seconds:g},{playout}", f"{tree}:seconds={seconds:g}"


def command_of(lesson: Lesson) -> str:
    """The command that learns the same net again, if the gate makes the same decisions."""
    given = {"agent": lesson.agent, "against": lesson.against, "evaluator": lesson.evaluator}
    numbers = ("rounds", "games", "pairs", "units", "dice", "beam", "seed")
    words = ["plyglass", "learn", lesson.game, "--net", "net.npz"]
    for name, value in given.items():
        words += [f"--{name}", value] if value else []
    for name in numbers:
        words += [f"--{name}", str(getattr(lesson, name))]
    words += ["--kind", lesson.kind, "--engine", lesson.engine]
    return shlex.join(words if lesson.features else [*words, "--no-features"])


def learn_net(
    lesson: Lesson,
    work: Path,
    *,
    workers: int = 1,
    runner: str = "processes",
    told: Told = lambda text: None,
) -> tuple[list[Round], Path | None]:
    """Run all rounds; return the curve and the last accepted net (None if no net was accepted)."""
    work.mkdir(parents=True, exist_ok=True)
    _refuse_other_lesson(lesson, work)
    game = game_from(lesson.game)
    curve, accepted, shards = list[Round](), list[Path](), list[list[Path]]()
    for number in range(1, lesson.rounds + 1):
        began = _cpu_seconds()
        source, path = _source(lesson, game, number, accepted), work / f"round-{number}.npz"
        seed = derive(lesson.seed, number)
        count = _Count(lesson.games, f"round {number}: games", told)
        shards.append(
            make_shards(
                source, work, seed, lesson.games, workers=workers, runner=runner, played=count.add
            )
        )
        kept = path.with_suffix(".json")
        if not kept.exists():
            fit, linear, positions = _kept_fit(path) or _fitted(lesson, game, shards, curve, told)
            write_net(fit.net, path)
            verdict = _verdict(lesson, game, path, accepted, number, told)
            write_net(fit.net.with_about(**_about(lesson, number, fit, verdict)), path)
            point = _point(number, lesson, positions, linear, fit, verdict)
            point = replace(point, cpu_seconds=round(_cpu_seconds() - began, 1))
            kept.write_text(json.dumps(asdict(point)) + "\n", encoding="utf-8")
        point = Round(**json.loads(kept.read_text(encoding="utf-8")))
        curve.append(point)
        if point.accepted:
            accepted.append(path)
        write_curve(curve, work / "curve.csv")
        told(described(point))
    return curve, accepted[-1] if accepted else None


def described(point: Round) -> str:
    """A sentence about one point of the curve."""
    played = (
        f", {point.points:.1%} ({point.low:.1%} to {point.high:.1%}) of {point.pairs} pairs"
        if point.pairs
        else ""
    )
    return (
        f"Round {point.round}: held-out log-loss {point.net:.4f} (linear {point.linear:.4f})"
        f"{played}, {'accepted' if point.accepted else 'refused'}, "
        f"{point.cpu_seconds:,.0f} CPU s."
    )


def write_curve(curve: Iterable[Round], path: Path) -> None:
    rows = [asdict(point) for point in curve]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _refuse_other_lesson(lesson: Lesson, work: Path) -> None:
    """Refuse a folder of another lesson; lessons that differ only in `rounds` are the same."""
    path, told = work / "lesson.json", json.dumps({**asdict(lesson), "rounds": 0}, indent=1)
    if path.exists() and path.read_text(encoding="utf-8") != told:
        raise ValueError(
            f"{work} has the games of another lesson; give another folder with --work, or delete "
            "this one."
        )
    path.write_text(told, encoding="utf-8")


def _source(lesson: Lesson, game: Game, number: int, accepted: list[Path]) -> Source:
    """The source of a round's games."""
    nets = tuple(f"net({path})" for path in accepted[-RECENT:])
    # without an evaluator, the best turns of the first games would be random
    agent = lesson.agent if game.hides or not game.evaluators else ""
    evaluators = (*lesson.evaluator.split("+"), *nets)
    return Source(lesson.game, evaluators, agent, lesson.against, lesson.dice, lesson.beam)


def _kept_fit(path: Path) -> tuple[Fit, float, int] | None:
    """The stored fit of a round that was interrupted in its gate."""
    if not path.exists():
        return None
    net = read_net(path)
    about = net.about["fit"]
    return Fit(net, about["held_out"], about["epoch"]), about["linear"], about["positions"]


def _fitted(
    lesson: Lesson, game: Game, shards: list[list[Path]], curve: list[Round], told: Told
) -> tuple[Fit, float, int]:
    """The best fit on all games so far, the linear baseline, and the number of samples.

    The first round decides whether each seat gets its own weights.
    """
    number = len(curve) + 1
    seats = [False, True] if game.players > 1 else [False]
    if curve:
        seats = [curve[0].apart]
    found: dict[bool, list[Samples]] = {False: [], True: []}
    for age, paths in enumerate(reversed(shards)):
        for held, samples in read_samples(game, paths, FADING**age):
            found[held].append(samples)
    if not found[False] or not found[True]:
        raise ValueError(f"{lesson.games} games are too few to learn from; give more.")
    train, test = together(found[False]), together(found[True])
    some = np.unique(np.linspace(0, len(train) - 1, min(len(train), SAMPLED)).astype(int))
    fits, linear = list[Fit](), float("nan")
    for apart in seats:
        encoding = encoding_of(
            game, train.rows[some], kind=lesson.kind, features=lesson.features, apart=apart
        )
        if apart is seats[0]:
            linear = linear_loss(game, encoding, train, test)
        fits.append(
            fit_net(
                game,
                encoding,
                train,
                test,
                units=lesson.units,
                epochs=lesson.epochs,
                seed=derive(lesson.seed, number, 9) % (1 << 32),
                engine=lesson.engine,
                told=lambda epoch, loss: told(f"round {number}: epoch {epoch}, loss {loss:.4f}"),
            )
        )
    best = min(fits, key=lambda fit: fit.held_out)
    about = {"held_out": best.held_out, "epoch": best.epoch, "linear": linear}
    net = best.net.with_about(fit={**about, "positions": len(train)})
    return replace(best, net=net), linear, len(train)


def _verdict(
    lesson: Lesson, game: Game, path: Path, accepted: list[Path], number: int, told: Told
) -> Verdict | None:
    """The verdict of a round's gate against the last accepted net; None without a gate."""
    if not lesson.pairs:
        return None
    champion = lesson.agent.format(f"net({accepted[-1]})") if accepted else lesson.against
    return gate(
        game,
        lesson.agent.format(f"net({path})"),
        champion,
        pairs=lesson.pairs,
        seed=derive(lesson.seed, number, 5),
        kept=path.with_suffix(".csv"),
        told=lambda pairs, points: told(f"round {number}: {points:.1%} of {pairs} pairs"),
    )


def _about(lesson: Lesson, number: int, fit: Fit, verdict: Verdict | None) -> dict[str, object]:
    """The origin of a net, for the file of the net."""
    return {
        "game": lesson.game,
        "command": command_of(lesson),
        "lesson": asdict(lesson),
        "round": number,
        "gate": verdict.about if verdict else None,
    }


def _point(
    number: int,
    lesson: Lesson,
    positions: int,
    linear: float,
    fit: Fit,
    verdict: Verdict | None,
) -> Round:
    apart, nan = fit.net.encoding.apart, float("nan")
    games = number * lesson.games
    if verdict is None:
        return Round(
            number, games, positions, 0, linear, fit.held_out, apart, 0, nan, nan, nan, nan, True
        )
    elo = elo_of_rate(min(0.999, max(0.001, verdict.points)))
    return Round(
        number, games, positions, 0, linear, fit.held_out, apart, verdict.pairs, verdict.points,
        verdict.low, verdict.high, elo, verdict.accepted,
    )  # fmt: skip


class _Count:
    """A counter of games that reports its progress."""

    def __init__(self, total: int, what: str, told: Told) -> None:
        self._total, self._what, self._told, self._done = total, what, told, 0

    def add(self, games: int) -> None:
        self._done += games
        self._told(f"{self._what} {self._done:,} of {self._total:,}")


def _cpu_seconds() -> float:
    """The CPU seconds of this process and of its children that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
