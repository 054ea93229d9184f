"""What a row is worth: who sat where, and what each got, after the settings' word on faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plyglass.arena.rows import Row
from plyglass.arena.schedule import Schedule
from plyglass.arena.settings import OverrunPolicy, Settings
from plyglass.arena.specs import game_from


@dataclass(frozen=True)
class Result:
    """A match that counts: its agents by seat, their scores, and what was measured."""

    number: int
    game: int
    pair: int
    agents: tuple[str, ...]
    scores: tuple[float, ...]
    measures: Mapping[str, float]

    def points(self, seat: int) -> float:
        """One for a score above all others, a half for a share of the best, else nothing."""
        best = max(self.scores)
        if self.scores[seat] < best:
            return 0.0
        return 1.0 if self.scores.count(best) == 1 else 0.5


class Referee:
    """Turns rows into results."""

    def __init__(self, settings: Settings) -> None:
        self._on_fault, self._on_overrun = settings.on_fault, settings.on_overrun
        self._ranges = [game_from(text).scores for text in settings.games]
        self.schedule = Schedule(settings)

    def result(self, row: Row) -> Result | None:
        """The result of a row; None where a fault leaves the match out, or nobody knows whose it
        was.
        """
        fixture = self.schedule[row.number]
        scores = row.scores
        policy = self._policy(row)
        if policy == "exclude":
            return None
        if policy == "forfeit":
            low, high = self._ranges[fixture.game]
            scores = tuple(
                low if seat == row.offender else high for seat in range(len(fixture.agents))
            )
        return Result(row.number, fixture.game, fixture.pair, fixture.agents, scores, row.measures)

    def _policy(self, row: Row) -> OverrunPolicy:
        if row.status == "overran":
            return self._on_overrun
        if row.status == "played":
            return "count"
        return self._on_fault if row.offender >= 0 else "exclude"

    def results(self, rows: Iterable[Row]) -> Iterator[Result]:
        """The results of those rows that have one."""
        return (result for row in rows if (result := self.result(row)) is not None)
