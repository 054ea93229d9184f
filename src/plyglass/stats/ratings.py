"""Ratings of many agents from two-player games, by Bradley-Terry with draws and seat advantage.

The model follows Bradley and Terry (1952), Davidson (1970) and Davidson and Beaver (1977). Let d be
the first agent's strength minus the second's, plus the first seat's advantage. Then the first
agent's win, draw and loss have probabilities in the ratio exp(d/2) : draw : exp(-d/2). The
log-likelihood is concave, so it has one maximum, which Newton's method finds.

A difference of 400 Elo means that the stronger agent wins ten of eleven decisive games. With draws,
the score rate is nearer to one half than logistic Elo predicts for the same difference.

Any two agents that played each other get one additional virtual game. A third of this game counts
as won, a third as drawn and a third as lost. Half of the virtual game is played in each seating. So
ratings are finite even if one agent wins all games, all games are drawn, or no game is drawn. (A
virtual draw would not suffice, because the draw term and the strength of an agent that won all
games would grow without limit.) If two agents never swapped seats, only the virtual games
distinguish seat advantage from strength.
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
"""The agent in the first seat, the agent in the second, and the first agent's score: 1, 1/2, 0."""
Floats = NDArray[np.float64]

RESULTS = (1.0, 0.5, 0.0)
VIRTUAL = 1 / 6  # share of the virtual game for each result in each seating
MOST_STEPS = 100
BATCH = 1 << 20  # resamples are fitted in batches of at most this many counts


@dataclass(frozen=True)
class Rating:
    """The Elo of one agent, its number of games, and its interval if `bootstrap` computed one."""

    agent: str
    elo: float
    games: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Ratings:
    """The ratings of all agents.

    Attributes:
        ratings: the ratings of the agents, the strongest first, with a mean of 0 Elo.
        side_elo: the first seat's advantage in Elo.
        draw: the weight of a draw relative to a win.
        side_low, side_high: the interval of the advantage, if `bootstrap` computed it.
    """

    ratings: tuple[Rating, ...]
    side_elo: float
    draw: float
    side_low: float | None = None
    side_high: float | None = None

    def __getitem__(self, agent: str) -> Rating:
        return next(rating for rating in self.ratings if rating.agent == agent)


def fit(games: Iterable[Game]) -> Ratings:
    """Return the maximum-likelihood ratings; the order of the games does not matter."""
    return _Table([[game] for game in games]).rated()


def bootstrap(
    deals: Iterable[Sequence[Game]], seed: int, times: int = 1000, level: float = 0.95
) -> Ratings:
    """Return the maximum-likelihood ratings, with percentile intervals from resampled deals.

    The games of a deal depend on each other, because they share a random seed. So the games of a
    deal are resampled together.
    """
    if not 0 < level < 1:
        raise ValueError(f"The level of an interval lies between 0 and 1, not at {level}.")
    return _Table(deals).bootstrapped(seed, times, level)


@dataclass(frozen=True)
class Anchored:
    """Ratings relative to anchors, whose mean is 0 Elo in every resample.

    Attributes:
        agents: the names of all agents, in alphabetical order.
        elo: the rating of each agent.
        draws: the ratings in each resample, an array of shape (times, agents).
    """

    agents: tuple[str, ...]
    elo: Floats
    draws: Floats


def anchored(
    deals: Iterable[Sequence[Game]], anchors: Sequence[str], seed: int, times: int = 1000
) -> Anchored:
    """Return maximum-likelihood ratings and their resamples, relative to the mean of `anchors`.

    A rating relative to anchors does not change its meaning when other agents join. Resamples of
    several games can be averaged, because each resample is relative to the same anchors.
    """
    table = _Table(deals)
    if not anchors or not set(anchors) <= set(table.agents):
        raise ValueError(f"Ratings need anchors that played; {list(anchors)} did not all play.")
    columns = [table.agents.index(each) for each in anchors]
    answer, draws = table.drawn(seed, times)
    rows = np.vstack([answer, draws])[:, : len(table.agents)] * ELO_PER_LOGIT
    rows -= rows[:, columns].mean(axis=1, keepdims=True)
    return Anchored(tuple(table.agents), rows[0], rows[1:])


class _Table:
    """The results, counted by kind of deal. Deals with equal games are of the same kind."""

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
        """Return the design matrix (seatings, agents + 1), with the seat advantage last."""
        design = np.zeros((len(self.seatings), len(self.agents) + 1))
        for row, (first, second) in zip(design, self.seatings, strict=True):
            row[self.agents.index(first)] += 1
            row[self.agents.index(second)] -= 1
            row[-1] = 1
        return design

    def _of_kind(self) -> Floats:
        """Return the first seat's wins, draws and losses by kind of deal: (kinds, seatings * 3)."""
        place = {seating: index for index, seating in enumerate(self.seatings)}
        counts = np.zeros((len(self.kinds), len(self.seatings), 3))
        for of_kind, kind in zip(counts, self.kinds, strict=True):
            for first, second, result in kind:
                of_kind[place[first, second], RESULTS.index(result)] += 1
        return counts.reshape(len(self.kinds), -1)

    def counts(self, kind_counts: NDArray[np.int64]) -> Floats:
        """Return the results (tables, seatings, 3), given the number of deals of each kind."""
        return (kind_counts @ self.of_kind).reshape(-1, len(self.seatings), 3) + VIRTUAL

    def rated(self) -> Ratings:
        answer = _most_likely(self.counts(self.kind_counts[None]), self.design)[0]
        return self._ratings(answer, np.full((2, answer.size), np.nan))

    def bootstrapped(self, seed: int, times: int, level: float) -> Ratings:
        answer, draws = self.drawn(seed, times)
        sides = ((1 - level) / 2, (1 + level) / 2)
        return self._ratings(answer, np.quantile(draws, sides, axis=0, method="weibull"))

    def drawn(self, seed: int, times: int) -> tuple[Floats, Floats]:
        """Return the parameters fitted to all deals, and those fitted to each resample.

        The first array has the shape (agents + 2,), and the second array has the shape (times,
        agents + 2).
        """
        answer = _most_likely(self.counts(self.kind_counts[None]), self.design)[0]
        drawn = self._resampled_kinds(seed, times)
        rows = max(1, BATCH // self.of_kind.shape[1])
        blocks = [
            _most_likely(self.counts(drawn[i : i + rows]), self.design, answer)
            for i in range(0, times, rows)
        ]
        return answer, np.concatenate(blocks)

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
    """Return the maximum-likelihood parameters of each table, as an array (tables, agents + 2).

    The parameters are the strengths, the seat advantage and the logarithm of the draw term, in
    natural units. `counts` has the shape (tables, seatings, 3).
    """
    size = design.shape[1] + 1
    answer = np.zeros((len(counts), size)) if start is None else np.tile(start, (len(counts), 1))
    level = np.zeros((size, size))
    # strengths are determined only up to a constant; this term keeps their sum at 0
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
    """Return the log-likelihood's gradient and negative Hessian for each table."""
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
    """Raise an error if two agents are not connected by a chain of games.

    Nothing would compare these agents.
    """
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
            "or let them play each other."
        )
