"""The referee decides how a match counts after faults and overruns of time budgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from plyglass.arena.match.agent import Player
from plyglass.arena.match.match import Match
from plyglass.arena.tournament.match_row import MatchRow
from plyglass.arena.tournament.schedule import Schedule
from plyglass.arena.tournament.settings import OverrunPolicy, Settings
from plyglass.search.interface import Budget


@dataclass(frozen=True)
class Result:
    """A match that counts: its agents and scores by seat, and its measures."""

    number: int
    game: int
    pair: int
    agents: tuple[str, ...]
    scores: tuple[float, ...]
    measures: Mapping[str, float]

    def points(self, seat: int) -> float:
        """Return a seat's points: 1 for the sole best score, 0.5 for a shared best score, or 0."""
        best = max(self.scores)
        if self.scores[seat] < best:
            return 0.0
        return 1.0 if self.scores.count(best) == 1 else 0.5


class Referee:
    """Turns match rows into results, following the settings about faults and overruns."""

    def __init__(self, settings: Settings) -> None:
        self._on_fault, self._on_overrun = settings.on_fault, settings.on_overrun
        self._ranges = [settings.game(text).scores for text in settings.games]
        self.schedule = Schedule(settings)

    def result(self, row: MatchRow) -> Result | None:
        """Return the result of a row, or None if the match is excluded.

        A match is also excluded if it failed, but the seat at fault is not known.
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

    def _policy(self, row: MatchRow) -> OverrunPolicy:
        if row.status == "overran":
            return self._on_overrun
        if row.status == "played":
            return "count"
        return self._on_fault if row.offender >= 0 else "exclude"

    def results(self, rows: Iterable[MatchRow]) -> Iterator[Result]:
        """Return the results of all rows that have a result."""
        return (result for row in rows if (result := self.result(row)) is not None)


def first_overrun(match: Match, tolerance: float) -> int:
    """Return the first seat that exceeded its time budget by more than `tolerance` seconds, or -1.

    A budget covers a decision or a turn. A turn is a seat's uninterrupted sequence of decisions.
    Time is wall-clock time, from the request for a decision to its arrival. The budget of a user's
    own player is its attribute `budget`; without this attribute, the player has no time budget. A
    budget of iterations cannot be exceeded, so matches with this budget never depend on a clock.
    """
    turn, last = 0.0, -1
    for move in match.moves:
        turn = move.seconds if move.player != last else turn + move.seconds
        last = move.player
        if _excess(match.players[move.player], move.seconds, turn) > tolerance:
            return move.player
    return -1


def _excess(player: Player, decision_seconds: float, turn_seconds: float) -> float:
    budget = getattr(player, "budget", None)
    if not isinstance(budget, Budget):
        return 0.0
    if budget.seconds is not None:
        return decision_seconds - budget.seconds
    return turn_seconds - budget.turn_seconds if budget.turn_seconds is not None else 0.0
