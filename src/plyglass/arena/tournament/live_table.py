"""The table of a running tournament, computed on request from counts of bounded size.

The statistical unit is the deal, because all matches of a deal share its chance. The matches of a
deal have adjacent numbers, so a deal is complete soon after its first match. Only incomplete deals
are stored one by one. Complete deals with equal results are only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy

from plyglass.arena.tournament.match_row import MatchRow, Status
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.stats.pairs import Tally

MOST_KINDS = 1000
"""The number of different deal results that are counted before all counts are summed up."""

Ending = tuple[Status, int, tuple[float, ...]]
"""How a match ended: its status, the offender's seat and the scores."""


class RunningTable:
    """The points of every agent against its opponents, over all games."""

    def __init__(self, settings: Settings) -> None:
        self._referee = Referee(settings)
        self._matches = len(self._referee.schedule) // settings.deals
        self._open: dict[int, dict[int, Ending]] = {}  # by deal, and index within the deal
        self._ended: Counter[tuple[tuple[int, Ending], ...]] = Counter()
        self._tallies: dict[str, Tally] = {}

    def add(self, rows: Iterable[MatchRow]) -> None:
        """Count rows; each match number may come only once."""
        for row in rows:
            number, place = divmod(row.number, self._matches)
            deal = self._open.get(number)
            if deal is None:
                deal = self._open[number] = {}
            deal[place] = row.status, row.offender, row.scores
            if len(deal) == self._matches:
                del self._open[number]
                self._ended[tuple(deal.items())] += 1
                if len(self._ended) > MOST_KINDS:
                    self._settle()

    def tallies(self) -> dict[str, Tally]:
        """Return the results of every agent so far, the best first.

        An incomplete deal counts with the matches that were played so far.
        """
        self._settle()
        found = {agent: copy(tally) for agent, tally in self._tallies.items()}
        for deal in self._open.values():
            self._count(deal.items(), 1, found)
        return dict(sorted(found.items(), key=lambda each: (-each[1].rate, each[0])))

    def _settle(self) -> None:
        for deal, times in self._ended.items():
            self._count(deal, times, self._tallies)
        self._ended.clear()

    def _count(
        self, deal: Iterable[tuple[int, Ending]], times: int, tallies: dict[str, Tally]
    ) -> None:
        """Add the points of a deal; matches without a result or an opponent give no points."""
        brought: dict[str, list[float]] = {}
        for place, (status, offender, scores) in deal:
            result = self._referee.result(MatchRow(place, status, offender, scores, 0, ""))
            if result is not None and len(result.agents) > 1:
                for seat, agent in enumerate(result.agents):
                    brought.setdefault(agent, []).append(result.points(seat))
        for agent, points in brought.items():
            tallies.setdefault(agent, Tally()).add(sum(points), len(points), times)
