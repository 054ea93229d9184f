"""A measure for tournaments: what the paper reports about matches besides the winner."""

from __future__ import annotations

from plyglass.arena.match.match import Match
from plyglass.games.trading_cards.state import POINT

# positions, about ten seconds; a decision that needs more positions is searched less deeply
OUT_OF_BUDGET = 20_000_000


def ends(match: Match) -> list[dict[str, float]]:
    """Return each seat's final health and share of shallow decisions, and the turns of the match.

    A decision is shallow if it ran out of budget.
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
