"""A measure for tournaments: what Pipan 2021 reports about matches besides the winner."""

from __future__ import annotations

from plyglass.arena.match.match import Match
from plyglass.core import kind_of
from plyglass.games.tubstap.state import SHOOT, STRIKE


def fights(match: Match) -> list[dict[str, float]]:
    """Return each seat's attacks and lost units, and whether the match was drawn."""
    drawn = float(match.scores[0] == match.scores[1])
    return [
        {"attacks": _attacks(match, seat), "lost": _lost(match, seat), "drawn": drawn}
        for seat in range(2)
    ]


def _attacks(match: Match, seat: int) -> float:
    kinds = [kind_of(move.action) for move in match.moves if move.player == seat]  # type: ignore[no-untyped-call]
    return float(sum(kind in (STRIKE, SHOOT) for kind in kinds))


def _lost(match: Match, seat: int) -> float:
    units = int(match.game.constants_record["units"][0, seat])
    return float((match.end.record["health"][seat, :units] == 0).sum())
