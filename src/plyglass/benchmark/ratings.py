"""Ratings of agents in each game and over all games, from results of the same suite.

Ratings follow the model of Bradley and Terry (`stats.ratings`), in Elo. The mean rating of the
references is 0 in every game, so a rating keeps its meaning when other agents join. All games count
equally in the mean over games. Intervals come from resampled deals. All agents play the same deals,
so a deal is resampled for all agents together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from plyglass.benchmark.contests import MISSING, SIGNS, Cell
from plyglass.benchmark.result import Result
from plyglass.benchmark.suite import Mode, Suite, Unit
from plyglass.core.seeds import derive
from plyglass.stats.elo import elo_of_rate
from plyglass.stats.intervals import Z95, wilson
from plyglass.stats.ratings import Game, anchored

RESAMPLES = 1000
ENOUGH = 80  # the fewest matches per game; with fewer, intervals are too narrow
LEVEL = 0.95
POINTS = {sign: points for points, sign in SIGNS.items()}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Entry:
    """The rating of an agent in a game, or over all games.

    Attributes:
        elo, low, high: the rating and its 95 % interval.
        games: the number of matches.
        one_sided: whether the agent won all matches, or lost all matches. The rating then has a
            bound on only one side, and the interval reaches from the rating to this bound.
        draws: the rating in each resample.
    """

    elo: float
    low: float
    high: float
    games: int
    one_sided: bool = False
    draws: Floats = field(default_factory=lambda: np.zeros(0), repr=False, compare=False)


@dataclass(frozen=True)
class Board:
    """The ratings of all agents at equal time or at equal iterations.

    Attributes:
        agents: the names of all agents, the strongest first.
        games: the games that at least one agent played.
        entries: the ratings by agent and game.
        whole: the games that count in the mean, which are those with the largest number of agents.
        overall: the mean rating of each agent that played in all games of `whole`.
    """

    mode: Mode
    agents: tuple[str, ...]
    games: tuple[str, ...]
    entries: dict[tuple[str, str], Entry]
    whole: tuple[str, ...]
    overall: dict[str, Entry]

    def surely_stronger(self, one: str, other: str) -> bool:
        """Return whether the interval of the difference of two overall ratings is above 0."""
        difference = self.overall[one].draws - self.overall[other].draws
        return bool(np.quantile(difference, (1 - LEVEL) / 2, method="weibull") > 0)


def outcomes(cell: Cell, unit: Unit) -> list[list[tuple[bool, float]]]:
    """For each deal, (whether the agent has the first seat, its points) of each match that counts.

    If matches are scored in chips, the two matches of a deal have one common result, which counts
    for both matches. So no seat is favoured.
    """
    found: list[list[tuple[bool, float]]] = []
    for deal in range(len(cell.results) // 2):
        signs = cell.results[2 * deal : 2 * deal + 2]
        if unit == "match":
            found.append(
                [(seat == 0, POINTS[sign]) for seat, sign in enumerate(signs) if sign != MISSING]
            )
        elif MISSING in signs:
            found.append([])
        else:
            total = sum(cell.scores[2 * deal : 2 * deal + 2])
            points = 0.5 if abs(total) < 1e-9 else float(total > 0)
            found.append([(True, points), (False, points)])
    return found


def unique_names(results: Sequence[Result]) -> list[str]:
    """Return a name for each result; repeated names get a number."""
    seen: dict[str, int] = defaultdict(int)
    names = []
    for result in results:
        seen[result.name] += 1
        count = seen[result.name]
        names.append(result.name if count == 1 else f"{result.name} ({count})")
    return names


def board(
    suite: Suite, results: Sequence[Result], mode: Mode, times: int = RESAMPLES
) -> Board | None:
    """Return the ratings of all agents, or None if no agent played."""
    names = unique_names(results)
    entries: dict[tuple[str, str], Entry] = {}
    games = []
    for number, contest in enumerate(suite.contests):
        found = _in_game(suite, names, results, mode, number, times)
        if found:
            games.append(contest.game)
            entries |= {(name, contest.game): entry for name, entry in found.items()}
    if not games:
        return None
    played = {game: {name for name in names if (name, game) in entries} for game in games}
    most = max(map(len, played.values()))
    whole = [game for game in games if len(played[game]) == most]
    overall = {
        name: _mean([entries[name, game] for game in whole])
        for name in names
        if all(name in played[game] for game in whole)
    }
    rest = [
        name for name in names if name not in overall and any((name, g) in entries for g in games)
    ]
    order = sorted(overall, key=lambda name: -overall[name].elo)
    return Board(mode, (*order, *rest), tuple(games), entries, tuple(whole), overall)


def _in_game(
    suite: Suite, names: list[str], results: Sequence[Result], mode: Mode, number: int, times: int
) -> dict[str, Entry]:
    """Return the ratings, in one game, of all agents that played against every reference."""
    contest = suite.contests[number]
    deals: dict[int, list[Game]] = defaultdict(list)
    met: dict[str, list[Cell]] = {}
    for name, result in zip(names, results, strict=True):
        cells = [result.cell(mode, contest.game, reference) for reference in suite.references]
        if any(cell is None for cell in cells):
            continue
        met[name] = [cell for cell in cells if cell is not None]
        for reference, cell in zip(suite.references, met[name], strict=True):
            for deal, matches in enumerate(outcomes(cell, contest.unit)):
                for first, points in matches:
                    pair = name, _node(reference)
                    deals[deal].append((*pair, points) if first else (*pair[::-1], 1 - points))
    if not met:
        return {}
    anchors = [_node(reference) for reference in suite.references]
    rated = anchored(list(deals.values()), anchors, derive(suite.seed, number), times)
    return {
        name: _entry(
            float(rated.elo[place]),
            np.array(rated.draws[:, place]),
            [each for cell in cells for each in outcomes(cell, contest.unit)],
            sum(cell.games for cell in cells),
        )
        for name, cells in met.items()
        for place in [rated.agents.index(name)]
    }


def _node(reference: str) -> str:
    """Return a reference's name in the ratings, which differs from the names of all agents."""
    return f"reference {reference}"


def _entry(elo: float, draws: Floats, deals: list[list[tuple[bool, float]]], games: int) -> Entry:
    points = {each for matches in deals for _, each in matches}
    if len(points) == 1 and points <= {0.0, 1.0}:
        return _bounded(elo, points.pop() == 1.0, sum(map(bool, deals)), games, len(draws))
    low, high = np.quantile(draws, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="weibull")
    return Entry(elo, float(low), float(high), games, draws=draws)


def _bounded(elo: float, won: bool, deals: int, games: int, times: int) -> Entry:
    """Return the rating of an agent that won or lost every match.

    Resamples of equal results have no spread. So the interval reaches from the rating to the bound
    of Wilson's interval of the rate, with the deal as unit. The draws come from a half-normal
    distribution whose 95 % interval ends at this bound.
    """
    low, high = wilson(deals if won else 0, deals)
    bound = elo_of_rate(low if won else high)
    bound = min(elo, bound) if won else max(elo, bound)
    spread = np.abs(np.random.default_rng(derive(deals, times)).standard_normal(times)) / Z95
    low, high = sorted((elo, bound))
    return Entry(elo, low, high, games, one_sided=True, draws=elo + (bound - elo) * spread)


def _mean(entries: Sequence[Entry]) -> Entry:
    """Return the mean rating over games; the ratings in different games are independent."""
    draws = np.mean([entry.draws for entry in entries], axis=0)
    low, high = np.quantile(draws, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method="weibull")
    return Entry(
        float(np.mean([entry.elo for entry in entries])),
        float(low),
        float(high),
        sum(entry.games for entry in entries),
        draws=draws,
    )


@dataclass(frozen=True)
class Place:
    """An agent's speed and strength at equal iterations.

    Attributes:
        ms: the geometric mean over games of the CPU milliseconds of a decision.
        beaten_by: the best of the faster agents with a higher rating. If it is empty, no agent
            beats this one, which is then on the frontier.
        surely: whether `beaten_by` is surely stronger: there are enough matches, and the interval
            of the difference of ratings is above 0.
    """

    agent: str
    ms: float
    entry: Entry
    beaten_by: str = ""
    surely: bool = False


def frontier(results: Sequence[Result], ranked: Board) -> list[Place]:
    """Return speed and strength of all agents that played every game, the fastest first."""
    paces = dict(zip(unique_names(results), (result.pace for result in results), strict=True))
    speed = {
        name: float(np.exp(np.mean([np.log(paces[name][game].equal_ms) for game in ranked.whole])))
        for name in ranked.overall
        if all(game in paces[name] for game in ranked.whole)
    }
    found = []
    for name in sorted(speed, key=speed.__getitem__):
        entry = ranked.overall[name]
        better = [
            other
            for other in speed
            if speed[other] < speed[name] and ranked.overall[other].elo > entry.elo
        ]
        best = max(better, key=lambda other: ranked.overall[other].elo, default="")
        surely = bool(best) and _enough(ranked, best, name) and ranked.surely_stronger(best, name)
        found.append(Place(name, speed[name], entry, best, surely))
    return found


def _enough(ranked: Board, *names: str) -> bool:
    return all(
        ranked.entries[name, game].games >= ENOUGH for name in names for game in ranked.whole
    )
