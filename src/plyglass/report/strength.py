"""Strength: the rate of every agent against every other, and ratings fitted to all rates.

Ratings follow the model of Bradley and Terry (`stats.ratings`). The intervals of ratings come from
resampled deals. All matches of a deal share chance, so they are resampled together. For ratings
over all games, the deals with the same number in different games are resampled together, so each
game keeps its share. Intervals of rates are Wilson's, for the effective number of games
(`stats.pairs`).

A match of more than two players counts as one game between every two of its agents. Games without
opponents have neither rates nor ratings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from plyglass.report.run import Run
from plyglass.report.tables import Table
from plyglass.stats.pairs import Tally
from plyglass.stats.ratings import Game, Ratings, bootstrap, fit

ALL_GAMES = "all games"
RESAMPLES = 1000
FEWEST_DEALS = 5  # resamples of fewer deals are too similar to give an interval


@dataclass(frozen=True)
class Rate:
    """Points per game of `agent` against `opponent`, with the 95 % interval."""

    agent: str
    opponent: str
    games: int
    rate: float
    low: float
    high: float


def games_of_deals(run: Run, game: int | None = None) -> dict[int, list[Game]]:
    """For each deal, a list of (agent, opponent, points of the agent).

    The agent has the earlier seat, and the opponent the later seat. `game` is the index of the only
    game that counts. If `game` is None, all games with opponents count. A person's match is a deal
    of its own, with a negative number.
    """
    found: dict[int, list[Game]] = defaultdict(list)
    for result in run.results:
        if result.game in run.contests and game in (None, result.game):
            found[run.fixtures[result.number].deal] += _games_between(result.agents, result.scores)
    for number, (_, persons) in enumerate(run.people.games):
        if persons.game in run.contests and game in (None, persons.game):
            found[-1 - number] = _games_between(persons.agents, persons.scores)
    return dict(found)


def _games_between(agents: Sequence[str], scores: Sequence[float]) -> list[Game]:
    """The results of a match, counted as one game between every two of its agents."""
    return [
        (
            agents[one],
            agents[other],
            0.5 if scores[one] == scores[other] else float(scores[one] > scores[other]),
        )
        for one, other in combinations(range(len(agents)), 2)
    ]


def cross_rates(run: Run, game: int | None = None) -> dict[tuple[str, str], Rate]:
    """The rate of every agent against every opponent that the agent has played."""
    tallies: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for games in games_of_deals(run, game).values():
        points: dict[tuple[str, str], list[float]] = defaultdict(list)
        for one, other, won in games:
            points[one, other].append(won)
            points[other, one].append(1 - won)
        for meeting, values in points.items():
            tallies[meeting].add(sum(values), len(values))
    return {
        meeting: Rate(*meeting, tally.games, *tally.interval())
        for meeting, tally in tallies.items()
    }


@lru_cache(maxsize=64)
def ratings(run: Run, game: int | None = None) -> Ratings | None:
    """The ratings of all agents, with intervals if there are enough deals.

    The result is None if no agents played each other, or if no chain of games connects all agents.
    """
    deals = games_of_deals(run, game)
    try:
        if len(deals) < FEWEST_DEALS:
            return fit(each for games in deals.values() for each in games)
        return bootstrap(deals.values(), seed=run.settings.seed, times=RESAMPLES)
    except ValueError:
        return None


def order_of_agents(run: Run) -> list[str]:
    """All agents, the strongest first, or in the order of the settings if there are no ratings."""
    found = ratings(run)
    return (
        [each.agent for each in found.ratings]
        if found
        else [*run.settings.agents, *run.people.names]
    )


def rating_table(run: Run) -> Table:
    """The ratings in every game, and over all games if there are several."""
    rows = [
        (label, each.agent, each.elo, each.low, each.high, each.games)
        for label, game in scopes(run)
        if (found := ratings(run, game))
        for each in found.ratings
    ]
    note = (
        "Bradley-Terry ratings in Elo with draws and seat advantage, mean 0 in every game; 95 % "
        f"intervals from {RESAMPLES} resamples of the deals, none from fewer than {FEWEST_DEALS} "
        "deals."
    )
    return Table(
        "ratings",
        "Ratings",
        ("game", "agent", "elo", "low", "high", "games"),
        tuple(rows),
        note,
        digits=_whole("elo", "low", "high"),
    )


def cross_table(run: Run) -> Table:
    """The rate of every agent against every other, as a list."""
    order = order_of_agents(run)
    rows = [
        (label, each.agent, each.opponent, each.rate, each.low, each.high, each.games)
        for label, game in scopes(run)
        for each in sorted(
            cross_rates(run, game).values(),
            key=lambda rate: (order.index(rate.agent), order.index(rate.opponent)),
        )
    ]
    note = (
        "Points of the agent per game; a draw is a half. The 95 % interval is Wilson's, with the "
        "deal as unit, because its games share chance."
    )
    columns = ("game", "agent", "opponent", "rate", "low", "high", "games")
    return Table(
        "cross", "Cross table", columns, tuple(rows), note, frozenset(("rate", "low", "high"))
    )


def cross_grids(run: Run) -> Iterator[Table]:
    """The cross table of each game: agents in rows and columns, strongest first."""
    order = order_of_agents(run)
    for label, game in scopes(run):
        rates = cross_rates(run, game)
        rows = tuple(
            (agent, *(_told(rates.get((agent, opponent))) for opponent in order)) for agent in order
        )
        note = (
            "Points per game of the row against the column, with the 95 % Wilson interval and the "
            f"deal as unit; {_games_each(rates)}."
        )
        yield Table(f"cross-{label}", f"Cross table, {label}", ("agent", *order), rows, note)


def scopes(run: Run) -> list[tuple[str, int | None]]:
    """(label, index) of every game with opponents, and of all games if there are several."""
    single: list[tuple[str, int | None]] = [
        (run.settings.games[game], game) for game in run.contests
    ]
    return [(ALL_GAMES, None), *single] if len(single) > 1 else single


def _told(rate: Rate | None) -> str | None:
    return (
        None if rate is None else f"{rate.rate:.0%} ({100 * rate.low:.0f} to {100 * rate.high:.0f})"
    )


def _games_each(rates: dict[tuple[str, str], Rate]) -> str:
    counts = sorted({rate.games for rate in rates.values()})
    if not counts:
        return "no games"
    return (
        f"{counts[0]} games in every cell"
        if len(counts) == 1
        else f"{counts[0]} to {counts[-1]} games in a cell"
    )


def _whole(*columns: str) -> dict[str, int]:
    return dict.fromkeys(columns, 0)
