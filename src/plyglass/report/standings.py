"""Standings: the results of each agent in each game, with intervals and numbers of games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import Settings
from plyglass.report.tables import Table
from plyglass.stats.pairs import interval_of_means, interval_of_rate


@dataclass(frozen=True)
class Standing:
    """The result of an agent in a game.

    Attributes:
        games: the number of matches that count.
        unit: the independent unit of the intervals. It is the "deal", whose matches share chance,
            or the "game" if each deal has one match.
        rate: points per match, where a win is 1 and a draw 0.5. None in a game without opponents.
        low, high: the 95 % interval of the rate.
        mean: the mean score. Its 95 % interval is `mean_low` to `mean_high`.
        faults: number of matches in which the agent crashed, hung, overran or played illegally.
    """

    agent: str
    game: str
    games: int
    unit: str
    rate: float | None
    low: float | None
    high: float | None
    mean: float
    mean_low: float | None
    mean_high: float | None
    faults: int


def standings(settings: Settings, rows: Iterable[MatchRow]) -> list[Standing]:
    """The result of each agent in each game, best first."""
    kept = list(rows)
    points, scores = _by_deal(), _by_deal()
    referee = Referee(settings)
    for result in referee.results(kept):
        game, deal = settings.games[result.game], referee.schedule[result.number].deal
        for seat, agent in enumerate(result.agents):
            scores[game, agent][deal].append(result.scores[seat])
            if len(result.agents) > 1:
                points[game, agent][deal].append(result.points(seat))
    faults = _faults(settings, kept)
    found = [
        _standing(
            Pairing(agent, game, settings.game(game).scores, faults[game, agent]),
            deals,
            points.get((game, agent)),
        )
        for (game, agent), deals in scores.items()
    ]
    order = {game: place for place, game in enumerate(settings.games)}
    return sorted(
        found,
        key=lambda each: (
            order[each.game],
            -(each.rate if each.rate is not None else each.mean),
            each.agent,
        ),
    )


Deals = dict[int, list[float]]


def _by_deal() -> dict[tuple[str, str], Deals]:
    """An empty table of values by game, agent and deal."""
    return defaultdict(lambda: defaultdict(list))


class Pairing(NamedTuple):
    """An agent in one game: the game's range of scores, and the agent's number of faults."""

    agent: str
    game: str
    span: tuple[float, float]
    faults: int


def _standing(pairing: Pairing, scores: Deals, points: Deals | None) -> Standing:
    agent, game, span, faults = pairing
    games = sum(map(len, scores.values()))
    unit = "deal" if games > len(scores) else "game"
    mean, mean_low, mean_high = interval_of_means(scores.values(), span)
    if points is None:
        return Standing(
            agent, game, games, unit, None, None, None, mean, mean_low, mean_high, faults
        )
    rate, low, high = interval_of_rate(points.values())
    return Standing(agent, game, games, unit, rate, low, high, mean, mean_low, mean_high, faults)


def _faults(settings: Settings, rows: Iterable[MatchRow]) -> dict[tuple[str, str], int]:
    schedule, found = Schedule(settings), defaultdict[tuple[str, str], int](int)
    for row in rows:
        if row.status != "played" and row.offender >= 0:
            fixture = schedule[row.number]
            found[settings.games[fixture.game], fixture.agents[row.offender]] += 1
    return found


def standings_tables(settings: Settings, rows: Iterable[MatchRow]) -> Iterator[Table]:
    """The standings of each game as a table: mean scores, and rates if there are opponents."""
    return tables_of(standings(settings, rows))


def tables_of(found: Sequence[Standing]) -> Iterator[Table]:
    """A table for each game of the standings."""
    columns = (
        "agent",
        "points",
        "low",
        "high",
        "mean_score",
        "mean_low",
        "mean_high",
        "faults",
        "games",
        "unit",
    )
    for game in dict.fromkeys(each.game for each in found):
        lines = tuple(
            (
                each.agent,
                each.rate,
                each.low,
                each.high,
                each.mean,
                each.mean_low,
                each.mean_high,
                each.faults,
                each.games,
                each.unit,
            )
            for each in found
            if each.game == game
        )
        contest = any(line[1] is not None for line in lines)
        rates = (
            "of points by Wilson (1927) for the effective number of games, of mean scores "
            if contest
            else ""
        )
        note = (
            f"95 % intervals: {rates}by Student's t over deals. Units are independent; matches of "
            "a deal are not, as they share chance."
        )
        kept = range(len(columns)) if contest else [0, *range(4, len(columns))]
        yield Table(
            f"standings-{game}",
            f"Standings, {game}",
            tuple(columns[each] for each in kept),
            tuple(tuple(line[each] for each in kept) for line in lines),
            note,
            frozenset(("points", "low", "high")),
            dict.fromkeys(("mean_score", "mean_low", "mean_high"), 3),
        )


def standings_list(settings: Settings, rows: Iterable[MatchRow]) -> Table:
    """The standings of all games in one list, for programs."""
    found = tuple(tuple(vars(each).values()) for each in standings(settings, rows))
    return Table("standings", "Standings", tuple(Standing.__dataclass_fields__), found)
