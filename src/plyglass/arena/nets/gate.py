"""The gate: a net is accepted if it beats the last accepted player at equal time.

A lower log-loss does not mean more strength: a net can predict better and play worse. So the gate
is a sequential test on pairs of matches. In each pair, both sides have the same deal, the same
planner and the same budget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plyglass.arena.match.agent import Agent
from plyglass.arena.match.match import play
from plyglass.arena.specs import agent_from
from plyglass.core.game import Game
from plyglass.core.seeds import derive
from plyglass.stats.intervals import mean_interval
from plyglass.stats.sprt import PAIR_SCORES, Sprt

TEST = Sprt(elo0=0, elo1=35)
Pair = tuple[float, float, float]  # points of the challenger, and the seconds of both sides


@dataclass(frozen=True)
class Verdict:
    """The result of a gate.

    Attributes:
        pairs: the number of pairs of matches.
        points: the share of points that the net won, with its interval over deals.
        seconds: the seconds that each side took for a match, on average.
        accepted: whether the test accepted that the net is stronger.
        ended: what ended the test: the decision "H0" or "H1", or "pairs" if all pairs were played
            without a decision.
    """

    pairs: int
    points: float
    low: float
    high: float
    seconds: tuple[float, float]
    accepted: bool
    ended: str

    @property
    def about(self) -> dict[str, Any]:
        test = f"SPRT({TEST.elo0:g}, {TEST.elo1:g}), {TEST.alpha} and {TEST.beta}"
        return {**asdict(self), "test": test}


def gate(
    game: Game,
    challenger: str,
    champion: str,
    *,
    pairs: int,
    seed: int,
    kept: Path | None = None,
    told: Callable[[int, float], object] = lambda pairs, points: None,
) -> Verdict:
    """Let two agents play pairs of matches until the test decides, or all pairs are played.

    In a game without opponents, each agent plays one match of a pair and takes all seats of this
    match. An interrupted gate continues after the pairs in the file `kept`.
    """
    agents = agent_from(challenger, game), agent_from(champion, game)
    one_side = game.cooperative or game.players == 1
    if game.players > 2 and not one_side:
        raise ValueError(
            f"{game.name} has {game.players} competing players, but the test of a new net compares "
            "two sides. Learn with --pairs 0, and compare agents in a tournament."
        )
    found, ended = _kept_pairs(kept), "pairs"
    for number in range(pairs):
        if number == len(found):
            spent = [0.0, 0.0]
            side = _alone if one_side else _pair
            total = side(game, agents, derive(seed, number), spent)
            found.append((total, spent[0], spent[1]))
            _keep(kept, found[-1])
        scores = [pair[0] for pair in found[: number + 1]]
        told(number + 1, sum(scores) / (2 * len(scores)))
        decision = TEST.state([scores.count(each) for each in PAIR_SCORES]).decision
        if decision != "continue":
            ended = decision
            break
    middle, least, most = mean_interval([each / 2 for each in scores], scale=(0.0, 1.0))
    least, most = (middle if least is None else least), (middle if most is None else most)
    matches = len(scores) * (1 if one_side else 2)
    took = sum(pair[1] for pair in found) / matches, sum(pair[2] for pair in found) / matches
    return Verdict(len(scores), middle, least, most, took, ended == "H1", ended)


def _kept_pairs(path: Path | None) -> list[Pair]:
    """The pairs of an interrupted gate; an incomplete last line is dropped."""
    if path is None or not path.exists():
        return []
    lines = [each for each in path.read_text().splitlines(keepends=True) if each.endswith("\n")]
    path.write_text("".join(lines))
    return [(float(a), float(b), float(c)) for a, b, c in (each.split(",") for each in lines)]


def _keep(path: Path | None, pair: Pair) -> None:
    if path is not None:
        with path.open("a") as file:
            file.write(",".join(f"{each:g}" for each in pair) + "\n")


def _pair(game: Game, agents: tuple[Agent, Agent], deal: int, spent: list[float]) -> float:
    """The points of the first agent in two matches with seats swapped, from 0 to 2."""
    total = 0.0
    for first in (0, 1):
        match = play(game, (agents[first], agents[1 - first]), seed=deal)
        total += _points(match.scores[first], match.scores[1 - first])
        for seat, seconds in enumerate(match.seconds):
            spent[(seat + first) % 2] += seconds
    return total


def _alone(game: Game, agents: tuple[Agent, Agent], deal: int, spent: list[float]) -> float:
    """2, 1 or 0 points if the first agent's score on the deal is better, equal or worse."""
    found = []
    for side, agent in enumerate(agents):
        match = play(game, (agent,) * game.players, seed=deal)
        found.append(match.scores[0])
        spent[side] += sum(match.seconds)
    return 2 * _points(*found)


def _points(own: float, other: float) -> float:
    """1 if `own` is the better score, 1/2 if the scores are equal, 0 if it is the worse score."""
    return 0.5 if own == other else float(own > other)
