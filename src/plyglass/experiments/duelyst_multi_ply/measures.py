"""How long a match lasted."""

from __future__ import annotations

from plyglass.arena.match.match import Match


def turns(match: Match) -> float:
    """How many turns both players had, the last one included; exchanging cards at the start is
    none.
    """
    return int(match.end.record["turn"]) + 1
