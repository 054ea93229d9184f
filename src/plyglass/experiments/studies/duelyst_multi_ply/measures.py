"""A measure for tournaments: how long a match lasted."""

from __future__ import annotations

from plyglass.arena.match.match import Match


def turns(match: Match) -> float:
    """Return the number of both players' turns, without the exchange of cards at the start."""
    return int(match.end.record["turn"]) + 1
