"""What the document reports of its matches besides who won, as measures for tournaments."""

from __future__ import annotations

from plyglass.arena.match.match import Match
from plyglass.games.trading_cards.cards import POINT

# positions, about ten seconds: what a decision may take before it rests on a look that is less deep
OUT_OF_BUDGET = 20_000_000


def ends(match: Match) -> list[dict[str, float]]:
    """Of each seat: the health it ended with, how many turns the match had, and the share of its
    decisions that ran out of budget.
    """
    record = match.end.record
    return [
        {
            "health": float(record["health"][seat]) / POINT,
            "turns": float(record["turn"]) + 1,
            "shallow": _shallow(match, seat),
        }
        for seat in range(2)
    ]


def _shallow(match: Match, seat: int) -> float:
    effort = [move.decision.iterations for move in match.moves if move.player == seat]
    return sum(each >= OUT_OF_BUDGET for each in effort) / max(1, len(effort))
