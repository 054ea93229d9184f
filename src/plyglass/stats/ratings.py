"""Ratings of many agents from games of two: Bradley-Terry with draws and a first-seat advantage.

The model follows Bradley and Terry (1952), Davidson (1970) and Davidson and Beaver (1977). Let d be
the first agent's strength minus the second's, plus the side's advantage. Then win, draw and loss of
the first agent are in the ratio exp(d/2) : draw : exp(-d/2). The log-likelihood is concave, so it
has one maximum, which Newton's method finds.

A difference of 400 Elo means that decisive games are won 10 to 1. With draws, the score rate is
nearer to one half than the same logistic Elo would give.

Any two agents that met get one additional virtual game. A third of it is won, a third drawn and a
third lost, half in each seating. So ratings are finite even if all games are won, all are drawn, or
none is. (A virtual draw would not suffice: the draw term would grow with the strength of an agent
that won all games, without end.) If two agents never swapped seats, only these games separate side
from strength.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyglass.stats.elo import ELO_PER_LOGIT
from plyglass.stats.resampling import resamples

Game = tuple[str, str, float]
"""The agent in the first seat, the one in the second, and the first one's score: 1, 1/2 or 0."""
Floats = NDArray[np.float64]

RESULTS = (1.0, 0.5, 0.0)
VIRTUAL = 1 / 6  # of a game for each result of each seating
MOST_STEPS = 100
BATCH = 1 << 20  # numbers in the counts of the resamples that are fitted at once


@dataclass(frozen=True)
class Rating:
    """One agent's Elo with the games behind it, and its interval if it was bootstrapped."""

    agent: str
    elo: float
    games: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents.

    Attributes:
        ratings: agents from the strongest down, with mean 0.
        side_elo: the first seat's advantage in Elo.
        draw: the weight of a draw relative to a win.
        side_low, side_high: the interval of the advantage, if it was bootstrapped.
    """

    ratings: tuple[Rating, ...]
    side_elo: float
    draw: float
    side_low: float | None = None
    side_high: float | None = None

    def __getitem__(self, agent: str) -> Rating:
        return next(rating for rating in self.ratings if rating.agent == agent)


def fit(games: Iterable[Game]) -> Ratings:
    """The most likely ratings; the order of the games does not matter."""
    return _Table([[game] for game in games]).rated()


def bootstrap(
    deals: Iterable[Sequence[Game]], seed: int, times: int = 1000, level: float = 0.95
) -> Ratings:
    """The most likely ratings, with percentile intervals from resampled deals.

    The games of a deal share chance and swap sides. They depend on each other, so they are drawn
    together.
    """
    if not 0 < level < 1:
        raise ValueError(f"The level of an interval lies between 0 and 1, not at {level}.")
    return _Table(deals).bootstrapped(seed, times, level)


class _Table:
    """Counted results: deals with equal games are one kind, seatings are the rows of the model."""

    def __init__(self, deals: Iterable[Sequence[Game]]) -> None:
        kinds = Counter(tuple(sorted(deal)) for deal in deals)
        # sorted, so the answer does not depend on the order of the deals, to the last bit
        self.kinds = sorted(kinds)
        self.kind_counts = np.array([kinds[kind] for kind in self.kinds])
        games = [game for kind in self.kinds for game in kind]
        _refuse_unconnected(games)
        self.agents = sorted({agent for first, second, _ in games for agent in (first, second)})
        met = {(first, second) for first, second, _ in games}
        self.seatings = sorted(met | {(second, first) for first, second in met})
        self.design = self._design()
        self.of_kind = self._of_kind()

    def _design(self) -> Floats:
        """(seatings, agents + 1): which strengths add up to d; the last column is the side."""
        design = np.zeros((len(self.seatings), len(self.agents) + 1))
        for row, (first, second) in zip(design, self.seatings, strict=True):
            row[self.agents.index(first)] += 1
            row[self.agents.index(second)] -= 1
            row[-1] = 1
        return design

    def _of_kind(self) -> Floats:
        """(kinds, seatings * 3): the first seat's wins, draws and losses in a deal of each kind."""
        place = {seating: index for index, seating in enumerate(self.seatings)}
        counts = np.zeros((len(self.kinds), len(self.seatings), 3))
        for of_kind, kind in zip(counts, self.kinds, strict=True):
            for first, second, result in kind:
                of_kind[place[first, second], RESULTS.index(result)] += 1
        return counts.reshape(len(self.kinds), -1)

    def counts(self, kind_counts: NDArray[np.int64]) -> Floats:
        """(tables, seatings, 3) for tables with these numbers of deals of each kind."""
        return (kind_counts @ self.of_kind).reshape(-1, len(self.seatings), 3) + VIRTUAL

    def rated(self) -> Ratings:
        answer = _most_likely(self.counts(self.kind_counts[None]), self.design)[0]
        return self._ratings(answer, np.full((2, answer.size), np.nan))

    def bootstrapped(self, seed: int, times: int, level: float) -> Ratings:
        answer = _most_likely(self.counts(self.kind_counts[None]), self.design)[0]
        drawn = self._resampled_kinds(seed, times)
        rows = max(1, BATCH // self.of_kind.shape[1])
        blocks = [
            _most_likely(self.counts(drawn[i : i + rows]), self.design, answer)
            for i in range(0, times, rows)
        ]
        sides = ((1 - level) / 2, (1 + level) / 2)
        return self._ratings(
            answer, np.quantile(np.concatenate(blocks), sides, axis=0, method="weibull")
        )

    def _resampled_kinds(self, seed: int, times: int) -> NDArray[np.int64]:
        kind_of_deal = np.repeat(np.arange(len(self.kinds)), self.kind_counts)
        blocks = resamples(len(kind_of_deal), times, seed)
        return np.array(
            [
                np.bincount(kind_of_deal[row], minlength=len(self.kinds))
                for rows in blocks
                for row in rows
            ]
        )

    def _ratings(self, answer: Floats, interval: Floats) -> Ratings:
        played = self.kind_counts @ self.of_kind
        games = played.reshape(-1, 3).sum(axis=1) @ np.abs(self.design[:, :-1])
        elo = answer * ELO_PER_LOGIT
        ends = [
            [None if math.isnan(end) else float(end * ELO_PER_LOGIT) for end in side]
            for side in interval
        ]
        rows = [
            Rating(agent, float(elo[i]), int(games[i]), ends[0][i], ends[1][i])
            for i, agent in enumerate(self.agents)
        ]
        rows.sort(key=lambda rating: (-rating.elo, rating.agent))
        return Ratings(tuple(rows), float(elo[-2]), math.exp(answer[-1]), ends[0][-2], ends[1][-2])


def _most_likely(counts: Floats, design: Floats, start: Floats | None = None) -> Floats:
    """(tables, agents + 2): strengths, side and log draw term of each table, in natural units.

    `counts` are (tables, seatings, 3).
    """
    size = design.shape[1] + 1
    answer = np.zeros((len(counts), size)) if start is None else np.tile(start, (len(counts), 1))
    level = np.zeros((size, size))
    # strengths are determined up to a constant: this keeps their sum at 0 and moves nothing else
    level[: size - 2, : size - 2] = 1
    value = _log_likelihood(counts, design, answer)
    for _ in range(MOST_STEPS):
        slope, curvature = _derivatives(counts, design, answer)
        step = np.linalg.solve(curvature + level, slope[..., None])[..., 0]
        following = answer + step
        while (
            worse := (reached := _log_likelihood(counts, design, following))
            < value - 1e-9 * np.abs(value)
        ).any():
            step[worse] /= 2
            following = answer + step
        answer, value = following, reached
        if np.abs(step).max() < 1e-10:
            break
    return answer


def _log_likelihood(counts: Floats, design: Floats, answer: Floats) -> Floats:
    half = answer[:, :-1] @ design.T / 2
    draw = answer[:, -1:]
    total = np.logaddexp(np.logaddexp(half, -half), draw)
    wins, draws, losses = np.moveaxis(counts, -1, 0)
    value: Floats = ((wins - losses) * half + draws * draw - (wins + draws + losses) * total).sum(
        axis=1
    )
    return value


def _derivatives(counts: Floats, design: Floats, answer: Floats) -> tuple[Floats, Floats]:
    """The log-likelihood's slope (tables, size) and negative curvature (tables, size, size)."""
    half = answer[:, :-1] @ design.T / 2
    total = np.logaddexp(np.logaddexp(half, -half), answer[:, -1:])
    win, draw, loss = np.exp(half - total), np.exp(answer[:, -1:] - total), np.exp(-half - total)
    games, lead = counts.sum(axis=-1), win - loss
    slope = np.empty_like(answer)
    slope[:, :-1] = ((counts[..., 0] - counts[..., 2] - games * lead) / 2) @ design
    slope[:, -1] = (counts[..., 1] - games * draw).sum(axis=1)
    curvature = np.empty((*answer.shape, answer.shape[1]))
    spread = games * (win + loss - lead * lead) / 4
    curvature[:, :-1, :-1] = (design.T * spread[:, None, :]) @ design
    curvature[:, :-1, -1] = curvature[:, -1, :-1] = (-games * lead * draw / 2) @ design
    curvature[:, -1, -1] = (games * draw * (1 - draw)).sum(axis=1)
    return slope, curvature


def _refuse_unconnected(games: Sequence[Game]) -> None:
    """Refuse games that leave two agents unconnected, because nothing compares them."""
    if not games:
        raise ValueError("Ratings need at least one game.")
    if wrong := [result for _, _, result in games if result not in RESULTS]:
        raise ValueError(
            f"A game is won (1), drawn (1/2) or lost (0) by the first agent, not {wrong[0]}."
        )
    opponents: dict[str, set[str]] = {}
    for first, second, _ in games:
        opponents.setdefault(first, set()).add(second)
        opponents.setdefault(second, set()).add(first)
    reached, waiting = set[str](), [min(opponents)]
    while waiting:
        agent = waiting.pop()
        if agent not in reached:
            reached.add(agent)
            waiting.extend(opponents[agent])
    if missing := sorted(set(opponents) - reached):
        raise ValueError(
            f"No chain of games connects {min(opponents)} and {missing[0]}; rate them separately "
            "or let them meet."
        )
