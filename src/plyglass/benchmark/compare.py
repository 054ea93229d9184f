"""Compare two results of the same suite, game by game and over all games."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from plyglass.benchmark.contests import Cell
from plyglass.benchmark.ratings import board, outcomes, unique_names
from plyglass.benchmark.result import Result
from plyglass.benchmark.suite import MODES, Mode, Suite, Unit
from plyglass.stats.families import holm
from plyglass.stats.paired import PairedDifference, paired_t


@dataclass(frozen=True)
class GameDifference:
    """The points per match of the first agent minus those of the second, over common deals.

    Attributes:
        difference: the mean difference with its 95 % interval over deals.
        p_value: the p-value, adjusted for all games of the mode. None if all differences are equal.
    """

    mode: Mode
    game: str
    difference: PairedDifference
    p_value: float | None


@dataclass(frozen=True)
class OverallDifference:
    """The difference of the mean ratings over all games, with its 95 % interval."""

    mode: Mode
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """The names of two results, and their differences in each game and over all games."""

    first: str
    second: str
    games: tuple[GameDifference, ...]
    overall: tuple[OverallDifference, ...]


def compare(suite: Suite, first: Result, second: Result) -> Comparison:
    """Compare two results over the games and deals that both contain."""
    if first.suite_digest != second.suite_digest:
        raise ValueError(
            f"{first.name} was measured with {first.suite} and {second.name} with {second.suite}; "
            "results of different suites cannot be compared."
        )
    found: list[GameDifference] = []
    for mode in MODES:
        found += _in_games(suite, first, second, mode)
    overall = [each for mode in MODES if (each := _overall(suite, (first, second), mode))]
    one, other = unique_names([first, second])
    return Comparison(one, other, tuple(found), tuple(overall))


def _in_games(suite: Suite, first: Result, second: Result, mode: Mode) -> list[GameDifference]:
    pairs = []
    for contest in suite.contests:
        values = differences(suite, (first, second), mode, contest.game, contest.unit)
        if values:
            pairs.append((contest.game, paired_t(values)))
    tested = [each.p_value for _, each in pairs if each.p_value is not None]
    adjusted = iter(holm(tested) if tested else [])
    return [
        GameDifference(mode, game, each, None if each.p_value is None else next(adjusted))
        for game, each in pairs
    ]


def differences(
    suite: Suite, pair: tuple[Result, Result], mode: Mode, game: str, unit: Unit
) -> list[float]:
    """Return the difference of points per match, for each deal that both agents played."""
    sums: dict[int, list[float]] = {}
    for reference in suite.references:
        cells = [result.cell(mode, game, reference) for result in pair]
        if cells[0] is None or cells[1] is None:
            return []
        one, other = (_by_deal(cell, unit) for cell in cells if cell is not None)
        for deal in one.keys() & other.keys():
            sums.setdefault(deal, []).append(one[deal] - other[deal])
    whole = [each for each in sums.values() if len(each) == len(suite.references)]
    return [math.fsum(each) / len(each) for each in whole]


def _by_deal(cell: Cell, unit: Unit) -> dict[int, float]:
    return {
        deal: math.fsum(points for _, points in matches) / len(matches)
        for deal, matches in enumerate(outcomes(cell, unit))
        if matches
    }


def _overall(suite: Suite, pair: tuple[Result, Result], mode: Mode) -> OverallDifference | None:
    both = [
        contest.game
        for contest in suite.contests
        if all(
            result.cell(mode, contest.game, each) for result in pair for each in suite.references
        )
    ]
    ranked = board(suite, pair, mode) if both else None
    if ranked is None:
        return None
    one, other = unique_names(pair)
    rated = [(ranked.entries[one, game], ranked.entries[other, game]) for game in both]
    draws = np.mean([a.draws - b.draws for a, b in rated], axis=0)
    low, high = np.quantile(draws, (0.025, 0.975), method="weibull")
    return OverallDifference(
        mode, float(np.mean([a.elo - b.elo for a, b in rated])), float(low), float(high)
    )
