"""Ratings of many agents from games between two of them: Bradley and Terry (1952) with draws and an
advantage of the first seat.

After Davidson (1970) and Davidson and Beaver (1977), with d the strength of the first agent minus
that of the second plus the side: win, draw and loss of the first are as exp(d/2) : draw :
exp(-d/2). The logarithm of the likelihood is concave, so there is one best answer and Newton's
steps find it.

A difference of 400 Elo means that decisive games are won 10 to 1. With draws the score rate is
nearer to one half than logistic Elo of the same number would have it; `Ratings.expected_score`
tells it.

Every two agents that met are given one game more, a third of it won, a third drawn and a third
lost, half in each seating, so that winning all games, drawing all or drawing none has a finite
answer. (A virtual draw would not do: with it the draw term grows along with the strength of who won
all games, and neither ends.) Where two agents never swapped seats, this alone tells side from
strength.
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

Game = tuple[
    str, str, float
]  # the agent in the first seat, the one in the second, what the first scored: 1, 1/2 or 0
Floats = NDArray[np.float64]

RESULTS = (1.0, 0.5, 0.0)
VIRTUAL = 1 / 6  # of a game for each result of each seating
MOST_STEPS = 100
BATCH = 1 << 20  # numbers in the counts of the resamples that are fitted at once


@dataclass(frozen=True)
class Rating:
    """One agent's Elo, with its interval where it was bootstrapped, and the games behind it."""

    agent: str
    elo: float
    games: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Ratings:
    """Agents from the strongest down, their mean at 0; the first seat's advantage in Elo; the
    weight of a draw against a win each.
    """

    ratings: tuple[Rating, ...]
    side_elo: float
    draw: float
    side_low: float | None = None
    side_high: float | None = None

    def __getitem__(self, agent: str) -> Rating:
        return next(rating for rating in self.ratings if rating.agent == agent)

    def expected_score(self, first: str, second: str) -> float:
        """What the first seat is expected to score."""
        ahead = math.exp((self[first].elo - self[second].elo + self.side_elo) / (2 * ELO_PER_LOGIT))
        return (ahead + self.draw / 2) / (ahead + self.draw + 1 / ahead)


def fit(games: Iterable[Game]) -> Ratings:
    """The most likely ratings, in whatever order the games come."""
    return _Table([[game] for game in games]).rated()


def bootstrap(
    deals: Iterable[Sequence[Game]], seed: int, times: int = 1000, level: float = 0.95
) -> Ratings:
    """The most likely ratings and percentile intervals from resampled deals.

    A deal is the games played with the same luck, sides swapped: they depend on each other and are
    drawn together.
    """
    if not 0 < level < 1:
        raise ValueError(f"The level of an interval lies between 0 and 1, not at {level}.")
    return _Table(deals).bootstrapped(seed, times, level)


class _Table:
    """Results counted: deals of equal games are one kind, and seatings of two agents are the
    rows of the model.
    """

    def __init__(self, deals: Iterable[Sequence[Game]]) -> None:
        kinds = Counter(tuple(sorted(deal)) for deal in deals)
        self.kinds = sorted(
            kinds
        )  # makes the answer independent of the order of the deals, to the last bit
        self.kind_counts = np.array([kinds[kind] for kind in self.kinds])
        games = [game for kind in self.kinds for game in kind]
        _refuse_unconnected(games)
        self.agents = sorted({agent for first, second, _ in games for agent in (first, second)})
        met = {(first, second) for first, second, _ in games}
        self.seatings = sorted(met | {(second, first) for first, second in met})
        self.design = self._design()
        self.of_kind = self._of_kind()

    def _design(self) -> Floats:
        """(seatings, agents + 1): which strengths make up d; the last column is the side."""
        design = np.zeros((len(self.seatings), len(self.agents) + 1))
        for row, (first, second) in zip(design, self.seatings, strict=True):
            row[self.agents.index(first)] += 1
            row[self.agents.index(second)] -= 1
            row[-1] = 1
        return design

    def _of_kind(self) -> Floats:
        """(kinds, seatings * 3): wins, draws and losses of the first seat that a deal of each
        kind brings.
        """
        place = {seating: index for index, seating in enumerate(self.seatings)}
        counts = np.zeros((len(self.kinds), len(self.seatings), 3))
        for of_kind, kind in zip(counts, self.kinds, strict=True):
            for first, second, result in kind:
                of_kind[place[first, second], RESULTS.index(result)] += 1
        return counts.reshape(len(self.kinds), -1)

    def counts(self, kind_counts: NDArray[np.int64]) -> Floats:
        """(tables, seatings, 3) for tables that hold so many deals of each kind."""
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
    """(tables, agents + 2): strengths, side and log draw term of each table (tables, seatings,
    3), in natural units.
    """
    size = design.shape[1] + 1
    answer = np.zeros((len(counts), size)) if start is None else np.tile(start, (len(counts), 1))
    level = np.zeros((size, size))
    level[: size - 2, : size - 2] = (
        1  # strengths are known up to a constant: this keeps their sum at 0 and moves nothing else
    )
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
    """The slope of the log-likelihood (tables, size) and its negative curvature (tables, size,
    size).
    """
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
    """Ratings compare only agents whom a chain of games connects."""
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
            f"No chain of games connects {min(opponents)} and {missing[0]}: rate them apart or "
            "let them meet."
        )
