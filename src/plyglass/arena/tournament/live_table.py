"""The table of a tournament that is under way, worked out when somebody looks, from counts that do
not grow with the matches.

The unit is the deal. All matches of a deal share its luck, and their numbers lie side by side, so a
deal is complete soon after it was begun; only deals with matches still to come are kept apart.
Deals that ended alike are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy

from plyglass.arena.tournament.match_row import MatchRow, Status
from plyglass.arena.tournament.referee import Referee
from plyglass.arena.tournament.settings import Settings
from plyglass.stats.pairs import Tally

MOST_KINDS = (
    1000  # of deals, by how they ended; where there are more, they go into the tallies at once
)

Ending = tuple[Status, int, tuple[float, ...]]
"""Of a match: its status, who is to blame, and the scores."""


class RunningTable:
    """Points of every agent against opponents, over all games."""

    def __init__(self, settings: Settings) -> None:
        self._referee = Referee(settings)
        self._matches = len(self._referee.schedule) // settings.deals
        self._open: dict[int, dict[int, Ending]] = {}  # by deal and place in the deal
        self._ended: Counter[tuple[tuple[int, Ending], ...]] = Counter()
        self._tallies: dict[str, Tally] = {}

    def add(self, rows: Iterable[MatchRow]) -> None:
        """Let rows count, each number once."""
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
        """What every agent has so far, best first; a deal that is not complete counts with the
        matches that it has.
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
        """Add what a deal brought every agent; matches without a result or an opponent bring
        nothing.
        """
        brought: dict[str, list[float]] = {}
        for place, (status, offender, scores) in deal:
            result = self._referee.result(MatchRow(place, status, offender, scores, 0, ""))
            if result is not None and len(result.agents) > 1:
                for seat, agent in enumerate(result.agents):
                    brought.setdefault(agent, []).append(result.points(seat))
        for agent, points in brought.items():
            tallies.setdefault(agent, Tally()).add(sum(points), len(points), times)
